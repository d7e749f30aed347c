#!/bin/sh
# What a user does in the first minutes, on an unlikely machine. Prints the exit code, the step and its error for each step.
#   scenario.sh ISSUER
export BROWSER='curl -sS -L -o /dev/null' PATH=/usr/local/bin:/usr/bin:/bin
mkdir -p "$HOME" || exit 1
work=$(mktemp -d)
step() {
    "$@" >"$work/out" 2>"$work/errors" </dev/null
    code=$?
    echo "$code $* | $(sed -n 's/^authctl: error: //p' "$work/errors" | head -n 1)"
    [ $code -lt 126 ] || cat "$work/errors" >&2
}
step authctl --version
[ -z "$PASSPHRASE_FILE" ] || step authctl vault passphrase
step authctl providers add oidc.test --issuer "$1" --client-id emulator-client
step authctl signin test --timeout 60
[ -z "$PASSPHRASE_FILE" ] || step authctl vault unlock
step authctl token test
step authctl token test --force-refresh
step authctl status
step authctl request "$1/userinfo" --provider test
step authctl exec --as TOKEN -- true
step authctl accounts rule add --directory "$HOME" test
step authctl status --json
step authctl signout test --revoke
rm -r "$work"
