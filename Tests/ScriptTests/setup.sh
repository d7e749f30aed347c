# Shared by the stories of setup: a user at a terminal, no keyring, and a browser without a user.
unset DBUS_SESSION_BUS_ADDRESS
export TERM=dumb
export XDG_RUNTIME_DIR=$PWD/runtime
mkdir -pm 700 "$XDG_RUNTIME_DIR"
config=$HOME/.config/authctl

# person CODE QUESTION=ANSWER… -- COMMAND…: runs the command on a terminal with these answers; the exit code must be CODE.
person() {
    local expected=$1 code=0
    shift
    python3 "$ROOT/Tests/Servers/terminal.py" "$@" >stdout 2>stderr </dev/null || code=$?
    [ $code = "$expected" ] || fail "exit $code, not $expected, from: $*"
    cat stdout >>printed
}

# nothing: checks that nothing was stored.
nothing() { [ ! -e "$config/config.yaml" ] && [ ! -e "$config/authctl.db" ] && [ ! -e "$config/key" ] || fail "something is there: $(ls "$config")"; }
