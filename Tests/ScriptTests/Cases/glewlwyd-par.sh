# Glewlwyd with pushed authorization requests (RFC 9126): with --par, and if the server requires them.
server glewlwyd
secret_file "$CLIENT_SECRET"
works authctl providers add oidc.work --issuer "$ISSUER" --client-id "$CLIENT_ID" --client-secret-file "$PWD/secret" --redirect-uri "http://127.0.0.1:$REDIRECT_PORT/callback"
works authctl providers check oidc.work
out 'pushed requests .*supported; not used without --par'
works authctl signin --provider oidc.work --par --json
json "d['account']['email'] == 'alice@example.com'"
works authctl token --force-refresh
works authctl providers set oidc.work --auth-method client_secret_post --par
works authctl signin --provider oidc.work

mkdir required
cd required
PAR_REQUIRED=1 server glewlwyd
export AUTHCTL_CONFIG_DIR=$PWD/config
works authctl providers add oidc.work --issuer "$ISSUER" --client-id "${PUBLIC_CLIENT_IDS%% *}" --redirect-uri "http://127.0.0.1:$REDIRECT_PORT/callback"
works authctl providers check oidc.work
out 'pushed requests .*required; used'
url --provider oidc.work
grep -qE '^http[^?]+\?client_id=[^&]+&request_uri=urn%3A[^&]+$' url || fail "$(cat url)"
works authctl signin --provider oidc.work
