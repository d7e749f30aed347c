# Without a keyring: each reason has a message and a hint, within seconds, and no other vault is used.
. "$ROOT/Tests/ScriptTests/keyring.sh"

# quick COMMAND…: within a second.
quick() {
    local began
    began=$(date +%s%N)
    "$@"
    local took=$((($(date +%s%N) - began) / 1000000))
    [ $took -lt 2500 ] || fail "$took ms for: $*"
}

# refused REASON: the key is not moved, and the reason is printed.
refused() {
    quick exits 74 authctl profile set --vault keyring --json
    failed "e['code'] == 'vault-unavailable' and e['reason'] == '$1'"
    [ -e "$config/key" ] || fail "the file is gone"
    works authctl status --json
    json "d['vault']['kind'] == 'file'"
    works authctl token
}

#: Without a session, the program does not start a bus through X11 autolaunch.
unset DBUS_SESSION_BUS_ADDRESS
a_store
mkdir programs
printf '#!/bin/sh\necho "$@" >>"%s/started"\n' "$PWD" >programs/dbus-launch
chmod +x programs/dbus-launch
export DISPLAY=:99 PATH=$PWD/programs:$PATH
refused no-bus
DBUS_SESSION_BUS_ADDRESS=autolaunch: refused no-bus
DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent/bus refused no-bus
[ ! -e started ] || fail "dbus-launch: $(cat started)"
exits 74 authctl profile set --vault keyring
err 'no D-Bus session'
err 'hint: .*authctl vault passphrase'
# A key that is in a keyring is not looked for anywhere else.
bus
keyring
works authctl profile set --vault keyring
unset DBUS_SESSION_BUS_ADDRESS
quick exits 74 authctl token --json
failed "e['reason'] == 'no-bus' and 'authctl vault file' in e['hint']"
exits 74 authctl status --json
json "d['vault']['state'] == 'no-bus' and d['accounts'][0]['sessions'][0]['state'] == 'unreadable'"

#: Without a Secret Service on the bus, the error names a package that provides one.
empty_bus
a_store
refused no-service
exits 74 authctl profile set --vault keyring
err 'gnome-keyring'

#: Without a default collection, the key is not moved, and no collection is created.
bus
a_store
exits 74 authctl profile set --vault keyring --json
failed "e['reason'] == 'no-collection'"
[ -e "$config/key" ]
[ -z "$(find "$HOME/.local" -name '*.keyring' 2>/dev/null)" ] || fail "a collection was made"
exits 74 authctl profile set --vault keyring
err 'no default collection'
works authctl token

#: A service that does not respond times out, and writes nothing later.
bus
keyring
a_store
works authctl profile set --vault keyring
works items
cp stdout before
kill -STOP "$KEYRING"
began=$(date +%s%N)
exits 74 authctl token --json
took=$((($(date +%s%N) - began) / 1000000))
[ $took -ge 2900 ] && [ $took -lt 5500 ] || fail "$took ms"
failed "e['code'] == 'vault-unavailable' and e['reason'] == 'timeout'"
# Also a command that needs the keyring twice waits once.
began=$(date +%s%N)
exits 74 authctl status --json
took=$((($(date +%s%N) - began) / 1000000))
[ $took -ge 2900 ] && [ $took -lt 5500 ] || fail "$took ms"
json "d['vault']['state'] == 'unreachable' and d['accounts'][0]['sessions'][0]['state'] == 'unreadable'"
kill -CONT "$KEYRING"
works authctl token
works items
cmp stdout before

#: A bus that does not respond times out.
bus
keyring
a_store
works authctl profile set --vault keyring
kill -STOP "$BUS"
began=$(date +%s%N)
exits 74 authctl token --json
took=$((($(date +%s%N) - began) / 1000000))
kill -CONT "$BUS"
[ $took -lt 5500 ] || fail "$took ms"
failed "e['reason'] == 'timeout'"
works authctl token

#: After a killed service was restarted, reports that the keyring is locked, not that it is empty.
bus
keyring
a_store
works authctl profile set --vault keyring
kill -KILL "$KEYRING"
wait "$KEYRING" 2>/dev/null || true
exits 4 authctl token
err '\(vault-locked\)'
