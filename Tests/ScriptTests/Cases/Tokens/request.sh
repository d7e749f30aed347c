# Calling an API with the token, which is sent only to allowed hosts and never printed.
provider github.com
works authctl signin --provider github.com

#: Prints the response body unchanged, and the token is not in the trace.
works authctl token
token=$(cat stdout)
works authctl request --verbose "$ISSUER/api/v3/user"
json "d['login'] == 'ada'"
err '> Authorization: <redacted>'
! grep -qF -e "$token" stderr || fail "the token is in the trace"

#: Does not send the token to another host, port or scheme.
for url in http://127.0.0.1:1/user http://localhost:1/user https://api.github.com/user "https://127.0.0.1:${ISSUER##*:}/user" "http://[::1]:${ISSUER##*:}/user"; do
    exits 7 authctl request "$url"
    err 'the token of .github.com. is not allowed for'
    case $url in *api.github.com*) err 'hint: authctl providers show github.com'; no_err api-host ;; esac
done
exits 7 authctl request http://api.example.com/user --provider github.com
err "the token of 'github.com' is not sent to 'http://api.example.com:80' over plain http"
err 'hint: use https$'
exits 64 authctl providers set github.com --api-host http://api.example.com
err '--api-host: http:// is only allowed on loopback'
exits 64 authctl request nonsense

#: --api-host allows another host, with any method, header and body; the status decides the exit code.
cat >server.py <<'S'
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        text = f"{self.command} {self.headers['authorization'][:11]} {self.headers.get('x-a')} {self.headers.get('content-type')} {body.decode()}".encode()
        if self.path == "/200?X-Long=1": text *= 65 << 20
        self.send_response(int(self.path[1:4])); [self.send_header(*field.split("=", 1)) for field in self.path[5:].split("&") if field]; self.send_header("content-length", str(len(text))); self.end_headers()
        if self.command != "HEAD": self.wfile.write(text)
    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = answer
    def log_message(self, *_): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Handler); print(server.server_address[1], flush=True); server.serve_forever()
S
mkfifo port
python3 server.py >port &
servers+=($!)
read -r port <port
api=http://127.0.0.1:$port
exits 7 authctl request "$api/200"
works authctl providers add github.com --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret" --api-host "$api"
works authctl request "$api/200"
out '^GET Bearer gho_ None None $'
echo '{"a":1}' >body
works authctl request "$api/201" --data body -H 'X-A: b' -H 'Content-Type: application/json'
out '^POST Bearer gho_ b application/json ."a":1.$'
for method in PUT PATCH DELETE; do works authctl request "$api/200" -X $method; out "^$method Bearer"; done
works authctl request "$api/200" -X HEAD
# Prints the body of an error too; the status decides the exit code.
exits 1 authctl request "$api/404"
out '^GET'
err 'status 404'
exits 4 authctl request "$api/401"
exits 65 authctl request "$api/200?X-Long=1"
err 'is longer than 64 MiB'
err 'hint: for longer responses, use another program with the output of: authctl token --header$'
exits 69 authctl request "$api/503"
exits 1 authctl request "$api/302?Location=https://x.example.com/y"
err "request failed: status 302: it redirects to 'https://x.example.com/y', which is not followed \(request-failed\)$"
err 'hint: request that URL'
exits 1 authctl request "$api/307?Location=/y?token=x"
err "redirects to '/y\?…', which"
exits 1 authctl request "$api/304"
err 'status 304 '
exits 69 authctl request "$api/429?Retry-After=7"
err 'status 429 '
err 'hint: try again in 7 seconds$'
exits 69 authctl request "$api/429"
exits 64 authctl request "$api/200" -H 'Authorization: Bearer x'
exits 64 authctl request "$api/200" -H 'no colon'

#: Refuses headers that would send the token elsewhere or hide another request.
for header in 'Host: evil.example' 'content-length: 0' 'Transfer-Encoding: chunked' 'Connection: close' 'Proxy-Authorization: Basic x' 'Expect: 100-continue'; do
    exits 64 authctl request "$ISSUER/api/v3/user" -H "$header"
    err "cannot be set"
done
exits 64 authctl request "$ISSUER/api/v3/user" -H 'Two words: x'
err "'Two words' is not a valid header name"
exits 64 authctl request "$ISSUER/api/v3/user" -H $'X-A: b\r\nX-B: c'
err "value of header 'X-A' contains a line break"
works authctl request "$ISSUER/api/v3/user" -H $'X-A: b\tc' -H 'Accept: application/json'

#: For a host of another account's provider, the hint names that account instead of allowing the host.
host=$ISSUER
emulator --user grace@example.com
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
exits 7 authctl request "$host/api/v3/user"
err "the token of 'oidc.test' is not allowed for '$host', but the token of 'github.com' of ada@example.com is"
err 'hint: add --account ada@example.com --provider github.com'
no_err 'api-host'
works authctl request "$host/api/v3/user" --account ada@example.com --provider github.com
exits 7 authctl request https://elsewhere.example/
err "hint: for an API or MCP server: authctl signin --resource http.*; a provider's token is sent only to the hosts that its settings name: --api-host$"

#: A request whose token the API rejects is sent once more, with a renewed token.
emulator
works authctl signin --resource "$ISSUER/api"
id=$(authctl providers list --json | python3 -c 'import json, sys; print(next(p["providerId"] for p in json.load(sys.stdin)["providers"] if p["providerId"].startswith("oidc.127")))')
client=$(authctl providers show "$id" --field clientId)
revoke() { curl -sSf -d "token=$(authctl token --resource "$ISSUER/api")&client_id=$client" "$ISSUER/revoke"; }
for method in GET POST DELETE; do
    revoke
    session_set tokens.expiresAt 'old - 70'
    before=$(requests "api $method")
    works authctl request "$ISSUER/api/notes" -X $method
    json "d['user'] == 'ada@example.com'"
    [ "$(requests "api $method")" = $((before + 2)) ] || fail "$method: not sent twice"
done
[ "$(requests 'token refresh_token')" = 3 ] || fail "$(requests 'token refresh_token') refreshes"

#: An API that rejects every token causes one refresh a minute, and its response is printed, also if the refresh fails.
signed_in --user grace@example.com
mkfifo api.url
python3 "$ROOT/Tests/Servers/api.py" seen >api.url 2>api.log &
servers+=($!)
read -r api <api.url
works authctl providers set oidc.test --api-host "${api#http://}"
# rejected TIMES: the API rejects the token of each request.
rejected() {
    for _ in $(seq "$1"); do
        exits 4 authctl request "$api/denied"
        out 'the token is not valid'
    done
}
rejected 3
[ "$(requests 'token refresh_token')" = 0 ] || fail "a token that was just fetched was refreshed"
session_set tokens.expiresAt 'old - 70'
rejected 3
[ "$(requests 'token refresh_token')" = 1 ] || fail "$(requests 'token refresh_token') refreshes"
session_set tokens.expiresAt 'old - 70'
kill "$EMULATOR" && wait "$EMULATOR" || true
rejected 1

#: Without a session, the hint is to sign in.
works authctl signout
exits 4 authctl request "$ISSUER/api/v3/user"
err 'authctl signin'
# A host of a provider gets no request without a token, even if it would respond.
exits 4 authctl request "$ISSUER/emulator/personal-token?scope=repo"
err 'authctl signin'
# Without --provider, the request to another host is sent without a token; with it, it is not sent.
emulator
works authctl request "$ISSUER/emulator/requests"
exits 4 authctl request "$ISSUER/emulator/requests" --provider github.com
err 'authctl signin'
