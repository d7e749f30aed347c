# Linking an identity of another account fails, and the pending credential signs in to that account.
# Runs on both directories.
provider google.com --user ada@example.com
works authctl signin --provider google.com
works authctl whoami --json
ada=$(field "d['account']['uid']")
provider github.com --user grace@example.com
works authctl signin --provider github.com --json
grace=$(field "d['account']['uid']")

works authctl accounts switch ada@example.com
exits 6 authctl link --provider github.com --json
failed "e['code'] == 'credential-already-in-use' and e['email'] == 'grace@example.com' and e['pendingId']"
works authctl pending list --json
json "[p['reason'] for p in d['pending']] == ['credential-already-in-use']"
id=$(field "d['pending'][0]['id']")
works authctl whoami --json
json "d['account']['uid'] == '$ada' and len(d['account']['providerData']) == 1"

# The updated credential requires no second request to the provider.
kill "$EMULATOR"
works authctl signin --pending "$id" --json
json "d['account']['uid'] == '$grace' and d['isNewUser'] is False"
works authctl whoami --json
json "d['account']['uid'] == '$grace'"
works authctl pending list --json
json "d['pending'] == []"
exits 65 authctl signin --pending "$id"
err 'pending credential .*not found'
