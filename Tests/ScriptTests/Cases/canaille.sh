# canaille: sign-in, refresh with rotation, revocation and sign-out; basic and post authentication; its three algorithms.
server canaille
secret_file "$CLIENT_SECRET"
for client in "$CLIENT_ID" confidential-post; do
    export AUTHCTL_CONFIG_DIR=$PWD/$client
    method=client_secret_basic
    [ "$client" = "$CLIENT_ID" ] || method=client_secret_post
    works authctl providers add oidc.work --replace --issuer "$ISSUER" --client-id "$client" --client-secret-file "$PWD/secret" --auth-method $method
    works authctl signin --port "$REDIRECT_PORT" --json
    json "d['account']['email'] == 'alice@example.com'"
    first=$(authctl token)
    next_second
    works authctl token --force-refresh
    [ "$(cat stdout)" != "$first" ] || fail "a new token"
    works authctl token --type id
    cp stdout id-token
    works authctl verify id-token --issuer "$ISSUER" --audience "$client"
    works authctl signout --revoke
    err 'confirmed'
    next_second
done
for client in $PUBLIC_CLIENT_IDS; do
    export AUTHCTL_CONFIG_DIR=$PWD/$client
    works authctl providers add oidc.work --replace --issuer "$ISSUER" --client-id "$client"
    works authctl signin --port "$REDIRECT_PORT"
    next_second
done
export AUTHCTL_CONFIG_DIR=$PWD/denied
works authctl providers add oidc.work --replace --issuer "$ISSUER" --register --redirect-uri "http://127.0.0.1:$REDIRECT_PORT/callback"
PERSON_DENIES=1 exits 7 authctl signin
err 'access-denied'
next_second
works authctl signin
