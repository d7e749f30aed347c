# The emulator as a provider for other people's tests.

#: A response on a kept-alive connection is sent at once.
# Without TCP_NODELAY the body waits for the client's delayed acknowledgement of the header.
mkfifo emulator.url
strace -D -f -qq -e trace=setsockopt,accept,accept4 -o calls authctl-emulator >emulator.url 2>emulator.log &
servers+=($!)
read -r ISSUER <emulator.url
works curl -sS -o /dev/null -o /dev/null "$ISSUER/.well-known/openid-configuration" "$ISSUER/jwks"
awaits calls 'TCP_NODELAY, \[1\]|accept.* = [0-9]+$' >first
grep -q TCP_NODELAY first || fail "a connection was accepted without TCP_NODELAY"

#: A user name that is not ASCII has an ASCII subject.
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
