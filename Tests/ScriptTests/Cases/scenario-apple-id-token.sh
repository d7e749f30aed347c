# Sign in with an ID token that an app got from Apple, and with the raw nonce whose hash it contains.
# Runs on both directories.
. "$ROOT/Tests/ScriptTests/apple.sh"
apple
raw=a-nonce-of-the-app-0001
curl -sS "$ISSUER/emulator/id-token?nonce=$(printf %s "$raw" | sha256sum | cut -d' ' -f1)" >token
works authctl signin --provider apple.com --id-token token --nonce="$raw" --json
json "d['isNewUser'] and d['account']['emailVerified'] is True and d['credential']['hasIdToken']"
uid=$(field "d['account']['uid']")
# A nonce can be used once.
exits 65 authctl signin --provider apple.com --id-token token --nonce="$raw"
err 'used before'
# Re-authentication requires a token that is not older than the last one, and a new nonce; both can have the same second.
exits 5 authctl reauth --provider apple.com --id-token token --nonce="$raw"
err 'did not re-authenticate the user'
curl -sS "$ISSUER/emulator/id-token?nonce=$(printf another-nonce | sha256sum | cut -d' ' -f1)" >token
works authctl reauth --provider apple.com --id-token token --nonce another-nonce --json
json "d['operation'] == 'reauthenticate' and d['account']['uid'] == '$uid'"
# Another user's token does not re-authenticate and changes nothing.
next_second
curl -sS "$ISSUER/emulator/id-token?user=mallory&nonce=$(printf third-nonce | sha256sum | cut -d' ' -f1)" >token
exits 6 authctl reauth --provider apple.com --id-token token --nonce third-nonce
err 'user-mismatch'
