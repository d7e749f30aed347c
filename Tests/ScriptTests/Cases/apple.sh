# Apple: a public https redirect URI, which a proxy forwards to the listener; responses by POST; a signed client secret.
. "$ROOT/Tests/ScriptTests/apple.sh"

#: Receives the form_post response through a TLS proxy, and keeps the name that Apple sends only at the first sign-in.
apple
reverse_proxy
works authctl signin --port "$port" --json
json "d['isNewUser'] and d['account']['displayName'] == 'Ada Example' and d['account']['emailVerified'] is True"
json "d['account']['providerData'][0]['federatedId'].startswith('000792.') and d['account']['photoURL'] is None"
json "d['credential']['hasRefreshToken'] and d['credential']['hasIdToken']"
awaits page "<h1>Signed in to 'apple.com' as .*</h1>"
err 'response_mode=form_post'
# Apple gives the name once.
works authctl signin --port "$port" --json
json "d['isNewUser'] is False and d['account']['displayName'] == 'Ada Example'"
json "d['account']['providerData'][0]['displayName'] == 'Ada Example'"

#: The request contains the hash of the nonce, and the ID token must contain the same hash.
apple --fault wrong-nonce
reverse_proxy
exits 65 authctl signin --port "$port"
err 'missing-or-invalid-nonce'
nonce=$(grep -oE '&nonce=[0-9a-f]+' stderr | cut -d= -f2)
[ ${#nonce} = 64 ] || fail "no SHA-256 in lower-case hex: '$nonce'"

#: Accepts email_verified as a string, and marks a private relay address.
apple --fault apple-text --fault private-relay
reverse_proxy
works authctl signin --port "$port" --json
json "d['account']['emailVerified'] is True and d['account']['email'].endswith('@privaterelay.appleid.com')"
json "d['account']['providerData'][0]['isPrivateRelay'] is True"

#: Reports a user who closes Apple's sheet as user-cancelled.
apple --fault access-denied
reverse_proxy
exits 2 authctl signin --port "$port"
err 'user-cancelled'

#: The body of the form_post response can be pasted.
apple
signs_in_by_paste "$ISSUER/auth[^ ]*" --json
FORM=form python3 "$ROOT/Tests/Servers/browser.py" "$url"
cat form >&3
exec 3>&-
wait $signin || fail "sign-in by paste"
record authctl signin --json
json "d['account']['displayName'] == 'Ada Example' and d['providerId'] == 'apple.com'"

#: A refresh keeps the ID token and the refresh token that Apple omits, and signout --revoke is confirmed.
apple
reverse_proxy
works authctl signin --port "$port"
works authctl token --type id
cp stdout id-token
works authctl token --force-refresh
works authctl token --force-refresh
works authctl token --type id
cmp stdout id-token
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'confirmed'"
# Neither the key nor a client secret is anywhere in the store.
! grep -rqE 'BEGIN PRIVATE KEY|eyJ' "$HOME/.config/authctl" || fail "a secret is kept"

#: Without the name and email scopes, does not request form_post.
add=(--scope openid)
apple
url --language fr_FR
! grep -q response_mode url || fail "form_post"
grep -q '&locale=fr_FR' url || fail "no locale"

#: An ID token obtained elsewhere requires its raw nonce.
apple
reverse_proxy
works authctl signin --port "$port"
works authctl token --type id
cp stdout id-token
works authctl signout
exits 65 authctl signin --id-token id-token
err 'require their nonce'
claim=$(cut -d. -f2 id-token | python3 -c "import base64,json,sys; t=sys.stdin.read().strip(); print(json.loads(base64.urlsafe_b64decode(t+'='*(-len(t)%4)))['nonce'])")
exits 65 authctl signin --id-token id-token --nonce="$claim"
err 'missing-or-invalid-nonce'

#: Without a private key, accepts existing ID tokens; a sign-in reports the missing settings.
apple
works authctl providers add apple.com --replace --base-url "$ISSUER" --client-id com.example.signin --redirect-uri "$callback"
err 'existing ID tokens can be used with this configuration; a sign-in requires --team-id, --key-id and --private-key'
curl -sS "$ISSUER/emulator/id-token?nonce=$(printf a-raw-nonce-0001 | sha256sum | cut -d' ' -f1)" >token
works authctl signin --provider apple.com --id-token token --nonce a-raw-nonce-0001
for flow in browser paste; do
    exits 78 authctl signin --provider apple.com --flow $flow --port "$(free_port)"
    err "'team_id', 'key_id', 'private_key' missing"
    no_err 'visit'
done
exits 78 authctl signin --provider apple.com --begin
err "'team_id', 'key_id', 'private_key' missing"
exits 1 authctl providers check apple.com
out '^FAIL +apple.com +client +no secret'
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'unsupported'"

#: Reports missing and unsuitable Apple settings before the browser opens.
emulator --as apple.com --client-id com.example.signin
exits 78 authctl providers add apple.com --replace --base-url "$ISSUER" --client-id com.example.signin --key-id KEY1234567
err "'team_id', 'private_key' missing"
works authctl providers add apple.com --replace --base-url "$ISSUER" --client-id com.example.signin --team-id TEAM123456 --key-id KEY1234567 --private-key "$PWD/AuthKey.p8"
err 'does not accept loopback redirect URIs'
exits 78 authctl signin
err "'apple.com' does not accept loopback redirect URIs"
works authctl providers add apple.com --replace --base-url "$ISSUER" --client-id com.example.signin --team-id TEAM123456 --key-id KEY1234567 --private-key "$PWD/AuthKey.p8" --redirect-uri "$callback"
exits 78 authctl signin
err 'set --port to the local port of your proxy or tunnel'
openssl genrsa -out rsa.pem 2048 2>/dev/null
exits 78 authctl providers add apple.com --replace --base-url "$ISSUER" --client-id com.example.signin --team-id TEAM123456 --key-id KEY1234567 --private-key "$PWD/rsa.pem"
err 'it is not a P-256 key'
