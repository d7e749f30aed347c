# Glewlwyd: sign-in, refresh with rotation, revocation and sign-out; every signature algorithm it has; registration.
server glewlwyd
secret_file "$CLIENT_SECRET"
works authctl providers add oidc.work --replace --issuer "$ISSUER" --client-id "$CLIENT_ID" --client-secret-file "$PWD/secret" --redirect-uri "http://127.0.0.1:$REDIRECT_PORT/callback"
works authctl providers check oidc.work
works authctl signin --provider oidc.work --json
json "d['account']['email'] == 'alice@example.com' and d['profile']['name'] == 'Alice Example'"
first=$(authctl token)
works authctl token --force-refresh
[ "$(cat stdout)" != "$first" ] || fail "a new token"
works authctl token --force-refresh
works authctl token --type id
cp stdout id-token
works authctl verify id-token --issuer "$ISSUER" --audience "$CLIENT_ID"
token=$(authctl token)
works authctl signout --revoke
err 'confirmed'
[ "$(curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" "$ISSUER/userinfo")" = 401 ] || fail "the token is dead"

for client in $PUBLIC_CLIENT_IDS; do
    export AUTHCTL_CONFIG_DIR=$PWD/$client
    works authctl providers add oidc.work --replace --issuer "$ISSUER" --client-id "$client"
    works authctl signin --port "$REDIRECT_PORT"
    works authctl token --force-refresh
done

# The device flow: the program shows the code, and the user enters it on another device (RFC 8628).
export AUTHCTL_CONFIG_DIR=$PWD/device
works authctl providers add oidc.work --replace --issuer "$ISSUER" --client-id "${PUBLIC_CLIENT_IDS%% *}"
authctl signin --flow device --scope offline_access --json >device.out 2>device.err </dev/null &
device=$!
python3 "$ROOT/Tests/Servers/person.py" "$(awaits device.err 'or visit  http[^ ]+' | cut -c11-)"
wait $device || fail "exit $? from the device flow: $(cat device.err)"
cp device.out stdout
record authctl signin --json
json "d['account']['email'] == 'alice@example.com' and d['credential']['hasRefreshToken']"
works authctl token --force-refresh

export AUTHCTL_CONFIG_DIR=$PWD/registered
works authctl providers add oidc.work --replace --issuer "$ISSUER" --register --redirect-uri "http://127.0.0.1:$REDIRECT_PORT/callback"
works authctl signin

# A key instead of a secret, registered with its public key. This server requires its token endpoint as the audience.
export AUTHCTL_CONFIG_DIR=$PWD/keyed
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem 2>/dev/null
works authctl providers add oidc.work --replace --issuer "$ISSUER" --register --private-key "$PWD/key.pem" --assertion-audience token-endpoint --redirect-uri "http://127.0.0.1:$REDIRECT_PORT/callback"
works authctl providers show oidc.work --json
json "d['authMethod'] == 'private_key_jwt'"
works authctl signin
for algorithm in RS512 PS256; do
    sed -i "/key_alg/d; s/^\( *\)key_id: .*/&\n\1key_alg: $algorithm/" "$AUTHCTL_CONFIG_DIR/config.yaml"
    works authctl signin
done

export AUTHCTL_CONFIG_DIR=$PWD/registered
exits 78 authctl providers add oidc.wrong --issuer "$ISSUER/" --client-id "$CLIENT_ID"
WRONG=wrong works authctl providers add oidc.wrong --issuer "$ISSUER" --client-id "$CLIENT_ID" --client-secret-env WRONG --redirect-uri "http://127.0.0.1:$REDIRECT_PORT/callback"
WRONG=wrong exits 78 authctl signin --provider oidc.wrong

# The server's introspection of a token, also after revocation (RFC 7662).
export AUTHCTL_CONFIG_DIR=$PWD/introspected
works authctl providers add oidc.work --issuer "$ISSUER" --client-id "$CLIENT_ID" --client-secret-file "$PWD/secret" --redirect-uri "http://127.0.0.1:$REDIRECT_PORT/callback"
works authctl signin
authctl token >token
works authctl verify --introspect --provider oidc.work token --require "client_id=$CLIENT_ID"
json "d['active'] is True"
works authctl signout --revoke
exits 65 authctl verify --introspect --provider oidc.work token
json "d['active'] is False"
