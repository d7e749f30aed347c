# What every case starts with. A case runs in a directory of its own, with an empty home, and ends with everything it
# started. It fails at the first command that fails.
set -euo pipefail

export HOME=$PWD/home
mkdir -p "$HOME"
unset CI XDG_CONFIG_HOME AUTHCTL_CONFIG_DIR AUTHCTL_PROFILE AUTHCTL_ACCOUNT DISPLAY WAYLAND_DISPLAY BROWSER
export PATH=$BIN:$PATH
servers=()

finish() {
    for server in "${servers[@]}"; do
        if [ -d "$server" ]; then python3 "$ROOT/Tests/Servers/glewlwyd_server.py" stop "$server"; else kill "$server" 2>/dev/null || true; fi
    done
}
trap finish EXIT

fail() { echo "FAILED: $*" >&2; echo "--- stdout"; cat stdout 2>/dev/null; echo "--- stderr"; cat stderr 2>/dev/null; exit 1; }

# works COMMAND…: it must exit 0; its output is in the files stdout and stderr.
works() { "$@" >stdout 2>stderr </dev/null || fail "exit $? from: $*"; }

# exits CODE COMMAND…: it must exit with this code, say one error line and one hint.
exits() {
    local wanted=$1 code=0
    shift
    "$@" >stdout 2>stderr </dev/null || code=$?
    [ $code = "$wanted" ] || fail "exit $code, not $wanted, from: $*"
}

out() { grep -qE -- "$1" stdout || fail "standard output lacks /$1/"; }
err() { grep -qE -- "$1" stderr || fail "standard error lacks /$1/"; }
no_out() { ! grep -qE -- "$1" stdout || fail "standard output has /$1/"; }
no_err() { ! grep -qE -- "$1" stderr || fail "standard error has /$1/"; }

# json EXPRESSION: a Python expression over d, the JSON on standard output, that must be true.
json() { python3 -c "import json,sys; d=json.load(open('stdout')); sys.exit(0 if ($1) else 1)" || fail "not true of standard output: $1"; }

# emulator FLAGS…: starts the emulator and puts its URL in ISSUER. A browser that follows redirects comes with it.
emulator() {
    rm -f emulator.url && mkfifo emulator.url
    authctl-emulator --auto-approve "$@" >emulator.url 2>emulator.log &
    EMULATOR=$!
    servers+=("$EMULATOR")
    read -r ISSUER <emulator.url
    export BROWSER="curl -sS -L -o /dev/null"
}

# signed_in FLAGS…: an emulator with these flags, its provider added as oidc.test, and somebody signed in.
signed_in() {
    emulator "$@"
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
    works authctl signin --provider oidc.test
}

# requests NAME: how often the emulator was asked for it.
requests() { curl -sS "$ISSUER/emulator/requests" | python3 -c "import json,sys; print(json.load(sys.stdin).get('$1', 0))"; }

# server NAME: starts a real provider (glewlwyd or canaille) and sets ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_PORT.
server() {
    local python=python3
    [ "$1" = glewlwyd ] || python=$ROOT/.build/venv/bin/python
    mkdir server
    servers+=("$PWD/server")
    "$python" "$ROOT/Tests/Servers/$1_server.py" start "$PWD/server" >server.log 2>&1 || { cat server.log; fail "$1 did not start"; }
    . server/env
    export BROWSER="python3 $ROOT/Tests/Servers/person.py" PERSON_LOG=$PWD/person.log
}

# next_second: waits for the clock's next second, for servers that make equal tokens within one.
next_second() { local now=$EPOCHSECONDS; while [ "$EPOCHSECONDS" = "$now" ]; do read -rt 0.05 <> <(:) || true; done; }
