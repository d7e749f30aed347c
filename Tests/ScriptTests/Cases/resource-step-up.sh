# An API that wants more than the token has: more scopes, or a new proof of the person.

#: Without --step-up it is said what is wanted, with the command that gets it.
emulator
works authctl signin --resource "$ISSUER/api" --scope notes.read
exits 7 authctl request "$ISSUER/api/write"
err 'insufficient-scope'
err "authctl signin --resource $ISSUER/api --scope 'notes.read openid profile email notes.write'|authctl signin --resource $ISSUER/api --scope '.*notes.read.* notes.write'"
exits 5 authctl request "$ISSUER/api/secret"
err 'requires-recent-login'
err "authctl signin --resource $ISSUER/api --acr urn:example:two-factors --max-age 300"
eval "$(grep -oE "authctl signin --resource [^;]*" stderr)" >stdout 2>stderr || fail "the hint does not run"
works authctl request "$ISSUER/api/secret"

#: With it the old scopes and the new ones are asked for, and the request is sent once more, with its body.
emulator
works authctl signin --resource "$ISSUER/api" --scope notes.read
echo '{"a":1}' >body
works authctl request "$ISSUER/api/write" --step-up --data body
json "'notes.read' in d['scope'] and 'notes.write' in d['scope'] and d['body'].strip() == '{\"a\":1}'"
curl -sS "$ISSUER/emulator/requests" >stdout
json "d['api POST'] == 2 and d['authorize'] == 2 and d['step-up'] == 1"
works authctl request "$ISSUER/api/write"
works authctl request "$ISSUER/api/secret" --step-up

#: Scopes that the challenge does not name are those that the resource knows.
emulator --fault step-up-unnamed
works authctl signin --resource "$ISSUER/api" --scope notes.read
exits 7 authctl request "$ISSUER/api/write"
err 'does not say which'
works authctl request "$ISSUER/api/write" --step-up

#: After three rounds it is over, and so it is when nobody gets what was asked for.
emulator --fault step-up-forever
works authctl signin --resource "$ISSUER/api"
exits 7 authctl request "$ISSUER/api/write" --step-up
err 'consent-required'
curl -sS "$ISSUER/emulator/requests" >stdout
json "d['authorize'] == 4 and d['step-up'] == 4"
emulator --fault weak-acr --user bob@example.com
works authctl signin --resource "$ISSUER/api"
exits 7 authctl request "$ISSUER/api/secret" --step-up
err 'consent-required'

#: Nobody is sent anywhere where nobody may be asked.
emulator
works authctl signin --resource "$ISSUER/api" --scope notes.read
exits 4 authctl request "$ISSUER/api/write" --step-up --no-input
