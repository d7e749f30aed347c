# The emulator as a provider for tests of other programs.

#: Sends a response on a kept-alive connection immediately.
# Without TCP_NODELAY the body waits for the client's delayed acknowledgement of the header.
mkfifo emulator.url
strace -D -f -qq -e trace=setsockopt,accept,accept4 -o calls authctl-emulator >emulator.url 2>emulator.log &
servers+=($!)
read -r ISSUER <emulator.url
works curl -sS -o /dev/null -o /dev/null "$ISSUER/.well-known/openid-configuration" "$ISSUER/jwks"
awaits calls 'TCP_NODELAY, \[1\]|accept.* = [0-9]+$' >first
grep -q TCP_NODELAY first || fail "a connection was accepted without TCP_NODELAY"

# A response to HEAD has no body (RFC 9110 section 9.3.2): one would be read as the next response.
works curl -sS -I "$ISSUER/jwks" -o /dev/null --next -sS -o /dev/null -w '%{http_code} %{num_connects}' "$ISSUER/jwks"
out '^200 0$'

#: A user with a non-ASCII name has an ASCII subject.
signed_in --user zoë@example.com
works authctl whoami --json
json "d['account']['email'] == 'zoë@example.com'"
works authctl token --type id
python3 - <stdout <<'P' || fail "the subject is not ASCII"
import base64, json, sys
claims = open("stdout").read().split(".")[1]
subject = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sub"]
sys.exit(0 if subject.isascii() and 0 < len(subject) <= 255 else 1)
P

#: --keys keeps the signing keys after a restart; without it, each start creates new keys.
# started FLAGS…: starts an emulator and stores its key set in the file jwks.
started() {
    rm -f emulator.url && mkfifo emulator.url
    authctl-emulator "$@" >emulator.url 2>emulator.log &
    local emulator=$! url
    read -r url <emulator.url
    curl -sSf -o jwks "$url/jwks"
    kill $emulator
    wait $emulator || true
}
started --keys "$PWD/keys"
mv jwks first
started --keys "$PWD/keys"
cmp jwks first
[ "$(stat -c %a keys/openid-RS256.pem)" = 600 ] || fail "others can read the key"
started --keys "$PWD/keys" --alg ES256
! cmp -s jwks first || fail "the algorithm is another one, and the key is not"
started
! cmp -s jwks first || fail "a start without --keys has an old key"
emulator
exits 64 timeout 5 authctl-emulator --port "${ISSUER##*:}"
err "Error: --port: ${ISSUER##*:} is in use"
echo nonsense >file
echo damaged >keys/openid-RS256.pem
exits 64 authctl-emulator --keys "$PWD/keys"
err "Error: --keys: '.*/keys/openid-RS256.pem' is not a private key"
exits 64 authctl-emulator --keys "$PWD/file"
err "Error: --keys: '.*/file' cannot be created"

#: --fault list prints one line for each fault below the place of the fault: what it does, and the providers that support it.
works authctl-emulator --fault list
! grep -vE '^  [a-z0-9-]+: [A-Z].+[.] [(][a-z., -]+[)]$|^[A-Z][A-Za-z0-9 ,()-]+$|^$' stdout || fail "a line has another form"
out '^  par-429: Respond to pushed requests with status 429[.] [(]openid[)]$'
