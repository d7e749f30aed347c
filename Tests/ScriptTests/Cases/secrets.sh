# Only requested secrets are printed, and only on standard output, also with --verbose; none can be seen in
# the list of processes. Each story ends with a search for the emulator's secrets; this one searches more.

# watched COMMAND…: runs it and records the arguments of all processes.
watched() {
    rm -f watching && mkfifo watching
    python3 - >>printed 3>watching <<'P' &
import os, signal, sys
seen = set()
signal.signal(signal.SIGTERM, lambda *_: sys.exit(print("\n".join(sorted(seen)))))
print("ready", file=os.fdopen(3, "w", closefd=True), flush=True)
while True:
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline") as file: words = file.read().split("\0")
        except (OSError, UnicodeDecodeError): continue
        if os.path.basename(words[0]) == "authctl": seen.add(" ".join(words))
P
    local watcher=$!
    servers+=("$watcher")
    read -r _ <watching
    works "$@" --verbose
    kill $watcher
    wait $watcher || true
}

#: Signing in and out with --verbose does not reveal secrets in output or process arguments.
emulator --client-secret client-secret-of-the-test
secret_file 'client-secret-of-the-test' client-secret
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/client-secret"
watched authctl signin --json
err 'POST http'
watched authctl token --force-refresh
cp stdout token
watched authctl token --type id
cp stdout id
watched authctl request "$ISSUER/userinfo"
watched authctl signin --flow device
watched authctl signin --flow client-credentials --scope deploy
watched authctl credential netrc "${ISSUER#http://}" --provider oidc.test
watched authctl doctor --report
watched authctl signout --revoke
grep -qF -e "$(cat token)" secrets && grep -qF -e "$(cat id)" secrets && grep -q client-secret-of-the-test secrets || fail "the emulator writes secrets down"
grep -q 'authctl signin' printed || fail "the list of processes was read"
! grep -qE 'code=[A-Za-z0-9_-]{20}|code_verifier=[A-Za-z0-9]|refresh_token=[A-Za-z0-9_-]{20}' printed || fail "a parameter's value was printed"
exits 64 authctl verify "$(cat id)" --issuer "$ISSUER" --audience emulator-client
err 'in an argument is visible to all users of this machine'
exits 64 authctl signin --provider oidc.test --access-token an-opaque-token-of-the-user
err 'the given file cannot be read: No such file'
no_err 'an-opaque-token'

#: CI job sign-ins and token exchanges with --verbose do not reveal secrets.
github_job_and_server --client-secret client-secret-of-the-test
STS=$SERVER
secret_file 'client-secret-of-the-test' client-secret
works authctl providers add oidc.sts --issuer "$STS" --client-id emulator-client --client-secret-file "$PWD/client-secret"
for grant in token-exchange jwt-bearer client-assertion; do
    watched authctl signin --ci github --audience "$STS" --exchange oidc.sts --exchange-by $grant
done
watched authctl signin --ci github
watched authctl token --force-refresh --provider ci.github
grep -qx 'request-token' secrets || fail "the request's own token is a secret"

#: A server that repeats secrets in errors, and the built-in providers, do not reveal secrets with --verbose.
emulator --fault token-error-echoes-code
works authctl providers add oidc.test --replace --issuer "$ISSUER" --client-id emulator-client
exits 65 authctl signin --verbose
provider github.com
watched authctl signin --provider github.com
watched authctl signout --revoke
provider facebook.com --user grace@example.com
watched authctl signin --provider facebook.com
provider google.com --user linus@example.com
watched authctl signin --provider google.com

#: Secrets are encrypted in the store.
emulator --client-secret client-secret-of-the-test
secret_file 'client-secret-of-the-test' client-secret
authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-stdin <client-secret >stdout 2>stderr
works authctl providers show oidc.test
out 'client secret +encrypted in the store'
works authctl signin
! grep -rqF -f secrets "$HOME/.config/authctl" || fail "a secret stands in the store as it is"

#: Reads secrets from process substitutions and named pipes, even if the writer is slow.
emulator --client-secret client-secret-of-the-test
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client \
    --client-secret-file <(pause 0.3; echo client-secret-of-the-test)
works authctl providers show oidc.test
secret_file client-secret-of-the-test client-secret
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/client-secret"
works authctl signin
works authctl verify <(pause 0.3; authctl token --type id) --issuer "$ISSUER" --audience emulator-client
mkfifo named
{ pause 0.3; authctl token --type id >named; } &
works authctl verify named --issuer "$ISSUER" --audience emulator-client

#: Other processes of the same user cannot read the memory of authctl.
plain=()
# Root can read all memory. Without this capability it is like any other user.
[ "$(id -u)" != 0 ] || plain=(setpriv --bounding-set=-sys_ptrace --inh-caps=-sys_ptrace)
looked() { "${plain[@]}" python3 -c 'import sys; open(f"/proc/{sys.argv[1]}/mem", "rb").close()' "$1" >stdout 2>stderr; }
"${plain[@]}" tail -f /dev/null &
servers+=("$!")
looked $! || fail "nothing can be looked into here"
mkfifo passwords
exec 8<>passwords
"${plain[@]}" authctl providers add oidc.x --issuer https://id.example --client-id c --client-secret-stdin <&8 >waiting 2>&1 &
waiting=$!
servers+=("$waiting")
# After its first system call.
for _ in $(seq 400); do looked $waiting || break; pause 0.02; done
kill -0 $waiting || fail "it did not wait: $(cat waiting)"
! looked $waiting || fail "its memory can be read"
err PermissionError
# The memory of a command that exec runs can be read.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin
works "${plain[@]}" authctl exec -- python3 -c 'open("/proc/self/mem", "rb"); import os; print(os.stat("/proc/self/mem").st_uid == os.geteuid())'

#: Programs that authctl runs do not get its secrets.
signed_in
mkdir tools
for tool in git kubectl; do
    printf '#!/bin/sh\nenv >"%s/environment.%s"\nexit 1\n' "$PWD" $tool >tools/$tool
done
printf '#!/bin/sh\nenv >"%s/environment.browser"\nexec curl -sS -L -o /dev/null "$1"\n' "$PWD" >tools/browser
chmod +x tools/*
export AUTHCTL_GITHUB_COM_CLIENT_SECRET=secret-of-github AUTHCTL_OIDC_OTHER_TOKEN=secret-token AUTHCTL_PASSPHRASE_FILE=/none
export PATH=$PWD/tools:$PATH
authctl credential install git --host "$ISSUER" --provider oidc.test >stdout 2>stderr || true
authctl credential install kubectl --provider oidc.test --name u >stdout 2>stderr || true
unset AUTHCTL_PASSPHRASE_FILE
BROWSER=$PWD/tools/browser works authctl signin
for tool in git kubectl browser; do
    [ -s environment.$tool ] || fail "$tool was not run"
    ! grep -q 'secret' environment.$tool || fail "$tool got a secret: $(cat environment.$tool)"
done
