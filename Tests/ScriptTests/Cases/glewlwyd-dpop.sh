# Glewlwyd with DPoP-bound tokens (RFC 9449), and nonces that it requires at the token endpoint and at userinfo.
DPOP_NONCE=1 server glewlwyd
secret_file "$CLIENT_SECRET"
works authctl providers add oidc.work --issuer "$ISSUER" --client-id "$CLIENT_ID" --client-secret-file "$PWD/secret" --redirect-uri "http://127.0.0.1:$REDIRECT_PORT/callback" --dpop
works authctl providers check oidc.work
out 'bound tokens .*supported .*ES256.*, and used'
works authctl signin --provider oidc.work --json
json "d['account']['email'] == 'alice@example.com' and d['credential']['binding'] == 'dpop'"
works authctl token --force-refresh
works authctl token --force-refresh
works authctl request "$ISSUER/userinfo"
json "d['name'] == 'Alice Example'"
works authctl token --proof GET "$ISSUER/userinfo"
"$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/proof.py" "$ISSUER/userinfo" GET <stdout || fail "joserfc does not take the proof"
token=$(authctl token)
[ "$(curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" "$ISSUER/userinfo")" = 401 ] || fail "taken as a bearer token"
works authctl signin --provider oidc.work --par
works authctl signout --revoke
err 'confirmed'
