# MCP clients that start a command reach a protected server through the bridge, which adds a valid token to each message.

[ -x "$ROOT/.build/venv/bin/python" ] || { echo "no $ROOT/.build/venv: make servers" >&2; exit 1; }
python() { "$ROOT/.build/venv/bin/python" "$@"; }

# mcp FLAGS…: starts PyPI's server, sets URL, and signs in. Its log is mcp.log.
mcp() {
    rm -f mcp.url && mkfifo mcp.url
    "$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/mcp_server.py" "$@" >mcp.url 2>>mcp.log &
    SERVER=$!
    servers+=("$SERVER")
    read -r URL <mcp.url
    URL=$URL/mcp
    export BROWSER="curl -sS -L -o /dev/null"
}
client() { works python "$ROOT/Tests/Servers/mcp_bridge.py" "$URL" "$@"; }

# bridge: starts a bridge, which gets messages by say, and writes to the files replies and notes.
bridge() {
    rm -f messages && mkfifo messages
    : >replies
    authctl credential mcp --stdio "$URL" <messages >>replies 2>notes &
    BRIDGE=$!
    servers+=("$BRIDGE")
    exec 7>messages
}
say() { printf '%s\n' "$1" >&7; }
initialize='{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"story","version":"1"}}}'
call() { say '{"jsonrpc":"2.0","id":'"$1"',"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}'; }
# reply ID EXPRESSION: waits for the response with this ID, and checks a Python expression over it.
reply() {
    awaits replies "\"id\": ?$1[,}]" >/dev/null
    grep -E "\"id\": ?$1[,}]" replies | tail -n 1 >stdout
    json "$2"
}
counted() { grep -c "^$1\$" mcp.log || true; }

#: PyPI's client gets tools, sampling, progress and cancellation from PyPI's server, with a session.
mcp
works authctl signin --resource "$URL"
client legacy add 3 sampling progress cancel
out '^version 2025-11-25$'
out '^sampling re: why$'
out '^fast call first True$'
out '^progress \[1.0, 2.0, 3.0\] done$'
awaits mcp.log '^cancelled$' >/dev/null
awaits mcp.log 'Terminating session' >/dev/null

#: A client and a server of 2026-07-28 need no session; a cancelled request ends its stream.
mcp
works authctl signin --resource "$URL"
client auto add 3 progress cancel weather
out '^version 2026-07-28$'
out '^weather Zürich $'
out '^fast call first True$'
out '^progress \[1.0, 2.0, 3.0\] done$'
awaits mcp.log '^cancelled$' >/dev/null
! grep -q 'session ID' mcp.log || fail "the server has a session"

#: Ten bridges with tokens that are valid for five seconds: one refresh for each expiry, and no refresh token is used twice.
# BRIDGES_SECONDS=60 runs it for a minute.
seconds=${BRIDGES_SECONDS:-12}
mcp --life 5
works authctl signin --resource "$URL"
works python "$ROOT/Tests/Servers/mcp_bridge.py" "$URL" "legacy*10" until "$seconds"
[ "$(grep -c '^until done$' stdout)" = 10 ] || fail "not ten"
[ "$(counted reuse)" = 0 ] || fail "a refresh token was used twice"
# A token is refreshed when at most a quarter of its lifetime is left.
[ "$(counted refresh)" -ge $((seconds / 5 - 1)) ] && [ "$(counted refresh)" -le $((seconds / 3 + 1)) ] || fail "$(counted refresh) refreshes"

#: A bridge that is killed does not disturb the others.
mcp --life 5
works authctl signin --resource "$URL"
python "$ROOT/Tests/Servers/mcp_bridge.py" "$URL" legacy until 8 >out.1 2>err.1 &
other=$!
bridge
say "$initialize"
reply '"i"' "'result' in d"
awaits mcp.log '^refresh$' >/dev/null
next_second
kill -9 "$BRIDGE"
wait "$BRIDGE" || true
wait "$other" || fail "$(cat err.1)"
client legacy add 1
[ "$(counted reuse)" = 0 ] || fail "a refresh token was used twice"

#: A server that is started again loses no request of a client without a session; other clients initialize again.
port=$(free_port)
mcp --life 60 --port "$port" --state "$PWD/state"
works authctl signin --resource "$URL"
python "$ROOT/Tests/Servers/mcp_bridge.py" "$URL" auto add 1 wait "$PWD/down" add 1 >out.1 2>err.1 &
stateless=$!
bridge
say "$initialize"
reply '"i"' "'result' in d"
say '{"jsonrpc":"2.0","method":"notifications/initialized"}'
call 1
reply 1 "d['result']['structuredContent']['result'] == 3"
awaits out.1 '^add done$' >/dev/null
kill "$SERVER"
wait "$SERVER" || true
# The bridge tries for seconds only, so the slow part of the server's start comes before.
mkfifo after
{ exec 8>after; touch down; exec 8>&-; } &
mcp --life 60 --port "$port" --state "$PWD/state" --after "$PWD/after"
wait "$stateless" || fail "$(cat err.1)"
call 2
reply 2 "'the client must send a new initialize request' in d['error']['message'] and 'reconnect' in d['error']['data']['hint'] and d['error']['data']['code'] == 'request-failed'"
# Until then each request gets this error, and the server nothing without a session.
call 3
reply 3 "'the client must send a new initialize request' in d['error']['message']"
: >replies
say "$initialize"
reply '"i"' "'result' in d"
call 3
reply 3 "d['result']['structuredContent']['result'] == 3"

#: Forwards a message of 10 MB in both directions, and refuses one of more than 16 MiB.
mcp --life 60
works authctl signin --resource "$URL"
client legacy big 10000000
out '^big 10000000 10000000$'
bridge
python3 -c "print('{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"' + 'x' * (16 << 20) + '\"}')" >&7
reply null "'longer than 16 MiB' in d['error']['message']"
say "$initialize"
reply '"i"' "'result' in d"

#: A token that expires during a stream, and a stream that the server ends after each event, lose nothing.
mcp --life 3
works authctl signin --resource "$URL"
client legacy slow 5 add 1
out '^slow done$'
mcp --life 3 --resumable
works authctl signin --resource "$URL"
client legacy slow 5 progress
out '^slow done$'
out '^progress \[1.0, 2.0, 3.0\] done$'
[ "$(counted resume)" -ge 4 ] || fail "the stream was not resumed"

#: If the server rejects the token, it is refreshed once, and the message is sent again.
mcp --life 60 --refuse-once
works authctl signin --resource "$URL"
client legacy add 2
[ "$(counted refresh)" = 1 ] || fail "$(counted refresh) refreshes"

#: Without a session, and if a message requires more scopes, each request gets an error with the command to run.
BROWSER=false
bin_url() { read -r URL <mcp.url; URL=$URL/mcp; }
mkfifo mcp.url
"$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/mcp_authorization.py" "$PWD/requests" step-up=mcp:write challenge-scope=mcp:basic >mcp.url 2>mcp.log &
servers+=("$!")
bin_url
bridge
call 1
reply 1 "d['error']['code'] == 4 and d['error']['data']['hint'] == 'authctl signin --resource $URL'"
BROWSER="curl -sS -L -o /dev/null" works authctl signin --resource "$URL" --scope mcp:basic
call 2
reply 2 "d['error']['code'] == 7 and d['error']['data']['code'] == 'insufficient-scope'"
out "the API requires the scopes 'mcp:write'; hint: sign in again, and name them with --scope: authctl signin --resource $URL\""
BROWSER="curl -sS -L -o /dev/null" works authctl signin --resource "$URL" --scope 'mcp:basic mcp:write'
call 3
reply 3 "d['result']['scope'] == 'mcp:basic mcp:write'"
say nonsense
reply null "d['error']['code'] == -32700"
works authctl signout
call 4
reply 4 "d['error']['code'] == 4"
exec 7>&-
wait "$BRIDGE" || fail "exit $?"
[ "$(grep -c jsonrpc replies)" = "$(wc -l <replies)" ] || fail "another line on standard output"

#: SIGTERM ends a bridge.
mcp --life 60
works authctl signin --resource "$URL"
bridge
say "$initialize"
reply '"i"' "'result' in d"
kill "$BRIDGE"
wait "$BRIDGE" && fail "exit 0" || [ $? = 143 ] || fail "exit $?"

#: While the key is locked, each request gets an error; after it was unlocked, messages are forwarded again.
mcp
works authctl signin --resource "$URL"
bridge
say "$initialize"
reply '"i"' "'result' in d"
say '{"jsonrpc":"2.0","method":"notifications/initialized"}'
call 1
reply 1 "d['result']['content'][0]['text'] == '3'"
secret_file 'correct horse battery' right
works authctl vault passphrase --passphrase-fd 3 3<right
works authctl vault unlock --passphrase-fd 3 3<right
call 2
reply 2 "d['result']['content'][0]['text'] == '3'"
works authctl vault lock
call 3
reply 3 "d['error']['data']['code'] == 'vault-locked' and d['error']['data']['hint'].endswith('authctl vault unlock')"
works authctl vault unlock --passphrase-fd 3 3<right
call 4
reply 4 "d['result']['content'][0]['text'] == '3'"
exec 7>&-
wait "$BRIDGE"

#: With a DPoP-bound session, each message has its own proof, and a nonce of the server is used.
mkfifo mcp.url
"$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/mcp_authorization.py" "$PWD/requests" dpop=nonce >mcp.url 2>mcp.log &
servers+=("$!")
read -r URL <mcp.url
URL=$URL/mcp
export BROWSER="curl -sS -L -o /dev/null"
works authctl signin --resource "$URL" --dpop
bridge
for number in 1 2 3; do
    call $number
    reply $number "'result' in d"
done
python3 - <<'P'
import json
sent = [json.loads(line) for line in open("requests")]
sent = [one["headers"] for one in sent if one["json"].get("method") == "tools/call"]
assert len(sent) in (3, 4), len(sent)
assert all(one["authorization"].startswith("DPoP ") for one in sent)
assert len({one["dpop"] for one in sent}) == len(sent)
P

#: A stream that is lost within an event continues after the last complete one.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
cat >cut.py <<'P'
import http.server, json, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def send(self, status, kind, text, *headers):
        self.send_response(status)
        for name, value in [("Content-Type", kind), *headers]: self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send(200, "text/event-stream", 'id: 1\ndata:\n\nid: 2\ndata: {"jsonrpc":"2.0","id":1,"res')
    def do_GET(self):
        if "well-known" in self.path:
            self.send(200, "application/json", json.dumps({"resource": base + "/mcp", "authorization_servers": [sys.argv[1]]}))
        elif not self.headers["Authorization"]:
            self.send(401, "text/plain", "", ("WWW-Authenticate", f'Bearer resource_metadata="{base}/.well-known/x"'))
        elif self.headers["Last-Event-ID"] == "1":
            self.send(200, "text/event-stream", 'id: 2\ndata: {"jsonrpc":"2.0","id":1,"result":"whole"}\n\n')
        else: self.send(404, "text/plain", "")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
base = f"http://127.0.0.1:{server.server_port}"
print(base, flush=True)
server.serve_forever()
P
python3 cut.py "$ISSUER" >cut.url &
servers+=($!)
URL=$(awaits cut.url 'http.*')/mcp
works authctl signin --resource "$URL" --provider oidc.test
bridge
call 1
reply 1 "d['result'] == 'whole'"

#: A late response to a request of an ended session does not end the session that replaced it.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
cat >sessions.py <<'P'
import http.server, json, sys, threading
valid, ends = [], threading.Event()
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def send(self, status, value=None, *headers):
        body = json.dumps(value).encode() if value else b""
        self.send_response(status)
        for name, value in [("Content-Type", "application/json"), ("Content-Length", str(len(body))), *headers]: self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
    def do_DELETE(self): self.send(200)
    def do_GET(self):
        if "well-known" in self.path: self.send(200, {"resource": base + "/mcp", "authorization_servers": [sys.argv[1]]})
        elif not self.headers["Authorization"]: self.send(401, None, ("WWW-Authenticate", f'Bearer resource_metadata="{base}/.well-known/x"'))
        else: self.send(405)
    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        result = {"jsonrpc": "2.0", "id": message.get("id"), "result": {"protocolVersion": "2025-06-18"}}
        if message["method"] == "initialize":
            valid.append(str(len(valid)))
            return self.send(200, result, ("Mcp-Session-Id", valid[-1]))
        if message["method"] == "slow": ends.wait()
        if message["method"] == "end": ends.set()
        if message["method"] == "restart": valid.append("none")
        self.send(*((200, result) if valid[-1] == self.headers["Mcp-Session-Id"] else (404,)))
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
base = f"http://127.0.0.1:{server.server_port}"
print(base, flush=True)
server.serve_forever()
P
python3 sessions.py "$ISSUER" >sessions.url &
servers+=($!)
URL=$(awaits sessions.url 'http.*')/mcp
works authctl signin --resource "$URL" --provider oidc.test
bridge
say "$initialize"
reply '"i"' "'result' in d"
say '{"jsonrpc":"2.0","id":1,"method":"slow"}'
say '{"jsonrpc":"2.0","id":2,"method":"restart"}'
reply 2 "'ended the MCP session' in d['error']['message']"
: >replies
say "$initialize"
reply '"i"' "'result' in d"
say '{"jsonrpc":"2.0","id":3,"method":"end"}'
reply 3 "'result' in d"
reply 1 "'ended the MCP session' in d['error']['message']"
say '{"jsonrpc":"2.0","id":4,"method":"tools/list"}'
reply 4 "'result' in d"

#: Without a session, a message is sent without a token, and a message that requires one gets the error with the sign-in.
mkfifo mcp.url
"$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/mcp_authorization.py" "$PWD/requests" open=initialize >mcp.url 2>mcp.log &
servers+=("$!")
read -r URL <mcp.url
URL=$URL/mcp
export BROWSER="curl -sS -L -o /dev/null"
bridge
say "$initialize"
reply '"i"' "'result' in d"
call 1
reply 1 "d['error']['code'] == 4 and d['error']['data']['hint'] == 'authctl signin --resource $URL'"
works authctl signin --resource "$URL"
call 2
reply 2 "'result' in d"

#: The messages of a batch are forwarded one by one, and each request gets its response or its error.
mkfifo mcp.url
"$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/mcp_authorization.py" "$PWD/requests" open=initialize batch=yes >mcp.url 2>mcp.log &
servers+=("$!")
read -r URL <mcp.url
URL=$URL/mcp
export BROWSER="curl -sS -L -o /dev/null"
bridge
say "[$initialize, {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\"} ]"
reply '"i"' "'result' in d"
reply 7 "d['error']['code'] == 4"
works authctl signin --resource "$URL"
say '[{"jsonrpc":"2.0","id":8,"method":"tools/list"},{"jsonrpc":"2.0","id":9,"method":"ping"}, 5]'
reply 8 "'result' in d"
reply 9 "'result' in d"
reply null "d['error']['code'] == -32700"
for invalid in '[]' '[ ' '[[{"jsonrpc":"2.0","id":10,"method":"ping"}]]'; do
    : >replies
    say "$invalid"
    reply null "d['error']['code'] == -32700"
done

#: A hostile list of tools costs little time, and the bridge ends with its client.
mkfifo mcp.url
"$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/mcp_authorization.py" "$PWD/requests" open=tools/list tools=150000 >mcp.url 2>mcp.log &
servers+=("$!")
read -r URL <mcp.url
URL=$URL/mcp
export BROWSER="curl -sS -L -o /dev/null"
works authctl signin --resource "$URL"
bridge
list='"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}'
say "{\"jsonrpc\":\"2.0\",\"id\":1,$list"
awaits replies '"id": ?1[,}]' >/dev/null
say "{\"jsonrpc\":\"2.0\",\"id\":2,$list"
exec 7>&-
wait "$BRIDGE" || fail "exit $?"
