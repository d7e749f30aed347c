# APIs that require more scopes or re-authentication.

#: Without --step-up, prints the required scope, and no hint that contains it.
emulator
works authctl signin --resource "$ISSUER/api" --scope notes.read
exits 7 authctl request "$ISSUER/api/write"
err 'insufficient-scope'
err 'hint: to sign in for it and repeat the request: add --step-up$'
exits 5 authctl request "$ISSUER/api/secret"
err 'requires-recent-login'
err 'hint: to sign in for it and repeat the request: add --step-up$'
works authctl request "$ISSUER/api/secret" --step-up

#: With --step-up, requests the old and the new scopes, and sends the request again with its body.
emulator
works authctl signin --resource "$ISSUER/api" --scope notes.read
echo '{"a":1}' >body
works authctl request "$ISSUER/api/write" --step-up --data body
json "'notes.read' in d['scope'] and 'notes.write' in d['scope'] and d['body'].strip() == '{\"a\":1}'"
curl -sS "$ISSUER/emulator/requests" >stdout
json "d['api POST'] == 2 and d['authorize'] == 2 and d['step-up'] == 1"
works authctl request "$ISSUER/api/write"
works authctl request "$ISSUER/api/secret" --step-up

#: If the challenge does not name the scopes, requests those of the resource's metadata.
emulator --fault step-up-unnamed
works authctl signin --resource "$ISSUER/api" --scope notes.read
exits 7 authctl request "$ISSUER/api/write"
err 'without naming them'
works authctl request "$ISSUER/api/write" --step-up

#: DPoP-bound tokens stay DPoP-bound.
emulator
works authctl signin --resource "$ISSUER/api" --scope notes.read --dpop
works authctl request "$ISSUER/api/write" --step-up
works authctl status --json
json "[s['binding'] for a in d['accounts'] for s in a['sessions']] == ['dpop']"

#: Stops if a new token with the scopes is refused, and after three sign-ins for re-authentication.
emulator --fault step-up-forever
works authctl signin --resource "$ISSUER/api"
exits 7 authctl request "$ISSUER/api/write" --step-up
err 'consent-required'
curl -sS "$ISSUER/emulator/requests" >stdout
json "d['authorize'] == 2 and d['step-up'] == 2"
exits 7 authctl request "$ISSUER/api/secret" --step-up
err 'after 3 sign-ins'
curl -sS "$ISSUER/emulator/requests" >stdout
json "d['authorize'] == 5 and d['step-up'] == 6"
emulator --fault weak-acr --user bob@example.com
works authctl signin --resource "$ISSUER/api"
exits 7 authctl request "$ISSUER/api/secret" --step-up
err 'consent-required'

#: Does not open a browser in a non-interactive run.
emulator
works authctl signin --resource "$ISSUER/api" --scope notes.read
exits 4 authctl request "$ISSUER/api/write" --step-up --no-input

#: The user who steps up must be the session's user: another user's token is neither sent nor made current.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test --resource "$ISSUER/api" --scope notes.read
ada=$(authctl whoami --field account.uid)
works authctl signin --provider oidc.test --resource "$ISSUER/api" --scope notes.read --param emulator_user=bob@example.com
bob=bob@example.com
# At a provider that the user configured, scopes that the API chooses need the user's consent.
exits 4 authctl request "$ISSUER/api/write" --step-up
err "hint: if you trust it: authctl signin --resource $ISSUER/api --provider oidc.test, and name them with --scope$"
printf '#!/bin/sh\nexec curl -sS -L -o /dev/null "$1&emulator_user=bob%%40example.com"\n' >as-bob
chmod +x as-bob
posts() { requests 'api POST'; }
before=$(posts)
BROWSER=$PWD/as-bob exits 6 authctl request "$ISSUER/api/secret" --step-up --data /dev/null
err 'user-mismatch'
[ "$(posts)" = $((before + 1)) ] || fail "sent again"
[ "$ada" = "$(authctl whoami --field account.uid)" ] || fail "another account is current"
BROWSER=$PWD/as-bob works authctl request "$ISSUER/api/secret" --step-up --account "$bob"
json "d['user'] == 'bob@example.com'"
[ "$ada" = "$(authctl whoami --field account.uid)" ] || fail "another account is current"
works authctl request "$ISSUER/api"
json "d['user'] == 'ada@example.com'"

#: Requests the scope openid with acr_values and max_age, at a server where authctl registered itself.
emulator --fault acr-wants-openid
works authctl signin --resource "$ISSUER/api" --scope notes.read
works authctl request "$ISSUER/api/secret" --step-up
json "'notes.read' in d['scope']"
works authctl signin --resource "$ISSUER/api" --acr urn:example:two-factors --max-age 300
works authctl request "$ISSUER/api/secret"

#: The hint of a step-up that fails does not repeat the command.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
emulator
works authctl signin --resource "$ISSUER/api" --scope notes.read
BROWSER=true exits 3 authctl request "$ISSUER/api/secret" --step-up --timeout 1
no_err 'hint: .*authctl'

#: If the API names another authorization server now, the hint of the step-up is the sign-in.
emulator
cat >api.py <<'API'
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        header = None
        if "well-known" in self.path:
            status, body = 200, '{"resource": "%s/mcp", "authorization_servers": ["%s"]}' % (base, open("server").read().strip())
        else:
            status, body = (403, "") if self.headers["Authorization"] else (401, "")
            header = 'Bearer error="insufficient_scope", scope="x"' if status == 403 else "Bearer"
        self.send_response(status)
        if header: self.send_header("WWW-Authenticate", header)
        self.end_headers()
        self.wfile.write(body.encode())
    do_POST = do_GET
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
base = f"http://127.0.0.1:{server.server_port}"
print(base, flush=True)
server.serve_forever()
API
echo "$ISSUER" >server
python3 api.py >api.url &
servers+=($!)
api=$(awaits api.url 'http.*')
works authctl signin --resource "$api/mcp"
echo https://other.example.com >server
exits 78 authctl request "$api/mcp" --step-up
err "hint: authctl signin --resource $api/mcp$"
