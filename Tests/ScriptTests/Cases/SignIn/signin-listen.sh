# The callback arrives at another address than loopback, as at a published port of a container: --listen.
. "$ROOT/Tests/ScriptTests/terminal.sh"

emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
port=$(free_port)
ADDRESS=127.0.0.2

# signs_in [FLAGS…]: starts a sign-in on a terminal, and sets URL to the authorization URL.
signs_in() {
    terminal 600 24 "authctl ${COMMAND:-signin} --listen $ADDRESS --port $port --no-browser $*"
    shows 'Waiting, '
    URL=$(grep -oE "$ISSUER/authorize[^ ]*" screen)
}
# callback [PARAMETER]: prints the callback URL of a user who signs in with the browser.
callback() { curl -sS -o /dev/null -w '%{redirect_url}' "$URL${1:-}"; }
# visits URL [FLAGS…]: requests a URL of the published port, whose connections arrive at the address; writes the page, and
# prints the status.
visits() {
    local url=$1
    shift
    curl -sS -o page -w '%{http_code}' --connect-to "127.0.0.1:$port:$ADDRESS:$port" "$@" "$url"
}
number() { grep -oE 'Enter [0-9]{4} at the terminal' page | head -n 1 | grep -oE '[0-9]+'; }

#: The browser shows a number. The sign-in is completed when the user has entered it.
signs_in
[ "$(visits "$(callback)")" = 200 ] || fail "$(cat page)"
shows 'Number that the browser shows \(n if none\): '
# The code is not redeemed before.
[ "$(requests "token authorization_code")" = 0 ] || fail "the code was redeemed"
types "$(number)"
shows 'ended with 0'
works authctl whoami
out 'ada@example.com'
! curl -sS "http://$ADDRESS:$port/" 2>/dev/null || fail "the port is still open"
[ "$(requests "token authorization_code")" = 1 ] || fail "redeemed $(requests token) times"

#: Also for link and reauth, on all addresses.
ADDRESS=0.0.0.0
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
works authctl signin oidc.test
for COMMAND in "link oidc.other" "reauth oidc.test"; do
    signs_in
    [ "$(visits "$(callback)")" = 200 ] || fail "$(cat page)"
    shows 'Number that the browser shows'
    types "$(number)"
    shows 'ended with 0'
done

#: Without --listen, the port is not reachable at another address.
terminal 600 24 "authctl signin --port $port --no-browser"
shows 'Waiting, '
URL=$(grep -oE "$ISSUER/authorize[^ ]*" screen)
visits "$(callback)" 2>curl.err && fail "it is reachable"
grep -q 'connect' curl.err || fail "$(cat curl.err)"
presses C-c
shows 'ended with 130'

#: An attacker who has the state sends a callback with a code of its own: the user's browser shows no number, and n ends it.
signs_in
attack=$(callback '&emulator_user=mallory@example.com')
other=()
[ "$(id -u)" != 0 ] || other=(setpriv --reuid 54321 --regid 54321 --clear-groups)
"${other[@]}" curl -sS --connect-to "127.0.0.1:$port:$ADDRESS:$port" "$attack" | grep -q 'Enter [0-9]* at the terminal' || fail "no page"
shows 'Number that the browser shows'
# The callback of the user's browser is the second one.
[ "$(visits "$(callback)")" = 410 ] || fail "$(cat page)"
[ ! -s page ] || fail "a number: $(cat page)"
[ "$(visits "${attack%%\?*}/done")" = 404 ] || fail "$(cat page)"
types n
shows 'ended with 65'
shows 'the browser does not show the number, so another program sent the callback'
shows 'hint: .*--flow device'
[ "$(requests "token authorization_code")" = 0 ] || fail "the code was redeemed"
exits 4 authctl whoami

#: A wrong number is asked again; after five, or with Ctrl-C, nothing is redeemed.
signs_in
visits "$(callback)" >/dev/null
shows 'Number that the browser shows'
for attempt in 1 2 3 4; do
    types 17
    until screen && [ "$(grep -c 'the browser shows another number' screen)" = "$attempt" ]; do pause 0.05; done
done
types 17
shows 'ended with [1-9]'
signs_in
visits "$(callback)" >/dev/null
shows 'Number that the browser shows'
presses C-c
shows 'ended with 130'
[ "$(requests "token authorization_code")" = 0 ] || fail "the code was redeemed"

#: Callbacks with a wrong state, at another host, path or method, garbage and slow clients do not prevent the right one.
signs_in
right=$(callback)
for _ in {1..30}; do [ "$(visits "${right%%\?*}?code=c&state=wrong")" = 404 ] || fail "$(cat page)"; done
[ "$(visits "$right" -H 'Host: attacker.example')" = 421 ] || fail "rebinding"
[ "$(visits "$right" -H "Host: $ADDRESS:$port")" = 421 ] || fail "rebinding"
[ "$(visits "$right" -X PUT)" = 405 ] || fail "PUT"
[ "$(visits "http://127.0.0.1:$port/?${right#*\?}")" = 404 ] || fail "path"
[ "$(visits "${right%%\?*}/done")" = 404 ] || fail "done"
python3 - "$ADDRESS" "$port" <<'P' &
import socket, sys, time
held = [socket.create_connection((sys.argv[1], int(sys.argv[2]))) for _ in range(40)]
for one in held: one.sendall(b"GET /callback?")
open("held", "w").write("held")
sys.stdin.read(); time.sleep(1000)
P
servers+=($!)
awaits held held >/dev/null
[ "$(visits "$right")" = 200 ] || fail "$(cat page)"
shows 'Number that the browser shows'
types "$(number)"
shows 'ended with 0'

#: A callback URL can still be pasted, without a number.
signs_in
types "$(callback)"
shows 'ended with 0'

#: Refuses names, other machines' addresses, a port that is in use, a free port, and flows without a port.
exits 64 authctl signin --listen localhost --port "$port"
err '--listen must be an IP address, for example 0.0.0.0'
exits 64 authctl signin --listen fe80::1%eth0 --port "$port"
for flow in device paste client-credentials; do
    exits 64 authctl signin --listen 0.0.0.0 --port "$port" --flow $flow
    err "--listen cannot be used with --flow $flow"
done
exits 64 authctl signin --listen 0.0.0.0 --begin
err '--listen cannot be used with --begin'
exits 64 authctl signin --listen 0.0.0.0 --id-token token
err '--listen cannot be used with --id-token'
exits 64 authctl signin --listen 0.0.0.0 --complete x
terminal 200 24 'authctl signin --listen 0.0.0.0'
shows 'ended with 64'
shows '--listen requires a fixed port, which the container publishes'
shows 'hint: add --port 8400'
terminal 200 24 "authctl signin --listen 192.0.2.1 --port $port"
shows 'ended with 69'
shows "'192.0.2.1' is not an address of this machine"
python3 -u -m http.server --bind 127.0.0.1 "$port" >server.log 2>&1 &
servers+=($!)
awaits server.log 'Serving' >/dev/null
terminal 200 24 "authctl signin --listen 0.0.0.0 --port $port"
shows 'ended with 1'
shows "port $port is in use by another program"

#: The port of the redirect URI is a fixed port.
works authctl providers set oidc.test --redirect-uri "http://127.0.0.1:$port/cb"
terminal 600 24 "authctl signin --listen $ADDRESS --no-browser"
shows 'Waiting, '
URL=$(grep -oE "$ISSUER/authorize[^ ]*" screen)
[ "$(visits "$(callback)")" = 200 ] || fail "$(cat page)"
shows 'Number that the browser shows'
types "$(number)"
shows 'ended with 0'

#: Without a terminal, where the user could enter the number, it is refused before anything else.
exits 4 authctl signin --listen 0.0.0.0 --port "$port"
err '--listen requires a terminal, to confirm that the callback came from your browser'
err 'hint: .*--flow device'
[ "$(requests authorize)" = 0 ] || fail "a request was sent"
