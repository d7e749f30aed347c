# idpyoidc with token exchange (RFC 8693): at the session's client, and at another client.
[ -x "$ROOT/.build/venv/bin/python" ] || { echo "no $ROOT/.build/venv: make servers" >&2; exit 1; }
redirect=http://127.0.0.1:$(free_port)/callback
mkfifo idp.url
"$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/idpyoidc_server.py" "$PWD/idp" "$redirect" >idp.url 2>idp.log &
servers+=("$!")
read -r ISSUER <idp.url
export BROWSER="curl -sS -L -o /dev/null"
secret_file the-secret
for client in app api; do
    works authctl providers add oidc.$client --issuer "$ISSUER" --client-id $client --client-secret-file "$PWD/secret" --redirect-uri "$redirect"
done
works authctl signin --provider oidc.app --json
json "d['account']['displayName'] == 'Diana Example'"

# claim NAME: prints a claim of the token on standard output.
claim() { python3 -c "import base64, json, sys; print(json.loads(base64.urlsafe_b64decode(open('stdout').read().split('.')[1] + '=='))[sys.argv[1]])" "$1"; }

works authctl token
cp stdout own
sub=$(claim sub)
works authctl token --exchange oidc.app --audience https://b.example --scope openid
[ "$(claim aud)" = "['https://b.example']" ] && [ "$(claim scope)" = openid ] && [ "$(claim sub)" = "$sub" ] || fail "not what was asked for"
cp stdout exchanged
! cmp -s own exchanged || fail "it is the session's own"
works authctl verify exchanged --issuer "$ISSUER" --audience https://b.example
json "d['sub'] == '$sub'"
# The other client gets its own token.
works authctl token --exchange oidc.api --json
json "d['token_type'] == 'Bearer' and d['issued_token_type'].endswith(':access_token') and d['expires_in'] > 0"
works authctl token --exchange oidc.api
[ "$(claim client_id)" = api ] && [ "$(claim sub)" = "$sub" ] || fail "not the other client's"
# The server does not exchange ID tokens and does not know this resource.
exits 65 authctl token --exchange oidc.app --type id
err 'invalid_request.*\(invalid-credential\)'
exits 78 authctl token --exchange oidc.app --resource https://nobody.example
err "invalid_target.*the resource was 'https://nobody.example'"
works authctl token
cmp -s stdout own || fail "the session's token changed"
