# The kernel caches a decrypted key for a limited time and one user. Everything works without the cache.

# sealed: a signed-in user, and a key encrypted with the passphrase in the file `right`.
sealed() {
    signed_in
    (umask 077; echo 'correct horse' >right; echo 'wrong horse' >wrong)
    printf '%s\n' 'correct horse' 'wrong horse' >>secrets
    works authctl profile set --vault passphrase --passphrase-fd 3 3<right
}
unlocked() { works authctl profile unlock --for 10m --passphrase-fd 3 3<right; }

# The name that the kernel has for this store's key.
key_name() {
    python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
print("authctl:" + sqlite3.connect(sys.argv[1]).execute("SELECT store FROM vault").fetchone()[0])
P
}
state() {
    authctl status --no-input --json >state.out 2>state.err </dev/null || true
    record_files state.out state.err authctl status --json
    python3 -c 'import json; print(json.load(open("state.out"))["vault"]["state"])'
}
# knowing COMMAND: runs it in a session keyring that contains the user's keyring, like a login session.
knowing() { keyctl session - sh -c "keyctl link @u @s && $1" 2>stderr; }
# Replaces the cached key by standard input.
replaced() { keyctl unlink "$(keyctl search @u user "$1")" @u; keyctl padd user "$1" @u >stdout; }
without_keys() { python3 "$ROOT/Tests/Servers/without_keys.py" "$@"; }

#: An unlocked key expires at the printed time, even if it is used; then user interaction is required again.
sealed
unlocked
err 'a passphrase-encrypted key, open for (10|9) min'
works measured authctl token --no-input
read -r peak _ <measured
# Only scrypt would use 64 MiB.
[ "$peak" -lt 60000 ] || fail "$peak KB: the cost of the passphrase was paid"
works authctl status --no-input --json
json 'd["vault"]["state"] == "open" and d["vault"]["until"].endswith("Z")'
works authctl profile unlock --for 2s --passphrase-fd 3 3<right
# Waits until the kernel ends it.
until [ "$(state)" = locked ]; do authctl token --no-input >used 2>&1 </dev/null || true; done
exits 4 authctl token --no-input --json
failed 'e["code"] == "vault-locked"'
exits 4 authctl status --no-input --json
json 'd["vault"] == {"kind": "passphrase", "state": "locked", "until": None}'
unlocked
works authctl token --no-input
works authctl profile lock

#: With a locked or missing key, a sign-in fails before the browser opens, and signout --revoke changes nothing.
sealed
works authctl profile lock
requests() { curl -sS "$ISSUER/emulator/requests"; }
before=$(requests)
for command in 'signin oidc.test' 'reauth oidc.test' 'signout --revoke' 'signout --all --revoke'; do
    # shellcheck disable=SC2086
    exits 4 authctl $command --json
    failed 'e["code"] == "vault-locked"'
done
[ "$(requests)" = "$before" ] || fail "a request was sent"
unlocked
works authctl token --no-input
works authctl profile set --vault file --passphrase-fd 3 3<right
mv "$HOME/.config/authctl/key" key
for command in 'signin oidc.test' 'signout --revoke'; do
    # shellcheck disable=SC2086
    exits 74 authctl $command --json
    failed 'e["code"] == "store-unavailable"'
done
[ "$(requests)" = "$before" ] || fail "a request was sent"
mv key "$HOME/.config/authctl/key"
works authctl signout --revoke
err 'the provider confirmed that its tokens are revoked'

#: A move of the key that was ended before the passphrase was entered leaves nothing to report.
signed_in
. "$ROOT/Tests/ScriptTests/terminal.sh"
terminal 100 24 'authctl profile set --vault passphrase'
shows 'New passphrase'
presses C-c
shows 'ended with 130'
works authctl doctor --json
json "not any('a copy of the key' in c['detail'] for c in d['checks'])"

#: profile lock locks the key, even twice; a wrong passphrase neither locks nor unlocks it.
sealed
unlocked
works authctl profile lock
err 'locked'
works authctl profile lock
exits 4 authctl token --no-input
err '\(vault-locked\)'
unlocked
exits 65 authctl profile unlock --for 20m --passphrase-fd 3 3<wrong
err '\(wrong-passphrase\)'
works authctl token --no-input
works authctl profile lock
exits 65 authctl profile unlock --passphrase-fd 3 3<wrong
err '\(wrong-passphrase\)'
for command in token "profile unlock"; do
    exits 4 authctl $command --no-input
    err '\(vault-locked\)'
done

#: A passphrase from a file descriptor, a file or a command is not cached by default.
sealed
works authctl token --passphrase-fd 3 3<right
exits 4 authctl token --no-input
AUTHCTL_PASSPHRASE_FILE=$PWD/right works authctl token
exits 4 authctl token --no-input
AUTHCTL_PASSPHRASE_COMMAND='cat right' works authctl token
exits 4 authctl token --no-input
! keyctl search @u user "$(key_name)" 2>/dev/null || fail "the kernel has the key"

#: An unlocked key is available in every session of this user, and to programs that exec runs.
sealed
unlocked
works authctl token --no-input
cp stdout token
for session in 'keyctl session -' 'setsid -w' 'setsid -w keyctl session -' 'keyctl session - keyctl session -'; do
    works $session authctl token --no-input
    cmp token stdout
    works $session authctl status --no-input --json
    json 'd["vault"]["state"] == "open"'
done
works authctl exec --no-input -- keyctl session - authctl token --no-input
works keyctl session - authctl profile lock
for session in 'keyctl session -' 'setsid -w'; do
    exits 4 $session authctl token --no-input --json
    failed 'e["code"] == "vault-locked"'
done

#: The kernel stores the key and no token: only this user can read it, and its expiry cannot be extended.
sealed
unlocked
name=$(key_name)
key=$(keyctl search @u user "$name")
knowing "keyctl rdescribe $key" >described
grep -qE "^user;$(id -u);$(id -g);1b000000;$name\$" described || { cat described; fail "others may do something with it"; }
# This user can read it, but only with a keyring that possesses it.
! keyctl session - keyctl pipe "$key" >read 2>stderr || fail "it is read by who does not possess it"
knowing "keyctl pipe $key" >read
[ "$(wc -c <read)" = 41 ] || fail "$(wc -c <read) bytes are kept"
! knowing "keyctl timeout $key 1000000" || fail "its end was moved"
! knowing "echo other | keyctl pupdate $key" || fail "it was changed"
works authctl token --no-input
if [ "$(id -u)" = 0 ]; then
    other=(setpriv --reuid $((200000 + RANDOM)) --regid 65534 --clear-groups)
    ! "${other[@]}" keyctl search @u user "$name" 2>/dev/null || fail "another user finds it"
    ! "${other[@]}" keyctl pipe "$key" 2>/dev/null || fail "another user reads it"
fi
works authctl profile lock
! keyctl search @u user "$name" 2>/dev/null || fail "it is still there"

#: Ignores a cached key of another store instead of reporting damage.
sealed
unlocked
name=$(key_name)
python3 -c 'import sys; sys.stdout.buffer.write(b"\1" + (2**40).to_bytes(8, "big") + bytes(32))' >foreign
replaced "$name" <foreign
exits 4 authctl token --no-input --json
failed 'e["code"] == "vault-locked"'
AUTHCTL_PASSPHRASE_FILE=$PWD/right works authctl token
unlocked
works authctl token --no-input
for bytes in x "$(printf '\2%040d' 1)"; do
    printf %s "$bytes" | replaced "$name"
    exits 4 authctl token --no-input
    err 'key is locked, and prompts are disabled .vault-locked.$'
    AUTHCTL_PASSPHRASE_FILE=$PWD/right works authctl token
done
works authctl profile lock

#: A copy of a store has another name in the kernel, so that locking one does not lock the other.
sealed
unlocked
cp -a "$HOME/.config/authctl" copy
AUTHCTL_CONFIG_DIR=$PWD/copy works authctl profile lock
works authctl token --no-input
AUTHCTL_CONFIG_DIR=$PWD/copy exits 4 authctl token --no-input
err '\(vault-locked\)'
AUTHCTL_CONFIG_DIR=$PWD/copy AUTHCTL_PASSPHRASE_FILE=$PWD/right works authctl profile unlock
works authctl profile lock
exits 4 authctl token --no-input
err '\(vault-locked\)'
AUTHCTL_CONFIG_DIR=$PWD/copy works authctl token --no-input

#: A new passphrase or another vault removes the kernel's copy of the key.
sealed
unlocked
name=$(key_name)
works authctl profile set --vault passphrase --passphrase-fd 3 3<wrong
! keyctl search @u user "$name" 2>/dev/null || fail "the kernel still has it"
works authctl profile unlock --for 10m --passphrase-fd 3 3<wrong
works authctl profile set --vault file
! keyctl search @u user "$name" 2>/dev/null || fail "the kernel still has it"
works authctl token --no-input

#: If the kernel refuses keyrings, as in a container, everything works without the cache, with one note.
sealed
for refusal in EPERM ENOSYS; do
    works without_keys $refusal authctl profile unlock --passphrase-fd 3 3<right
    [ "$(grep -c 'the passphrase is required each time: ' stderr)" = 1 ] || fail "not said once"
    AUTHCTL_PASSPHRASE_FILE=$PWD/right works without_keys $refusal authctl token
    no_err 'each time'
    exits 4 without_keys $refusal authctl token --no-input --json
    failed 'e["code"] == "vault-locked"'
    exits 4 without_keys $refusal authctl status --no-input --json
    json 'd["vault"]["state"] == "locked"'
    # It also reports the provider, which is not running.
    exits 1 without_keys $refusal authctl doctor --long --no-input
    out 'vault .*locked; the passphrase is required each time: '
    works without_keys $refusal authctl profile lock
    python3 "$ROOT/Tests/Servers/terminal.py" "Passphrase of=correct horse" -- \
        python3 "$ROOT/Tests/Servers/without_keys.py" $refusal authctl token >shown
    [ "$(grep -c 'each time' shown)" = 1 ] || { cat shown; fail "not said once at the terminal"; }
done

#: If the user's key quota is full, everything works without the cache, with one note.
sealed
other=() user=$(id -u)
# The limit is a million keys for root and two hundred for other users: this is a user ID without an account.
if [ "$user" = 0 ]; then
    user=$((300000 + RANDOM))
    chown -R "$user" "$PWD"
    chmod 711 "$PWD/.." "$PWD"
    caps=+dac_override,+dac_read_search
    other=(setpriv --reuid "$user" --regid 65534 --clear-groups "--inh-caps=$caps" "--ambient-caps=$caps")
fi
# In a separate session keyring, which is removed with it.
cat >full.sh <<'EOF'
set -eu
authctl profile unlock --for 10m --passphrase-fd 3 3<right
number=0
while keyctl add user "fill:$number" x @s >filled 2>&1; do number=$((number + 1)); [ $number -lt 5000 ]; done
grep -q 'quota' filled
code=0; authctl token --no-input >found 2>&1 || code=$?
# Uses the cached key if the session has the user's keyring, and asks otherwise; the cache never causes an error.
[ $code = 0 ] || { [ $code = 4 ] && grep -q vault-locked found; }
# A lock removes the key also without a process keyring.
if [ $code = 0 ]; then
    authctl profile lock
    keyctl search @u user "$NAME" >kept 2>&1 && exit 1
fi
AUTHCTL_PASSPHRASE_FILE=$PWD/right authctl token
authctl profile unlock --for 10m --passphrase-fd 3 3<right
authctl profile lock
AUTHCTL_PASSPHRASE_FILE=$PWD/right authctl token
EOF
NAME=$(key_name) works "${other[@]}" keyctl session - bash full.sh
[ "$(grep -c 'the passphrase is required each time: .* is full' stderr)" = 1 ] || fail "not said once"
