# Facebook: access tokens from the code flow, ID tokens from Limited Login, errors that are objects.

#: The code flow gets the app-scoped ID, name and photo, and does not treat the email as verified.
provider facebook.com
works authctl signin --json
json "d['account']['providerData'][0]['federatedId'].isdigit() and d['account']['photoURL'].startswith('https://')"
json "d['account']['email'] == 'ada@example.com' and d['account']['emailVerified'] is False"
json "d['credential']['hasIdToken'] is False and d['credential']['hasRefreshToken'] is False"
err 'redirect_uri=http%3A%2F%2Flocalhost'

#: Requests to Graph contain an appsecret_proof; a wrong app secret is an invalid configuration.
provider facebook.com
works authctl signin
[ "$(requests me)" = 1 ] || fail "me"
sed -i s/client-secret-1/client-secret-2/ secret
exits 78 authctl signin --provider facebook.com
err 'Error validating client secret.* \(invalid-configuration\)'
err 'hint: authctl providers set facebook.com --client-secret-stdin$'

#: An account without an email signs in.
provider facebook.com --fault no-email
works authctl signin --json
json "d['account']['email'] is None"

#: Prints the message of an error that is a JSON object.
provider facebook.com --code-ttl 0
exits 65 authctl signin
err 'OAuthException: The code has expired \(invalid-credential\)'

#: Distinguishes a user who declines from an error.
provider facebook.com --fault access-denied
exits 7 authctl signin
err 'access-denied'

#: Accepts a pasted callback URL with the fragment that Facebook adds.
provider facebook.com
signs_in_by_paste "$ISSUER/v[^ ]*"
echo "$(curl -sS -o /dev/null -w '%{redirect_url}' "$url")#_=_" >&3
exec 3>&-
wait $signin || fail "sign-in by paste"

#: A Limited Login token signs in to the same account, once, with its raw nonce.
provider facebook.com
works authctl signin
curl -sS "$ISSUER/emulator/id-token?nonce=$(printf raw-nonce-1 | sha256sum | cut -d' ' -f1)" >token
exits 65 authctl signin --id-token token
err 'missing-or-invalid-nonce'
err 'give the raw nonce'
exits 65 authctl signin --id-token token --nonce another
err 'missing-or-invalid-nonce'
works authctl signin --id-token token --nonce raw-nonce-1 --json
json "d['isNewUser'] is False and d['credential']['hasIdToken']"
exits 65 authctl signin --id-token token --nonce raw-nonce-1
err 'used before'

#: Accepts an access token if debug_token confirms that it was issued to this app.
provider facebook.com
works authctl signin
works authctl token
cp stdout token
works authctl signin --access-token token --json
json "d['isNewUser'] is False and d['credential']['scopes'] == ['public_profile', 'email'] and d['credential']['expiresAt']"
echo EAAGnobodys >token
exits 65 authctl signin --access-token token
err 'Invalid OAuth access token'

#: K12: Refuses an access token that was issued to another app.
provider facebook.com --fault other-app
works authctl signin
works authctl token
cp stdout token
exits 65 authctl signin --access-token token
err 'not issued to this client .invalid-credential'

#: signout --revoke deletes the app's permissions.
provider facebook.com
works authctl signin
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'confirmed'"
[ "$(requests 'permissions DELETE')" = 1 ] || fail "not withdrawn"
