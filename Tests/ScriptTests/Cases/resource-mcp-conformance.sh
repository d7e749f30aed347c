# The authorization scenarios of the MCP conformance suite, under their names. Each checks the requests to its server,
# which `mcp_authorization.py` records.

# scenario SETTINGS…: starts a resource and its authorization server with these settings; sets MCP to their URL.
scenario() {
    rm -f mcp.url requests && mkfifo mcp.url
    "$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/mcp_authorization.py" requests "$@" >mcp.url 2>mcp.log &
    servers+=("$!")
    read -r MCP <mcp.url
    export BROWSER="curl -sS -L -o /dev/null"
}

# asked EXPRESSION: a Python expression over r, the requests so far, each with its path, query, form and headers.
asked() {
    python3 -c "
import json, sys
r = [json.loads(line) for line in open('requests')]
def at(end): return [x for x in r if x['path'].endswith(end)]
def paths(): return [x['path'] for x in r]
sys.exit(0 if ($1) else 1)" || fail "not true of the requests: $1
$(cut -c1-400 requests)"
}

# calls OPTIONS…: calls a tool, as MCP clients do; some servers only support POST.
calls() {
    echo '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "test-tool"}}' >call.json
    works authctl request "$MCP/mcp" --data call.json -H 'Content-Type: application/json' "$@"
}

# signs_in OPTIONS…: signs in, and calls the resource with the token.
signs_in() {
    works authctl signin --resource "$MCP/mcp" "$@"
    calls
    asked "all(x['query'].get('resource') == '$MCP/mcp' for x in at('/authorize')) and all(x['form'].get('resource') == '$MCP/mcp' for x in at('/token'))"
    asked "not [x for x in r if '.well-known' in x['path'] and 'authorization' in x['headers']]"
}

# proofs PATH: the claims of the DPoP proofs that were sent to this path, one JSON object per line.
proofs() {
    python3 - "$1" <<'P'
import base64, json, sys
for line in open("requests"):
    asked = json.loads(line)
    if asked["path"] == sys.argv[1] and "dpop" in asked["headers"]:
        print(base64.urlsafe_b64decode(asked["headers"]["dpop"].split(".")[1] + "==").decode())
P
}

# known FLAGS…: configures the client that the user registered at the server, which has no OpenID Connect document.
known() { works authctl providers add oidc.mcp --issuer "$MCP" --client-id known --preset oauth "$@"; }

#: auth/metadata-default: Finds the resource's metadata at its path, and the server's metadata at the root.
scenario
signs_in
asked "'/.well-known/oauth-protected-resource/mcp' in paths() and '/.well-known/oauth-authorization-server' in paths()"

#: auth/metadata-var1: Finds metadata that the challenge does not name, and a server with only an OpenID Connect document.
scenario header=none server=openid get=404
signs_in
asked "paths().index('/.well-known/oauth-authorization-server') < paths().index('/.well-known/openid-configuration')"

#: auth/metadata-var2: Finds metadata for the whole host, and a server whose issuer has a path.
scenario header=none resource=root server=oauth issuer=/tenant1
# The token would be valid for the whole host, so the user must name it.
exits 4 authctl signin --resource "$MCP/mcp"
err "authctl signin --resource $MCP\$"
asked "not at('/authorize') and not at('/register')"
works authctl signin --resource "$MCP"
works authctl request "$MCP/mcp"
asked "paths().index('/.well-known/oauth-protected-resource/mcp') < paths().index('/.well-known/oauth-protected-resource')"
asked "'/.well-known/oauth-authorization-server/tenant1' in paths()"

#: auth/metadata-var3: Finds metadata that only the challenge to a POST names, and a server document below the issuer's path.
scenario get=405 header=/custom/metadata.json server=openid-appended issuer=/tenant1
signs_in
asked "list(dict.fromkeys(p for p in paths() if 'tenant1' in p and 'well-known' in p)) == ['/.well-known/oauth-authorization-server/tenant1', '/.well-known/openid-configuration/tenant1', '/tenant1/.well-known/openid-configuration']"
asked "'/.well-known/oauth-protected-resource/mcp' not in paths()"

#: auth/metadata-issuer-mismatch: Sends no authorization request to a server whose metadata has another issuer.
scenario metadata-issuer=https://other.example.com
exits 78 authctl signin --resource "$MCP/mcp"
err 'issuer-mismatch'
asked "not at('/authorize') and not at('/register')"

#: auth/basic-cimd: Uses the URL of the client metadata document as the client ID, and registers no client.
mkdir site
certificate
serves_site
export SSL_CERT_FILE=$PWD/cert.pem
me=https://localhost:$PORT/client.json
echo "{\"client_id\": \"$me\", \"redirect_uris\": [\"http://127.0.0.1/callback\"], \"token_endpoint_auth_method\": \"none\"}" >site/client.json
scenario cimd=yes
signs_in --client-metadata "$me"
asked "not at('/register') and at('/authorize')[0]['query']['client_id'] == '$me' and at('/token')[0]['form']['client_id'] == '$me'"
# Another server knows the client by the same ID and redirect URI. So its response must name it (RFC 9700 section 4.4.2), or
# it gets another client.
scenario cimd=yes
signs_in --client-metadata "$me"
asked "at('/register') and at('/authorize')[0]['query']['client_id'] != '$me'"
scenario cimd=yes register=no
exits 65 authctl signin --resource "$MCP/mcp" --client-metadata "$me"
err "the issuer 'iss' of the authorization response is missing"
asked "at('/authorize') and not at('/token')"
scenario cimd=yes promises-iss=yes iss=right
signs_in --client-metadata "$me"
asked "not at('/register')"

#: auth/pre-registration: Uses the client that the user registered, and registers no other.
scenario register=no methods=client_secret_basic
secret_file the-secret
works authctl providers add oidc.mcp --issuer "$MCP" --client-id known --client-secret-file "$PWD/secret" --discovery oauth --preset oauth
signs_in --provider oidc.mcp
asked "at('/authorize')[0]['query']['client_id'] == 'known' and at('/token')[0]['headers']['authorization'].startswith('Basic ')"

#: auth/token-endpoint-auth-basic: Uses client_secret_basic if the server supports only that.
scenario methods=client_secret_basic
signs_in
asked "at('/token')[0]['headers']['authorization'].startswith('Basic ') and 'client_secret' not in at('/token')[0]['form']"

#: auth/token-endpoint-auth-post: Uses client_secret_post if the server supports only that.
scenario methods=client_secret_post
signs_in
asked "'authorization' not in at('/token')[0]['headers'] and at('/token')[0]['form']['client_secret']"

#: auth/token-endpoint-auth-none: Registers a public client, which sends no secret.
scenario methods=none
signs_in
asked "'authorization' not in at('/token')[0]['headers'] and 'client_secret' not in at('/token')[0]['form'] and at('/register')[0]['json']['token_endpoint_auth_method'] == 'none'"

#: auth/scope-from-www-authenticate: Requests only the scopes that the challenge names.
scenario get=405 challenge-scope='mcp:basic' scopes='mcp:basic mcp:read mcp:write'
signs_in
asked "at('/authorize')[0]['query']['scope'] == 'mcp:basic'"

#: Requests the scopes of the challenge to tools/list, if initialize requires no token.
scenario get=405 open=initialize challenge-scope='mcp:basic'
signs_in
asked "at('/authorize')[0]['query']['scope'] == 'mcp:basic'"
asked "[x['json'].get('method') for x in r if x['path'] == '/mcp' and 'authorization' not in x['headers']] == [None, 'initialize', 'tools/list']"

#: auth/scope-from-scopes-supported: Requests all scopes of the resource's metadata if the challenge names none.
scenario scopes='mcp:basic mcp:read mcp:write'
signs_in
asked "at('/authorize')[0]['query']['scope'] == 'mcp:basic mcp:read mcp:write'"

#: auth/scope-omitted-when-undefined: Sends no scope if no document names one.
scenario
signs_in
asked "'scope' not in at('/authorize')[0]['query']"

#: auth/scope-step-up: Requests the scopes of the challenge, then those together with the scopes of the next challenge.
scenario get=404 open=initialize challenge-scope='mcp:basic' scopes='mcp:profile' step-up='mcp:write'
echo '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}}' >call.json
exits 4 authctl request "$MCP/mcp" --data call.json -H 'Content-Type: application/json'
err "authctl signin --resource $MCP/mcp$"
eval "$(grep -oE "authctl signin --resource [^;]*" stderr)" >stdout 2>stderr || fail "the hint does not run"
calls --step-up
asked "[x['query']['scope'] for x in at('/authorize')] == ['mcp:basic', 'mcp:basic mcp:write']"

#: auth/scope-retry-limit: Stops after one new sign-in if the new token has the scopes and the server refuses it.
scenario challenge-scope='mcp:basic' step-up=never
works authctl signin --resource "$MCP/mcp"
exits 7 authctl request "$MCP/mcp" --data /dev/null --step-up
asked "len(at('/authorize')) == 2"

#: Registers a client without scopes if the server does not list all of them.
scenario scopes='mcp:basic api:read' server-scopes='mcp:basic'
signs_in
asked "'scope' not in at('/register')[0]['json'] and at('/authorize')[0]['query']['scope'] == 'mcp:basic api:read'"

#: Requests only the resource's scopes from a server with an OpenID Connect document, which need not issue an ID token.
scenario server=openid challenge-scope='mcp:basic' server-scopes='openid mcp:basic'
signs_in
asked "at('/authorize')[0]['query']['scope'] == 'mcp:basic'"
# The user's own scopes replace them.
signs_in --scope mcp:write
asked "at('/authorize')[1]['query']['scope'] == 'mcp:write'"

#: Refuses a server without a user sign-in before it registers a client.
scenario grants='urn:ietf:params:oauth:grant-type:jwt-bearer'
exits 78 authctl signin --resource "$MCP/mcp"
err 'jwt-bearer'
asked "not at('/authorize') and not at('/register')"

#: auth/resource-mismatch: Refuses metadata of another resource before the browser opens.
scenario resource=https://other.example.com/mcp
exits 65 authctl signin --resource "$MCP/mcp"
asked "not at('/authorize') and not at('/register')"

#: auth/offline-access-scope: Requests offline_access if the server supports it.
scenario scopes='mcp:basic' server-scopes='mcp:basic offline_access'
signs_in
asked "'offline_access' in at('/authorize')[0]['query']['scope'].split() and 'refresh_token' in at('/register')[0]['json']['grant_types'] and at('/register')[0]['json']['application_type'] == 'native'"

#: auth/offline-access-not-supported: Does not request offline_access if the server does not support it.
scenario scopes='mcp:basic' server-scopes='mcp:basic'
signs_in
asked "at('/authorize')[0]['query']['scope'] == 'mcp:basic'"

#: auth/iss-supported: Accepts the server's iss if the server declares it.
scenario promises-iss=yes iss=right
signs_in

#: auth/iss-not-advertised: Accepts a response without iss if the server does not declare it.
scenario
signs_in

#: auth/iss-supported-missing: Refuses a response without iss if the server declares it, and does not redeem the code.
scenario promises-iss=yes
exits 65 authctl signin --resource "$MCP/mcp"
asked "not at('/token')"

#: auth/iss-wrong-issuer: Refuses a response with the iss of another issuer.
scenario promises-iss=yes iss=https://other.example.com
exits 65 authctl signin --resource "$MCP/mcp"
asked "not at('/token')"

#: auth/iss-unexpected: Refuses the iss of another issuer even if the server does not declare iss.
scenario iss=https://other.example.com
exits 65 authctl signin --resource "$MCP/mcp"
asked "not at('/token')"

#: auth/iss-normalized: Compares iss byte for byte, without normalization.
scenario promises-iss=yes iss=slash
exits 65 authctl signin --resource "$MCP/mcp"
asked "not at('/token')"

#: auth/authorization-server-migration: After a move to another server, to which the user agrees, registers a new client and does not send the old client ID.
scenario
signs_in
first=$(python3 -c "
import json
r = [json.loads(line) for line in open('requests')]
print(next(x['query']['client_id'] for x in r if x['path'] == '/authorize'))")
curl -sS -X POST "$MCP/move" >/dev/null
exits 4 authctl request "$MCP/mcp"
exits 4 authctl signin --resource "$MCP/mcp"
works bash -c "$(sed -n 's/^authctl: hint: if you trust it: //; s/, then: / \&\& /p' stderr)"
works authctl request "$MCP/mcp"
asked "[x['path'] for x in at('/register')] == ['/register', '/moved/register'] and '$first' not in json.dumps([x for x in r if x['path'].startswith('/moved')])"

#: auth/dpop: The token request and each call have a new DPoP proof, and no bearer token is sent.
scenario dpop=yes
signs_in --dpop
works authctl request "$MCP/mcp" --data /dev/null
asked "len(at('/token')) == 1 and at('/token')[0]['headers']['dpop'] and at('/authorize')[0]['query']['dpop_jkt']"
asked "[x['headers']['authorization'].split()[0] for x in at('/mcp') if 'authorization' in x['headers']] == ['DPoP', 'DPoP']"
asked "len({x['headers']['dpop'] for x in r if 'dpop' in x['headers']}) == 3"
[ "$(proofs /mcp | grep -c '"ath"')" = 2 ] || fail "not every proof is of its token"
grep . mcp.log && fail "a proof was refused"
exits 78 authctl credential mcp "$MCP/mcp"
works authctl token --resource "$MCP/mcp" --proof GET "$MCP/mcp"
curl -sS -H @stdout "$MCP/mcp" | grep -q scope || fail "the headers are not taken"

#: auth/dpop-nonce: Sends the nonces of the authorization server and of the resource back to the server that issued them.
scenario dpop=nonce
signs_in --dpop
asked "len(at('/token')) == 2"
[ "$(proofs /token | grep -c '"nonce":"server-nonce"')" = 1 ] || fail "$(proofs /token)"
[ "$(proofs /mcp | grep -c '"nonce":"resource-nonce"')" = 1 ] || fail "$(proofs /mcp)"
# The nonce is known now, so the request is sent only once.
before=$(grep -c . requests)
works authctl request "$MCP/mcp"
[ "$(grep -c . requests)" = $((before + 1)) ] || fail "the nonce was not kept"

#: auth/client-credentials-jwt: The client signs in with a signed assertion and without a user, and requests a new token at expiry.
openssl ecparam -name prime256v1 -genkey -noout -out client.pem 2>openssl.log
chmod 600 client.pem
openssl ec -in client.pem -pubout -out public.pem 2>>openssl.log
scenario grants=client_credentials methods=private_key_jwt key="$PWD/public.pem" register=no scopes='mcp:basic'
known --private-key "$PWD/client.pem"
works authctl signin --resource "$MCP/mcp" --flow client-credentials --provider oidc.mcp --scope mcp:basic
calls
works authctl token --resource "$MCP/mcp" --force-refresh
asked "[x['form']['grant_type'] for x in at('/token')] == ['client_credentials'] * 2 and all(x['form']['resource'] == '$MCP/mcp' and x['form']['scope'] == 'mcp:basic' for x in at('/token'))"
asked "len({x['form']['client_assertion'] for x in at('/token')}) == 2 and not at('/authorize') and not at('/register')"

#: auth/client-credentials-basic: The client signs in with client_secret_basic and without a user; no client is registered for that.
scenario grants=client_credentials methods=client_secret_basic scopes='mcp:basic'
exits 78 authctl signin --resource "$MCP/mcp" --flow client-credentials
err "providers add oidc.127.0.0.1-[0-9]+ --issuer $MCP --client-id ID --preset oauth"
asked "not at('/register')"
secret_file the-secret
known --client-secret-file "$PWD/secret"
exits 4 authctl signin --resource "$MCP/mcp" --flow client-credentials
err "'mcp:basic' .interaction-required"
err "hint: if you trust it: name them with --scope$"
works authctl signin --resource "$MCP/mcp" --provider oidc.mcp --flow client-credentials --scope mcp:basic
calls
asked "at('/token')[0]['headers']['authorization'].startswith('Basic ') and at('/token')[0]['form']['scope'] == 'mcp:basic' and not at('/authorize')"

#: auth/wif-jwt-bearer: The token of a CI job is the grant, for the server as audience; a rejected one is not repeated, and no other grant is tried.
github_job
scenario grants=urn:ietf:params:oauth:grant-type:jwt-bearer methods=none register=no trust="$ISSUER/_services/token/.well-known/jwks"
exits 78 authctl signin --resource "$MCP/mcp" --ci auto
err 'providers add'
known
job=(authctl signin --resource "$MCP/mcp" --ci auto --exchange oidc.mcp)
works "${job[@]}" --json
json "d['account']['isMachine'] and d['providerId'] == 'oidc.mcp'"
calls
works authctl token --resource "$MCP/mcp" --force-refresh
asked "[x['form']['grant_type'] for x in at('/token')] == ['urn:ietf:params:oauth:grant-type:jwt-bearer'] * 2 and all(x['form']['resource'] == '$MCP/mcp' and x['form']['client_id'] == 'known' for x in at('/token'))"
before=$(grep -c '"/token"' requests)
exits 78 "${job[@]}" --scope wif.trigger-unauthorized
err unauthorized_client
exits 78 "${job[@]}" --scope wif.rejected
err invalid_scope
exits 65 "${job[@]}" --audience https://wrong.example
[ "$(grep -c '"/token"' requests)" = $((before + 3)) ] || fail "a rejected request was repeated"
asked "all(x['form']['grant_type'].endswith(':jwt-bearer') for x in at('/token'))"
[ "$(grep -c '^assertion: aud' mcp.log)" = 1 ] || fail "$(cat mcp.log)"

#: auth/enterprise-managed-authorization: The ID token of the company's provider becomes an assertion for the server, and that a token.
emulator --client-secret idp-secret --client-id known
idp=$ISSUER
secret_file idp-secret idp
works authctl providers add oidc.work --issuer "$idp" --client-id known --client-secret-file "$PWD/idp"
scenario grants=urn:ietf:params:oauth:grant-type:jwt-bearer methods=client_secret_basic register=no scopes='mcp:basic' trust="$idp/jwks"
secret_file the-secret
known --client-secret-file "$PWD/secret" --assertion-from oidc.work --api-host "$MCP"
exits 4 authctl signin --resource "$MCP/mcp" --scope mcp:basic
err 'authctl signin oidc.work$'
works authctl signin --provider oidc.work
BROWSER=false works authctl signin --resource "$MCP/mcp" --scope mcp:basic
calls
out mcp:basic
BROWSER=false works authctl token --resource "$MCP/mcp" --force-refresh
asked "len({x['form']['assertion'] for x in at('/token')}) == 2 and all(x['headers']['authorization'].startswith('Basic ') and x['form']['resource'] == '$MCP/mcp' and x['form']['grant_type'].endswith(':jwt-bearer') for x in at('/token'))"
asked "not at('/authorize') and not at('/register')"
[ "$(requests 'token urn:ietf:params:oauth:grant-type:token-exchange' "$idp")" = 2 ] || fail "not one exchange for each token"

#: auth/2025-03-26-oauth-metadata-backcompat: Refuses a server of MCP 2025-03-26, whose authorization server is at the same host, and says what to do.
scenario older=metadata
exits 78 authctl signin --resource "$MCP/mcp"
err "no protected resource metadata found for '$MCP/mcp' .* not assumed, as in MCP 2025-03-26"
err "hint: a provider's token is sent only to the hosts that its settings name: --api-host$"
asked "not at('/authorize') and not at('/register') and not at('/token')"

#: auth/2025-03-26-oauth-endpoint-fallback: Refuses default endpoints at the server's host, without any metadata.
scenario older=endpoints
exits 78 authctl signin --resource "$MCP/mcp"
err "not assumed, as in MCP 2025-03-26"
asked "not at('/authorize') and not at('/register') and not at('/token')"
