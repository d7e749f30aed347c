# `authctl serve --upstream`: processes call an API with the session's token, and never have it.

mkdir -m 700 run
socket=$PWD/run/api.sock
audit=$HOME/.config/authctl/serve-audit.jsonl

# api FLAGS…: starts an API that records its requests in the file seen, and lets the provider's tokens be sent to it.
api() {
    rm -f api.url && mkfifo api.url
    : >seen
    python3 "$ROOT/Tests/Servers/api.py" seen "$@" >api.url 2>api.log &
    API_SERVER=$!
    servers+=("$API_SERVER")
    read -r API <api.url
    works authctl providers set oidc.test --api-host "$API"
}
# proxied FLAGS…: starts a proxy for the API at $socket, and waits until it serves.
proxied() {
    : >serve.err
    authctl serve --socket "$socket" --upstream "${API:-$ISSUER}" "$@" 2>serve.err &
    SERVER=$!
    servers+=("$SERVER")
    awaits serve.err '^authctl: serving ' >/dev/null
}
# calls STATUS TARGET [CURL-FLAGS…]: the proxy responds with this status, or one that matches the pattern. The body is in the file response.
calls() {
    local expected=$1 target=$2 status
    shift 2
    status=$(curl -sS --path-as-is --max-time $PATIENCE --unix-socket "$socket" -o response -w '%{http_code}' "$@" "http://api$target") || fail "no response to $target"
    [[ $status = $expected ]] || fail "status $status, not $expected, to $target: $(cat response)"
}
# true_of FILE EXPRESSION: checks a Python expression over d, the JSON lines of the file.
true_of() { python3 -IS -c "import json,sys; d=[json.loads(l) for l in open('$1')]; sys.exit(0 if ($2) else 1)" || fail "not true of $1: $2: $(cat "$1")"; }
# client CODE: runs Python code with `s`, a connected socket, and `ask`, which sends bytes and returns the status.
client() {
    python3 -IS -c "
import json, os, socket, sys, time
def connect():
    s = socket.socket(socket.AF_UNIX); s.settimeout($PATIENCE); s.connect('$socket'); return s
def whole(s):
    data = b''
    while more := s.recv(65536): data += more
    return data
def ask(data):
    s = connect(); s.sendall(data); answer = whole(s)
    return int(answer.split()[1]) if answer else None
s = connect()
$1" || fail "the client failed: $1"
}

#: A rule allows methods and paths; other requests are refused, and each request is in the audit file.
signed_in
api
proxied --allow 'GET /repos/corp/**' --allow 'POST /repos/corp/*/issues' --allow '* /any'
token=$(authctl token)
calls 200 '/repos/corp/tools/contents/a.txt?ref=main&q=a%2Fb'
grep -qF '"target": "/repos/corp/tools/contents/a.txt?ref=main&q=a%2Fb"' response || fail "$(cat response)"
calls 200 /repos/corp/tools -I
calls 200 /repos/corp/tools/issues -d '{"title":"x"}'
for method in GET POST PUT PATCH DELETE; do calls 200 /any -X $method; done
for refused in '/repos/corp' '/repos/other/tools' '/repos/CORP/tools' '/user' '/any/more'; do
    calls 403 "$refused"
    grep -qF '"code":"operation-not-allowed"' response && grep -qF "no rule allows 'GET $refused'" response || fail "$(cat response)"
done
calls 403 /repos/corp/tools -X DELETE
calls 403 /repos/corp/tools/pulls/issues -d x
true_of seen "len(d) == 8 and all(r['headers'] and ['Authorization', 'Bearer $token'] in r['headers'] for r in d)"
true_of "$audit" "[l['outcome'] for l in d] == ['sent', 'forwarded'] * 8 + ['refused'] * 7 and d[1]['rule'] == 'GET /repos/corp/**' and d[-1]['rule'] is None"
# Both lines of a request have its ID.
true_of "$audit" "[l['id'] for l in d[:16:2]] == [l['id'] for l in d[1:16:2]] and len({l['id'] for l in d}) == 9 and d[-1]['id'] is None"
true_of "$audit" "d[0]['status'] is None and d[0]['path'] == d[1]['path'] and d[0]['account'] == d[1]['account']"
true_of "$audit" "d[1]['method'] == 'GET' and d[1]['path'] == '/repos/corp/tools/contents/a.txt' and d[1]['status'] == 200 and d[1]['account'] and d[1]['program'] == 'curl' and d[-1]['status'] == 403"
! grep -qE 'ref=main' "$audit" || fail "a query was recorded"
! grep -qF "$token" "$audit" serve.err || fail "the token was recorded"
[ "$(stat -c %a "$audit")" = 600 ] || fail "its mode"
kill "$SERVER"
wait "$SERVER" || fail "it failed"
[ ! -e "$socket" ] || fail "the socket is still there"

#: A path that servers could read in different ways is refused before the rules.
signed_in
api
proxied --allow 'GET /repos/**' --allow 'GET /*/x'
for path in /repos/../user /repos/./x //repos/x /repos//x '/repos/%2e%2e/user' '/repos/%2E/x' '/repos/a%2fb' '/repos/a%5cb' '/repos/a\b' '/repos/%252e' '/repos/%00' \
    '/repos/..%20/user' '/repos/%20..' '/repos/%c0%ae%c0%ae/user' '/repos/%EF%BC%8E%EF%BC%8E/user' '/repos/%2e%2e;/user' '/repos/c;d=e/x' \
    '/repos/a%0d' '/repos/..;/user' '/repos/;x' '/repos/a%3fb' '/repos/a%23b' '/repos/%zz' '/repos/%2' '/repos/a%3bb'; do
    calls 400 "$path"
done
client "
for target in [b'http://other.example/repos/x', b'https://api/repos/x', b'*', b'/repos/a#b', b'/repos/\x01', b'/repos/\xc3\xa9', b'/repos/a b', b'repos/x', b'/repos/|', b'/repos/\"']:
    status = ask(b'GET ' + target + b' HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert status == 400, (target, status)
"
calls 200 '/repos/a%20b/%C3%A9/c,d=e/~f'
true_of seen "[r['target'] for r in d] == ['/repos/a%20b/%C3%A9/c,d=e/~f']"

#: A request that could hide another one, or is not plain HTTP/1.1, is refused.
signed_in
api
proxied --allow '* /**'
client "
post = b'POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n'
bad = {
    'both lengths': post + b'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'two lengths': post + b'Content-Length: 1\r\nContent-Length: 1\r\n\r\na',
    'a list of lengths': post + b'Content-Length: 1, 1\r\n\r\na',
    'a signed length': post + b'Content-Length: +1\r\n\r\na',
    'a folded line': post + b'A: b\r\n c\r\n\r\n',
    'a bare LF': b'GET / HTTP/1.1\nHost: x\n\n',
    'a bare LF in the head': post + b'A: b\nTransfer-Encoding: chunked\r\n\r\n',
    'a bare CR': post + b'A: b\rC: d\r\n\r\n',
    'a space before the colon': post + b'Content-Length : 1\r\n\r\na',
    'another coding': post + b'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'a spelling of chunked': post + b'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    'two codings': post + b'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'a chunk extension': post + b'Transfer-Encoding: chunked\r\n\r\n1;a=b\r\na\r\n0\r\n\r\n',
    'a chunk without digits': post + b'Transfer-Encoding: chunked\r\n\r\n\r\n\r\n',
    'a signed chunk': post + b'Transfer-Encoding: chunked\r\n\r\n-1\r\na\r\n0\r\n\r\n',
    'a huge chunk': post + b'Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\na',
    'a chunk that is longer': post + b'Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n',
    'trailers': post + b'Transfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n\r\n',
    'no host': b'GET / HTTP/1.1\r\n\r\n', 'two hosts': b'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    'a NUL': b'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n', 'a name with a space': post + b'A B: c\r\n\r\n',
    'no version': b'GET /\r\n\r\n', 'two spaces': b'GET  / HTTP/1.1\r\nHost: x\r\n\r\n',
    'the preface of HTTP/2': b'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'TLS': b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'an empty line first': b'\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'a body of HEAD': b'HEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na',
    'CONNECT': b'CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
}
for name, data in bad.items():
    s = connect(); s.sendall(data); answer = whole(s)
    assert answer.startswith(b'HTTP/1.1 400 '), (name, answer)
    if not data.startswith(b'HEAD'): assert json.loads(answer.split(b'\r\n\r\n')[1])['error']['code'] == 'usage', (name, answer)
for name, status, data in [
    ('HTTP/1.0', 505, b'GET / HTTP/1.0\r\nHost: x\r\n\r\n'), ('TRACE', 501, b'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ('OPTIONS', 501, b'OPTIONS / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ('Upgrade', 501, b'GET / HTTP/1.1\r\nHost: x\r\nConnection: close, upgrade\r\nUpgrade: websocket\r\n\r\n'),
    ('another expectation', 417, post + b'Connection: close\r\nExpect: all\r\n\r\n'),
    ('a megabyte of headers', 431, b'GET / HTTP/1.1\r\n' + b'A: b\r\n' * 170000), ('a long target', 414, b'GET /' + b'a' * 70000),
    ('a long line', 431, b'GET / HTTP/1.1\r\nA: ' + b'a' * 1000000),
]:
    assert (got := ask(data)) == status, (name, got)
"
# The last chunk of each chunked body was missing or wrong, so that the API has read none of the requests to their end.
[ ! -s seen ] || true_of seen "all(r['method'] == 'POST' for r in d)"

#: Credentials and headers that replace the method or the host are removed from a request; cookies and the token from a response.
signed_in
api
proxied --allow 'GET /**'
token=$(authctl token)
calls 200 /repos -H 'Authorization: Bearer mine' -H 'Proxy-Authorization: Basic x' -H 'Cookie: a=b' -H 'DPoP: proof' -H 'X-Api-Key: k' -H 'Private-Token: t' \
    -H 'X-HTTP-Method-Override: DELETE' -H 'X-Original-URL: /admin' -H 'X-Forwarded-Host: evil.example' -H 'Host: evil.example' -H 'Forwarded: host=evil' \
    -H 'Connection: X-Hop' -H 'X-Hop: 1' -H 'TE: trailers' -H 'Accept: text/x' -H 'If-None-Match: "e"' -H 'X-Empty;' \
    -H 'X-HTTP-Host-Override: evil.example' -H 'Sudo: root' -H 'Impersonate-User: root' -H 'X-Auth-Key: k' -H 'Proxy: http://evil.example' -H 'Mcp-Api-Key: k'
true_of seen "sorted(n.lower() for n, _ in d[0]['headers']) == ['accept', 'accept-encoding', 'authorization', 'host', 'if-none-match', 'user-agent']"
true_of seen "dict(d[0]['headers'])['Authorization'] == 'Bearer $token' and dict(d[0]['headers'])['Host'] == '${API#http://}'"
calls 200 /cookie -D headers
grep -qi '^x-kept: yes' headers || fail "$(cat headers)"
! grep -qiE '^(set-cookie|access-control|x-gone|strict)' headers || fail "$(cat headers)"
calls 200 /folded -D headers
grep -q '^x-folded: one two' headers && grep -q '^x-next: three' headers || fail "$(cat headers)"
calls 302 /moved -D headers
grep -q '^location: https://other.example/path' headers || fail "$(cat headers)"
for target in /echo /zip; do
    calls 200 $target -D headers
    ! grep -qF "$token" headers response || fail "$target gave the token"
    grep -qE 'Bearer \*{20}' response || fail "$(cat response)"
done
grep -qE 'before Bearer \*+ between Bearer \*+ after$' response || calls 200 /echo
grep -qE 'before Bearer \*+ between Bearer \*+ after$' response || fail "$(cat response)"

#: The user can allow more headers, but none that is always refused.
signed_in
api
proxied --allow 'GET /**' --allow-header X-Team --allow-header openai-beta
calls 200 /a -H 'x-team: corp' -H 'OpenAI-Beta: b' -H 'Sudo: root' -H 'Range: bytes=0-1'
true_of seen "sorted(n.lower() for n, _ in d[0]['headers']) == ['accept', 'accept-encoding', 'authorization', 'host', 'openai-beta', 'user-agent', 'x-team']"
for name in Cookie Authorization If-Range Accept-Encoding X_Forwarded_Host X-Team-Token Connection Content-Length; do
    exits 64 authctl serve --socket run/other --upstream "$API" --allow 'GET /**' --allow-header "$name"
    err "^authctl: error: the proxy never forwards the header '$name' of --allow-header"
done
exits 64 authctl serve --socket run/other --upstream "$API" --allow 'GET /**' --allow-header 'X-Team: a'
err '^authctl: error: --allow-header must be the name of a header'
exits 64 authctl serve --socket run/other --allow provider=oidc.test --allow-header X-Team
err '^authctl: error: --allow-header requires --upstream'

#: A client's own token, user or method in a query or form is refused, and so is a form that cannot be checked.
signed_in
api
proxied --allow '* /**'
for query in access_token=mine 'a=b&access%5Ftoken=mine' 'a=b;_method=DELETE' 'sudo=root' 'method=delete'; do
    calls 403 "/a?$query"
    grep -qF '"code":"operation-not-allowed"' response && grep -qF 'the proxy does not forward the parameter' response || fail "$(cat response)"
done
calls 403 /a -d 'title=x&_method=DELETE'
true_of "$audit" "[(l['outcome'], l['status'], l['error'], l['rule']) for l in d] == [('refused', 403, 'operation-not-allowed', '* /**')] * 6"
calls 403 /a -F title=x
calls 403 /a -H 'Transfer-Encoding: chunked' -d a=b
grep -qF -- '--allow-body form' response || fail "$(cat response)"
calls 403 /a -H Content-Type: -d a=b
{ printf a=; head -c 65536 /dev/zero | tr '\0' b; } >long
calls 403 /a -d @long
[ ! -s seen ] || fail "$(cat seen)"
calls 200 '/a?q=access_token' -d 'title=access_token&page_token=x'
calls 200 /a -H 'Content-Type: text/plain' -d @long
kill "$SERVER"
wait "$SERVER" || fail "it failed"
proxied --allow '* /**' --allow-body form
calls 200 /a -d @long
calls 200 /a -F file=@long
calls 403 '/a?access_token=mine'

#: A body that the API does not read is not the beginning of another request, with the token.
signed_in
api
proxied --allow '* /**'
hidden=$'GET /admin HTTP/1.1\r\nHost: x\r\nX: '
calls 200 /careless -X DELETE -H 'Content-Type: text/plain' -d "$hidden"
calls 200 /a
calls 200 /careless -X PUT -H 'Content-Type: text/plain' -H 'Transfer-Encoding: chunked' -d "$hidden"
calls 200 /b
# The server of the API reads the rest as a request, which must not have the token.
with_token="[r for r in d if 'Bearer' in str(r['headers'])]"
true_of seen "[r['target'] for r in $with_token] == ['/careless', '/a', '/careless', '/b']"
calls 403 /careless -X GET -d "$hidden" -H 'Content-Type: text/plain'
grep -qF -- '--allow-body get' response || fail "$(cat response)"
calls 403 /careless -X GET -H 'Transfer-Encoding: chunked' -d "$hidden" -H 'Content-Type: text/plain'
kill "$SERVER"
wait "$SERVER" || fail "it failed"
proxied --allow '* /**' --allow-body get
calls 200 /careless -X GET -d "$hidden" -H 'Content-Type: text/plain'
calls 200 /c
calls 200 /d -X GET -d body -H 'Content-Type: text/plain'
true_of seen "[(r['target'], r['length']) for r in $with_token[4:]] == [('/careless', None), ('/c', 0), ('/d', 4)]"

#: A former token that the API repeats after a refresh is hidden too.
signed_in
api
proxied --allow 'GET /**'
former=$(authctl token)
calls 200 /a
session_set tokens.expiresAt 1
calls 200 /former
[ "$(authctl token)" != "$former" ] || fail "the token was not refreshed"
! grep -qF -e "$former" -e "$(authctl token)" response || fail "$(cat response)"
grep -qE '^\*+ \*+$' response || fail "$(cat response)"

#: Slow uploads of one process leave places for others.
signed_in
api
proxied --allow '* /**'
client "
import subprocess
begin = b'POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n'
def upload():
    s = connect()
    try:
        s.sendall(begin)
        s.recv(100)   # the upload has begun, or the connection was closed
        s.sendall(b'1\r\na\r\n')
    except OSError: pass
    return s
slow = [upload() for _ in range(256)]
for _ in range(3):
    status = subprocess.run(['curl', '-sS', '--max-time', '$PATIENCE', '--unix-socket', '$socket', '-o', 'response', '-w', '%{http_code}', 'http://api/b'],
        stdout=subprocess.PIPE).stdout
    assert status == b'200', status
"

#: Events arrive when the API sends them, and a body of the client when the client sends it.
signed_in
api
proxied --allow '* /**'
curl -sSN --unix-socket "$socket" "http://api/events?after=$PWD/go" >events 2>curl.err &
reader=$!
awaits events '^data: 0$' >/dev/null
for number in 1 2 3; do
    ! grep -q "^data: $number$" events || fail "too early"
    : >go
    awaits events "^data: $number$" >/dev/null
done
wait $reader || fail "curl failed"
client "
s.sendall(b'POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n')
assert s.recv(100) == b'HTTP/1.1 100 Continue\r\n\r\n'
for _ in range(3): s.sendall(b'5\r\nhello\r\n')
s.sendall(b'0\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
answer = whole(s)
assert answer.count(b'HTTP/1.1 200') == 2 and answer.endswith(b'0\r\n\r\n') or b'\"/b\"' in answer, answer
s = connect()
s.sendall(b'PUT /c HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n')
assert s.recv(100) == b'HTTP/1.1 100 Continue\r\n\r\n'
s.sendall(b'abc')
assert b' 200 ' in whole(s)
"
true_of seen "[(r['method'], r['length']) for r in d[1:]] == [('POST', 15), ('GET', 0), ('PUT', 3)]"
# A response that the API does not end is not ended by the proxy either. (The proxy would hold back a last byte that is the
# token's first, so the last one is a line feed.)
client "
s.sendall(b'GET /lost HTTP/1.1\r\nHost: x\r\n\r\n')
answer = whole(s)
assert answer.endswith(b'5\r\nhalf\n\r\n'), answer
"

#: A query with characters that no URL has arrives encoded, an offer of HTTP/2 is ignored, and a refusal says what is too long.
signed_in
api
proxied --allow 'GET /a/**'
client "
s.sendall(b'GET /a/x?t=A|B&q={a}^\"<>[]%7C HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
assert b' 200 ' in whole(s)
"
true_of seen "d[-1]['target'] == '/a/x?t=A%7CB&q=%7Ba%7D%5E%22%3C%3E[]%7C'"
calls 200 /a/x --http2
true_of seen "not {'upgrade', 'connection', 'http2-settings'} & {name.lower() for name, _ in d[-1]['headers']}"
calls 505 /a/x --http1.0
grep -q 'only HTTP/1.1 is supported' response || fail "$(cat response)"
calls 414 "/a/$(printf '%09000d' 0)"
grep -q 'URL is longer than 8192 bytes' response || fail "$(cat response)"

#: A response and a request of 256 MB pass through a proxy whose memory stays small.
signed_in
api
proxied --allow '* /**'
calls 200 /a
peak() { grep VmHWM /proc/$SERVER/status | tr -dc 0-9; }
before=$(peak)
[ "$(curl -sS --unix-socket "$socket" "http://api/bytes?count=268435456" | wc -c)" = 268435456 ] || fail "not all"
head -c 268435456 /dev/zero | curl -sS --unix-socket "$socket" -T - -o response http://api/a
true_of seen "d[-1]['length'] == 268435456"
after=$(peak)
[ $((after - before)) -lt 8192 ] || fail "it used $((after - before)) KB more"

#: A client that never reads stops its own request only, and is disconnected; a client that is gone ends its request.
signed_in
api
proxied --allow '* /**'
client "
import subprocess
s.sendall(b'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
while not os.path.exists('sent'): time.sleep(0.01)
before = None
while before != (before := open('sent').read()): time.sleep(0.5)
other = connect()
other.sendall(b'GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
assert b' 200 ' in whole(other)
assert int(before) < 64 << 20, before
while not os.path.exists('ended'): time.sleep(0.05)
os.remove('ended')
s = connect()
s.sendall(b'GET /a HTTP/1.1\r\nHost: x\r\n\r\n')
s.shutdown(socket.SHUT_WR)
assert b' 200 ' in whole(s), 'no response after the end of the request'
s = connect()
s.sendall(b'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
assert s.recv(1) == b'H'
s.close()
while not os.path.exists('ended'): time.sleep(0.05)
s = connect()
s.sendall(b'GET /silent HTTP/1.1\r\nHost: x\r\n\r\n')
while b'/silent' not in open('seen', 'rb').read(): time.sleep(0.01)
s.close()
"
awaits "$audit" '"path":"/silent".*"error":"client-closed"' >/dev/null
true_of "$audit" "[l['outcome'] for l in d if l['path'] == '/silent'] == ['sent', 'failed']"

#: DPoP-bound tokens: each request has its own proof, with the nonce of the API.
emulator --fault dpop-nonce
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test --dpop
proxied --allow 'GET /userinfo' --allow 'POST /userinfo'
for _ in 1 2 3 4 5; do
    calls 200 /userinfo
    grep -q ada@example.com response || fail "$(cat response)"
done
calls 200 /userinfo -X POST
calls 403 /token

#: A token that has expired, or that the API rejects, is refreshed once for 50 clients.
signed_in
: >rejected
api --rejected "$PWD/rejected"
proxied --allow '* /**'
calls 200 /first
# fifty PATH [FLAGS…]: 50 clients at once, which all get the response of the API.
fifty() {
    local number clients=() path=$1
    shift
    for number in {1..50}; do
        curl -sS --max-time $PATIENCE --unix-socket "$socket" -o "response.$number" -w '%{http_code}\n' "$@" "http://api$path" >"status.$number" &
        clients+=($!)
    done
    for number in "${clients[@]}"; do wait "$number" || fail "a client failed"; done
    [ "$(sort status.* | uniq -c | tr -s ' ')" = ' 50 200' ] || fail "$(sort status.* response.* | uniq -c)"
}
session_set tokens.expiresAt 1
fifty /expired
[ "$(requests 'token refresh_token')" = 1 ] || fail "$(requests 'token refresh_token') refreshes"
true_of seen "len({dict(r['headers'])['Authorization'] for r in d if r['target'] == '/expired'}) == 1"
next_second
authctl token >rejected
fifty /rejected -d body
[ "$(requests 'token refresh_token')" = 2 ] || fail "$(requests 'token refresh_token') refreshes"
true_of seen "len({dict(r['headers'])['Authorization'] for r in d if r['target'] == '/rejected'}) == 2 and all(r['length'] == 4 for r in d if r['target'] == '/rejected')"
# If the API rejects the new token too, its response is passed on, and nothing is refreshed again.
for _ in 1 2 3; do
    calls 401 /denied
    grep -q 'the token is not valid' response || fail "$(cat response)"
done
[ "$(requests 'token refresh_token')" = 3 ] || fail "$(requests 'token refresh_token') refreshes"

#: An API that is started again is used again; one that is not there is an error that says so.
signed_in
api
proxied --allow 'GET /**'
calls 200 /a
kill "$API_SERVER"
wait "$API_SERVER" 2>/dev/null || true
calls 502 /a
grep -qF '"code":"network-request-failed"' response || fail "$(cat response)"
port=${API##*:}
: >api.log
python3 "$ROOT/Tests/Servers/api.py" seen --port "$port" >api.log 2>&1 &
servers+=($!)
awaits api.log '^http://' >/dev/null
calls 200 /b
true_of "$audit" "[(l['outcome'], l['status']) for l in d] == [('sent', None), ('forwarded', 200), ('sent', None), ('failed', 502), ('sent', None), ('forwarded', 200)]"
# A sign-out also ends streams, within a second.
curl -sSN --unix-socket "$socket" "http://api/events?after=$PWD/go" >events 2>curl.err &
reader=$!
awaits events '^data: 0$' >/dev/null
works authctl signout --all
began=${EPOCHREALTIME/.}
code=0
wait "$SERVER" || code=$?
[ $code = 4 ] || fail "the proxy ended with $code: $(cat serve.err)"
[ $((${EPOCHREALTIME/.} - began)) -lt 1800000 ] || fail "it ended after $((${EPOCHREALTIME/.} - began)) microseconds"
! wait $reader || fail "the stream ended as if it were whole"

#: A request that a rule allows, and for which there is no token, is recorded as failed.
signed_in
api
proxied --allow 'GET /**'
session_set tokens.expiresAt 'old - 4000'
kill "$EMULATOR" && wait "$EMULATOR" || true
calls 502 /a
calls 403 /a -X POST
true_of "$audit" "[(l['outcome'], l['rule'], l['id']) for l in d] == [('failed', 'GET /**', None), ('refused', None, None)]"
[ ! -s seen ] || fail "a request without a token"

#: If the disk of the audit file is full, no request is sent to the API, and one that was sent before is in the file.
if [ "$(id -u)" != 0 ] || ! unshare --mount true 2>/dev/null; then exit 0; fi
signed_in
api
mkdir full
unshare --mount sh -c 'mount -t tmpfs -o size=16k none full && exec "$@"' sh authctl serve --socket "$socket" --upstream "$API" --allow 'GET /**' --audit full/uses 2>serve.err &
servers+=($!)
awaits serve.err '^authctl: serving ' >/dev/null
calls 200 /a
curl -sS --unix-socket "$socket" http://api/silent >/dev/null 2>&1 &
silent=$!
awaits seen /silent >/dev/null
! cat /dev/zero >"/proc/${servers[-1]}/cwd/full/zeros" 2>/dev/null || fail "the disk is endless"
# The last page of the file has space for some lines.
for number in {1..50}; do calls '[52]0[03]' "/b/$number" && ! grep -qF '"code":"store-unavailable"' response || break; done
grep -qF '"code":"store-unavailable"' response || fail "$(cat response)"
kill "$silent"
# The last line may be cut off: its request was not sent.
grep '}$' "/proc/${servers[-1]}/cwd/full/uses" >uses
python3 -IS -c "
import json
sent, seen = [[json.loads(line) for line in open(name)] for name in ('uses', 'seen')]
sent, seen = [line['path'] for line in sent if line['outcome'] == 'sent'], [line['target'] for line in seen]
assert sent == seen and seen[:2] == ['/a', '/silent'] and '/b/50' not in seen, (sent, seen)" || fail "a request was sent without a line"

#: On a loopback port the local key is required, which is worthless elsewhere; websites cannot use the port.
signed_in
api
mkfifo place
authctl serve --port 0 --upstream "$API" --allow 'GET /**' >place 2>serve.err &
SERVER=$!
servers+=("$SERVER")
read -r url key <place
[[ $url =~ ^http://127\.0\.0\.1:[0-9]+$ ]] && [ ${#key} = 43 ] || fail "$url $key"
status() { curl -sS --max-time $PATIENCE -o response -w '%{http_code}' "$@"; }
[ "$(status -H "Authorization: Bearer $key" "$url/a")" = 200 ] || fail "$(cat response)"
[ "$(status -H "Authorization: token $key" "$url/a")" = 200 ] || fail "$(cat response)"
[ "$(status -H "X-Authctl-Key: $key" -H 'Authorization: Bearer mine' "http://localhost:${url##*:}/a")" = 200 ] || fail "$(cat response)"
[ "$(status "$url/a")" = 401 ] || fail "without a key"
python3 -IS -c "
import socket
s = socket.create_connection(('127.0.0.1', ${url##*:}))
s.settimeout($PATIENCE)
s.sendall(b'GET /a HTTP/1.1\r\nHost: 127.0.0.1:${url##*:}\r\nX-Authctl-Key: $key\r\n\r\n')
s.shutdown(socket.SHUT_WR)
assert b' 200 ' in s.recv(1000)" || fail "no response after the end of the request"
[ "$(status -H "Authorization: Bearer ${key%?}" "$url/a")" = 401 ] || fail "a part of the key"
[ "$(status -H "Authorization: Bearer $(authctl token)" "$url/a")" = 401 ] || fail "the token as key"
[ "$(status -H "Authorization: Bearer $key" -H 'Host: evil.example' "$url/a")" = 421 ] || fail "another host"
[ "$(status -H "Authorization: Bearer $key" -X OPTIONS -H 'Origin: https://evil.example' "$url/a")" = 501 ] || fail "CORS"
true_of seen "len(d) == 4 and not any('$key' in json.dumps(r) for r in d)"
true_of "$audit" "[l['status'] for l in d if l['outcome'] != 'sent'] == [200] * 3 + [401, 200] + [401] * 2 + [421, 501] and d[0]['process'] is None"
! grep -qF "$key" "$audit" serve.err || fail "the key was recorded"
exits 64 authctl serve --upstream "$API" --allow 'GET /**'
exits 64 authctl serve --port 0 --allow provider=oidc.test
exits 1 authctl serve --port "${url##*:}" --upstream "$API" --allow 'GET /**'

#: A process without network in bubblewrap calls the API, and nothing in its memory, environment or files is the token.
signed_in
api
proxied --allow 'GET /**'
cat >client.py <<'P'
import socket, sys
sys.path.insert(0, "/")
import memory
port, control, *sums = sys.argv[1:]
def get(path):
    s = socket.socket(socket.AF_UNIX)
    s.connect("/run/api.sock")
    s.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n")
    data = b""
    while more := s.recv(65536): data += more
    return data
kept = [get(path) for path in (b"/repos/corp", b"/echo", b"/cookie", b"/zip")]
open("/tmp/kept", "wb").write(b"".join(kept))
print(*(answer.split()[1].decode() for answer in kept))
try:
    socket.create_connection(("127.0.0.1", int(port)))
    print("the network can be used")
except OSError: print("no network")
print(memory.found(sums))
planted = "".join(["pla", "nted-in-the-sand", "box"])
print(memory.found([control]))
open("/tmp/planted", "w").write(planted)
print(memory.found([control]))
P
sum_of() { python3 -c "import sys; sys.path.insert(0, '$ROOT/Tests/Servers'); import memory; print(*map(memory.sum_of, sys.argv[1:]))" "$@"; }
works bwrap --unshare-all --die-with-parent --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 --symlink usr/bin /bin --proc /proc --dev /dev \
    --tmpfs /tmp --tmpfs /run --bind "$socket" /run/api.sock --ro-bind client.py /client.py --ro-bind "$ROOT/Tests/Servers/memory.py" /memory.py \
    --clearenv --setenv PATH /usr/bin \
    python3 -B /client.py "${API##*:}" $(sum_of planted-in-the-sandbox) $(sum_of "$(authctl token)" $(grep -vE '.{2000}' secrets | grep -E '^.{16}'))
[ "$(cat stdout)" = "$(printf '200 200 200 200\nno network\nnothing\nmemory\nfiles memory')" ] || fail "not as expected"

#: Rules that cannot be meant are refused at the start, with the corrected command.
signed_in
for rule in '/repos/**' 'GET repos' 'get /repos/**' 'GET /a/**/b' 'GET /a*' 'GET /../a' 'GET /a//b' 'GET  /a' 'FETCH /a' 'GET /a?b=c' 'provider=oidc.test'; do
    exits 64 authctl serve --socket "$socket" --upstream "$ISSUER" --allow "$rule"
    err '^authctl: error: .*invalid value of --allow .*\(usage\)$'
done
err "^authctl: hint: the form is a method and a path, such as 'GET /repos/[*][*]'$"
exits 64 authctl serve --upstream "$ISSUER" --allow 'GET /a'
err '^authctl: hint: authctl serve --help$'
exits 64 authctl serve --upstream "$ISSUER" --allow 'GET /a' --socket "$socket" --port 0
err "^authctl: error: --port cannot be used with --socket"
exits 64 authctl serve --socket "$socket" --upstream "$ISSUER" --resource https://other.example/ --allow 'GET /a'
err "--upstream must be the server of --resource, 'https://other.example:443'"
for path in /a/../b /a//b /a/%2e%2e '/a;b'; do
    exits 64 authctl serve --socket "$socket" --upstream "$ISSUER$path" --allow 'GET /a'
    err 'the path of --upstream could be read in several ways'
done
exits 7 authctl serve --socket "$socket" --upstream https://other.example --allow 'GET /a'
exits 7 authctl serve --socket "$socket" --upstream http://other.example --allow 'GET /a'
