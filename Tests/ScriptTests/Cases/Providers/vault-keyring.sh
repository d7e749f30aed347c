# The encryption key in the desktop keyring: gnome-keyring, unlocked as at login, on a private bus.
. "$ROOT/Tests/ScriptTests/keyring.sh"

# moved: a signed-in user, and the key is in the keyring.
moved() {
    a_store "$@"
    works authctl profile set --vault keyring
}

#: Moves the key to the keyring and back; the old copy is removed, and the tokens still decrypt.
bus
keyring
a_store
works authctl token
before=$(cat stdout)
key=$(python3 -c "import base64; print(base64.urlsafe_b64decode(open('$config/key').read().strip() + '=').hex())")
works authctl profile set --vault keyring
err 'encrypted with a key in the keyring, open'
[ ! -e "$config/key" ] || fail "the file is still there"
works items
[ "$(cat stdout)" = "$key" ] || fail "it is not the one item, with the key and nothing else in it"
works authctl token
[ "$(cat stdout)" = "$before" ] || fail "another token"
works authctl token --force-refresh
works authctl status --json
json "d['vault'] == {'kind': 'keyring', 'state': 'open', 'until': None}"
works authctl doctor --json
json "d['vault']['kind'] == 'keyring' and d['vault']['state'] == 'open'"
# And back again.
works authctl profile set --vault file
works items
[ ! -s stdout ] || fail "it is still in the keyring"
works authctl token
unset DBUS_SESSION_BUS_ADDRESS
works authctl token --force-refresh

#: A program that monitors the bus does not see the key.
bus
keyring
a_store
listens
cp "$config/key" key.file
works authctl profile set --vault keyring
works authctl token
works authctl token --force-refresh
works authctl status
listened
python3 - <<'P'
import base64

text = open("key.file").read().strip()
key = base64.urlsafe_b64decode(text + "=")
heard = open("heard", "rb").read()
assert b"dh-ietf1024-sha256-aes128-cbc-pkcs7" in heard and b"GetSecret" in heard and b"CreateItem" in heard
for form in (key, key[:16], key[16:], text.encode(), base64.b64encode(key), key.hex().encode(), key.hex().upper().encode()):
    assert form not in heard
P

#: A locked keyring is not empty: user interaction is required, no prompt is shown, and nothing changes.
bus
keyring
moved
works items
cp stdout before
locks
listens
began=$(date +%s%N)
exits 4 authctl token --no-input
[ $((($(date +%s%N) - began) / 1000000)) -lt 2500 ] || fail "it waited"
err '\(vault-locked\)'
err 'hint: .*authctl vault unlock'
CI=1 exits 4 authctl token
exits 4 authctl token
exits 4 authctl signin
exits 4 authctl profile set --vault file
exits 4 authctl status --json
json "d['vault'] == {'kind': 'keyring', 'state': 'locked', 'until': None}"
listened
! grep -qaE 'Secret\.Prompt|CreateItem|CreateCollection|Unlock' heard || fail "somebody was asked"
works items
out '^locked$'
[ "$(wc -l <stdout)" = 1 ] || fail "another item"
[ ! -e "$config/key" ] || fail "a key in a file"
unlocks
works items
cmp stdout before
works authctl token

#: On a terminal without a display, the prompt is invisible, and the keyring stays locked.
bus
keyring
moved
locks
code=0
on_terminal authctl token || code=$?
# The duration distinguishes an invisible prompt from a refusal; a machine can be too slow for that.
[ $code = 4 ] || [ $code = 2 ] || fail "exit $code"
out 'vault-locked|user-cancelled'
[ "$(another locked)" = true ]

#: Reports a key deleted from the keyring as missing and does not create another.
bus
keyring
moved
works secret-tool clear application authctl
exits 74 authctl token
err '\(vault-unavailable\)'
exits 74 authctl token --json
failed "e['code'] == 'vault-unavailable' and e['reason'] == 'missing'"
exits 74 authctl signin --json
failed "e['reason'] == 'missing'"
exits 74 authctl profile set --vault file --json
failed "e['reason'] == 'missing'"
works items
[ ! -s stdout ] || fail "an item was made"
[ ! -e "$config/key" ] || fail "a key was made"
exits 74 authctl status --json
json "d['vault']['state'] == 'missing'"

#: Reports another key or another value in the keyring as damage, and does not change it.
bus
keyring
moved
works items
cp stdout before
for wrong in 'of another length' '32 bytes that are not this key..'; do
    another set "$wrong"
    # Otherwise the key would be cached for one minute.
    works authctl profile lock
    unlocks
    exits 74 authctl token --json
    failed "e['reason'] == 'damaged'"
done
works items
[ "$(cat stdout)" = "$(printf '32 bytes that are not this key..' | od -An -tx1 | tr -d ' \n')" ] || fail "it was changed"
another set --hex "$(cat before)"
works authctl token

#: Reads the key from the keyring once a minute, but checks each time that the keyring is unlocked.
bus
keyring
moved
listens
for _ in 1 2 3 4 5; do works authctl token; done
listened
[ "$(grep -ao GetSecret heard | wc -l)" -le 1 ] || fail "the secret was asked for more than once"
[ "$(grep -ao SearchItems heard | wc -l)" -ge 5 ] || fail "the keyring was not asked each time"
locks
exits 4 authctl token
err '\(vault-locked\)'
unlocks
works authctl token

#: Each store has its own item, which can be removed without the other; profiles of a store share its key.
bus
keyring
moved
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --profile work
works authctl signin --provider oidc.test --profile work
export AUTHCTL_CONFIG_DIR=$PWD/other
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl profile set --vault keyring
works items
[ "$(sort -u stdout | wc -l)" = 2 ] || fail "not two keys: $(cat stdout)"
works authctl profile set --vault file
works authctl token
unset AUTHCTL_CONFIG_DIR
works items
[ "$(wc -l <stdout)" = 1 ] || fail "not one key"
works authctl token
works authctl token --profile work

#: A copy of a store takes an item of its own, so that neither removes the other's key; a moved store keeps its item.
bus
keyring
moved
works authctl token
cp -a "$config" copy
export AUTHCTL_CONFIG_DIR=$PWD/copy
works authctl profile set --vault file
works authctl token
unset AUTHCTL_CONFIG_DIR
works items
[ "$(wc -l <stdout)" = 1 ] || fail "not one key: $(cat stdout)"
works authctl profile lock
unlocks
works authctl token
# The copy is used, and then the original moves its key.
rm -r copy && cp -a "$config" copy
AUTHCTL_CONFIG_DIR=$PWD/copy works authctl status
works items
[ "$(wc -l <stdout)" = 2 ] && [ "$(sort -u stdout | wc -l)" = 1 ] || fail "not two items with one key: $(cat stdout)"
works authctl profile set --vault file
AUTHCTL_CONFIG_DIR=$PWD/copy works authctl token
works authctl token
# A store that was moved, and one that was restored from a backup, is not a copy.
works authctl profile set --vault keyring
mv "$config" moved
AUTHCTL_CONFIG_DIR=$PWD/moved works authctl status
cp -a moved backup && rm -r moved && mv backup moved
AUTHCTL_CONFIG_DIR=$PWD/moved works authctl status
works items
[ "$(wc -l <stdout)" = 2 ] || fail "not two items: $(cat stdout)"
AUTHCTL_CONFIG_DIR=$PWD/moved works authctl profile set --vault file
works items
[ "$(wc -l <stdout)" = 1 ] || fail "not one item: $(cat stdout)"
AUTHCTL_CONFIG_DIR=$PWD/copy works authctl token

#: The key of a new store can be created in the keyring, and is then never in a file.
bus
keyring
emulator
works authctl profile set --vault keyring
[ ! -e "$config/key" ] || fail "a key in a file"
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works strace -f -qq -e trace=openat,renameat2,linkat -o calls authctl signin --provider oidc.test
! grep -F '/key"' calls | grep -qE 'O_CREAT|renameat2|linkat' || fail "a key in a file: $(grep -F '/key"' calls)"
[ ! -e "$config/key" ]
works authctl token
works items
[ "$(wc -l <stdout)" = 1 ]

#: Fifty parallel processes with an expired token get the key and send one refresh; profile lock locks the keyring.
bus
keyring
moved
session_set tokens.expiresAt 1
before=$(requests 'token refresh_token')
for i in $(seq 50); do authctl token >"token.$i" 2>"error.$i" & done
for job in $(jobs -p); do
    case " ${servers[*]} " in *" $job "*) ;; *) wait "$job" || { cat error.*; fail "one of fifty failed"; } ;; esac
done
after=$(requests 'token refresh_token')
[ $((after - before)) = 1 ] || fail "$((after - before)) refreshes"
[ "$(cat token.* | sort -u | wc -l)" = 1 ] || fail "they have different tokens"
works authctl status --json
json "d['vault']['kind'] == 'keyring'"
works authctl doctor --report
out 'keyring'
works authctl profile lock
err 'other programs'
exits 4 authctl token
err '\(vault-locked\)'
works authctl profile lock
err 'locked'

#: A process that does not use the keyring does not load its library.
a_store
works strace -f -qq -e trace=openat -o calls authctl token
! grep -E 'libsystemd|libgcrypt|libcap' calls || fail "loaded"
