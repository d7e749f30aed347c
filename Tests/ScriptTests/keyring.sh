# Shared by the keyring stories: a private session bus, gnome-keyring or another Secret Service on it, and an
# eavesdropper. Debian's python3, which has D-Bus.
export XDG_RUNTIME_DIR=$PWD/runtime
mkdir -pm 700 "$XDG_RUNTIME_DIR"
config=$HOME/.config/authctl

# bus [FLAGS…]: a session bus, with the services of this machine unless dbus-daemon's FLAGS say otherwise.
bus() {
    [ $# -gt 0 ] || set -- --session
    rm -f bus.address && mkfifo bus.address
    dbus-daemon "$@" --nofork --nopidfile --print-address >bus.address 2>bus.log &
    BUS=$!
    servers+=("$BUS")
    read -r DBUS_SESSION_BUS_ADDRESS <bus.address
    export DBUS_SESSION_BUS_ADDRESS
}

# empty_bus: one on which nothing can be started.
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

# another ACTION…: another client changes the keyring.
another() { /usr/bin/python3 "$ROOT/Tests/Servers/keyring_client.py" "$@"; }

# keyring: gnome-keyring, unlocked, as a login does it.
keyring() {
    printf 'login password' >password
    gnome-keyring-daemon --foreground --unlock --components=secrets <password >keyring.log 2>&1 &
    KEYRING=$!
    servers+=("$KEYRING")
    local last=$((EPOCHSECONDS + 60))
    until [ "$(another locked 2>/dev/null)" = false ]; do
        [ $EPOCHSECONDS -lt $last ] || { cat keyring.log; fail "gnome-keyring did not start"; }
        read -rt 0.02 <> <(:) || true
    done
}

# locks: as the desktop does it when the person leaves.
locks() {
    another lock
    [ "$(another locked)" = true ] || fail "it is not locked"
}

# unlocks: as the desktop does it with what the person typed.
unlocks() {
    another unlock password
    [ "$(another locked)" = false ] || fail "it is locked"
}

# service FLAGS…: another Secret Service; what it was asked is in service.log.
service() {
    # Removes the output of an earlier run.
    : >service.log
    /usr/bin/python3 "$ROOT/Tests/Servers/secret_service.py" "$@" >service.log 2>service.errors &
    SERVICE=$!
    servers+=("$SERVICE")
    awaits service.log '^ready$' >/dev/null
}

# served PATTERN, not_served PATTERN: what the service was asked, or was not.
served() { grep -qE -- "$1" service.log || { cat service.log; fail "the service was not asked for /$1/"; }; }
not_served() { ! grep -qE -- "$1" service.log || { cat service.log; fail "the service was asked for /$1/"; }; }

# listens, listened: records all messages on the bus in the file heard.
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

# items: what authctl has in the keyring, as another program sees it: the hexadecimal of each secret, a line each.
items() { another items; }

# a_store: a signed-in user, with a key in a file. Every encoding of the key is a secret.
a_store() {
    signed_in "$@"
    python3 - "$config/key" <<'P' >>secrets
import base64, sys

text = open(sys.argv[1]).read().strip()
key = base64.urlsafe_b64decode(text + "=")
print(text, key.hex(), base64.b64encode(key).decode(), sep="\n")
P
}

# on_terminal COMMAND…: with a person at it.
on_terminal() { python3 "$ROOT/Tests/Servers/terminal.py" -- "$@" >stdout 2>stderr </dev/null; }
