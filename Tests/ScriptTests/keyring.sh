# Shared by the keyring stories: a private session bus, gnome-keyring or another Secret Service on it, and a monitor of the
# bus. Uses Debian's python3, which has the D-Bus modules.
export XDG_RUNTIME_DIR=$PWD/runtime
mkdir -pm 700 "$XDG_RUNTIME_DIR"
config=$HOME/.config/authctl

# bus [FLAGS…]: starts a session bus. Without flags for dbus-daemon, it has the services of this machine.
bus() {
    [ $# -gt 0 ] || set -- --session
    rm -f bus.address && mkfifo bus.address
    dbus-daemon "$@" --nofork --nopidfile --print-address >bus.address 2>bus.log &
    BUS=$!
    servers+=("$BUS")
    read -r DBUS_SESSION_BUS_ADDRESS <bus.address
    export DBUS_SESSION_BUS_ADDRESS
}

# empty_bus: starts a bus that cannot start services.
empty_bus() {
    cat >bus.conf <<'C'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
C
    bus --config-file="$PWD/bus.conf"
}

# another ACTION…: accesses the keyring as another client.
another() { /usr/bin/python3 "$ROOT/Tests/Servers/keyring_client.py" "$@"; }

# keyring: starts gnome-keyring and unlocks it, like a login.
keyring() {
    printf 'login password' >password
    gnome-keyring-daemon --foreground --unlock --components=secrets <password >keyring.log 2>&1 &
    KEYRING=$!
    servers+=("$KEYRING")
    local last=$((EPOCHSECONDS + 60))
    until [ "$(another locked 2>/dev/null)" = false ]; do
        [ $EPOCHSECONDS -lt $last ] || { cat keyring.log; fail "gnome-keyring did not start"; }
        pause 0.02
    done
}

# locks: locks the keyring, as the desktop does when the user leaves.
locks() {
    another lock
    [ "$(another locked)" = true ] || fail "it is not locked"
}

# unlocks: unlocks the keyring, as the desktop does with the user's password.
unlocks() {
    another unlock password
    [ "$(another locked)" = false ] || fail "it is locked"
}

# service FLAGS…: starts another Secret Service, which writes its calls to service.log.
service() {
    # Removes the output of an earlier run.
    : >service.log
    /usr/bin/python3 "$ROOT/Tests/Servers/secret_service.py" "$@" >service.log 2>service.errors &
    SERVICE=$!
    servers+=("$SERVICE")
    awaits service.log '^ready$' >/dev/null
}

# served PATTERN, not_served PATTERN: checks that the service received, or did not receive, such a call.
served() { grep -qE -- "$1" service.log || { cat service.log; fail "the service was not asked for /$1/"; }; }
not_served() { ! grep -qE -- "$1" service.log || { cat service.log; fail "the service was asked for /$1/"; }; }

# listens, listened: start and stop recording all messages on the bus in the file heard.
listens() {
    : >heard
    dbus-monitor --address "$DBUS_SESSION_BUS_ADDRESS" --binary >heard 2>monitor.log &
    MONITOR=$!
    servers+=("$MONITOR")
    awaits heard NameAcquired >/dev/null
}
listened() {
    dbus-send --bus="$DBUS_SESSION_BUS_ADDRESS" --type=signal / authctl.test.ThatIsAll
    awaits heard ThatIsAll >/dev/null
    kill "$MONITOR"
}

# items: prints the secrets of authctl's items in the keyring in hexadecimal, one per line, read by another program.
items() { another items; }

# a_store: signs in a user, with the key in a file. Every encoding of the key is a secret.
a_store() {
    signed_in "$@"
    python3 - "$config/key" <<'P' >>secrets
import base64, sys

text = open(sys.argv[1]).read().strip()
key = base64.urlsafe_b64decode(text + "=")
print(text, key.hex(), base64.b64encode(key).decode(), sep="\n")
P
}

# on_terminal COMMAND…: runs the command on a terminal.
on_terminal() { python3 "$ROOT/Tests/Servers/terminal.py" -- "$@" >stdout 2>stderr </dev/null; }
