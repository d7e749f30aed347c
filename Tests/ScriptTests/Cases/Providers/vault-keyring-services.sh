# Secret Services that behave differently from gnome-keyring.
. "$ROOT/Tests/ScriptTests/keyring.sh"

#: Finds the default collection by its alias, for example KDE's kdewallet.
empty_bus
service --collection kdewallet
a_store
works authctl profile set --vault keyring
works authctl token
served 'OpenSession dh-ietf1024-sha256-aes128-cbc-pkcs7'
not_served 'OpenSession plain|CreateCollection'
[ ! -e "$config/key" ]
works authctl profile lock
served 'Lock /org/freedesktop/secrets/collection/kdewallet$'
exits 4 authctl token

#: Supports a service whose items have no properties.
empty_bus
service --terse
a_store
works authctl profile set --vault keyring
works authctl token
works authctl token --force-refresh

#: Supports a service that knows a client only after its first call was answered.
a_store
empty_bus
service --strangers
works authctl profile set --vault keyring
for _ in 1 2; do works authctl token; done
works authctl status --long
out 'keyring, open'
works authctl doctor --long
works authctl profile set --vault file
works authctl token
works authctl profile set --vault keyring
works authctl profile lock
exits 4 authctl token
not_served 'ended by a stranger'

#: If the service lacks a method, prints the service's own error.
a_store
empty_bus
service
works authctl profile set --vault keyring
kill "$SERVICE"
empty_bus
service --searchless
exits 74 authctl token
err 'the keyring refused: Method SearchItems is not implemented'
[ "$(grep -c SearchItems service.log)" = 2 ] || fail "asked more than twice"

#: Uses a service that only supports plain sessions; the bus then sees the key.
empty_bus
service --sessions plain
a_store
cp "$config/key" key.file
listens
works authctl profile set --vault keyring
works authctl token
listened
served 'OpenSession plain'
works authctl doctor --long
out 'vault .*unencrypted'
python3 - <<'P'
import base64
key = base64.urlsafe_b64decode(open("key.file").read().strip() + "=")
assert key in open("heard", "rb").read()
P

#: Reports a secret that does not decrypt to a key as damage.
printf 'sixteen bytes 16' >secret.file
empty_bus
service --secret "$PWD/secret.file"
a_store
exits 74 authctl profile set --vault keyring --json
failed "e['reason'] == 'damaged'"
[ -e "$config/key" ]
works authctl token

#: If a service confirms a deletion but keeps the item, reports the remaining key and does not repeat the request.
empty_bus
service --undeletable
a_store
works authctl profile set --vault keyring
works authctl profile set --vault file
err 'the keyring refused: the item is still there after it was deleted'
[ "$(grep -c '^Delete' service.log)" = 1 ] || fail "deleted more than once"
works authctl token
