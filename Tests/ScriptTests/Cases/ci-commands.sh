# A server's text cannot become a command of the CI system in whose log it is printed.

# tame FILE…: checks that no line of the files is a command: of Azure Pipelines (Command.cs of its agent), of GitHub's runner
# (ActionCommand.cs) or of TeamCity. The agents ignore variation selectors.
tame() {
    python3 - "$@" <<'P' || fail "a command of a CI system was printed"
import re, sys
azure = re.compile(r"##vso\[[^\].]+\.[^\].]+\]")
github = re.compile(r"##\[[^\]]+\]|^\s*::[^\s:]+.*?::")
teamcity = re.compile(r"##teamcity\[")
for name in sys.argv[1:]:
    for line in open(name, encoding="utf-8", newline="\n"):
        line = re.sub("[\ufe00-\ufe0f]", "", line.rstrip("\n"))
        for system in azure, github, teamcity:
            if found := system.search(line): sys.exit(f"{name}: {found[0]} in {line!r}")
P
}
# ends CODE COMMAND…: the command exits with this code as text, as JSON and with --verbose, and prints the text of the
# server, but no command.
ends() {
    local code=$1 more
    shift
    for more in "" --json --verbose; do
        exits "$code" "$@" $more
        tame stdout stderr
        grep -qhF 'vso[' stdout stderr || fail "the server's text is missing: $*"
    done
}

#: A job's log has no command from a user's name, a scope, a client ID or an error's text.
emulator --fault ci-commands
works authctl providers add oidc.test --issuer "$ISSUER" --register --scope openid,profile,notes
works authctl signin --json
tame stdout stderr
json "d['profile']['name'].startswith('::error::##vso[task.prependpath]')"
ends 0 authctl signin
ends 0 authctl whoami
works authctl status
tame stdout stderr
ends 0 authctl status --long
ends 0 authctl accounts show
works authctl accounts list
tame stdout stderr
ends 0 authctl providers show oidc.test
works authctl providers export oidc.test
tame stdout stderr
works authctl doctor --long --verbose
tame stdout stderr
works authctl accounts export --json --reauth
tame stdout stderr
authctl signin --flow device --timeout 5 >stdout 2>stderr </dev/null || true
err 'vso\[task'
tame stdout stderr

emulator --fault ci-commands --fault access-denied
works authctl providers add oidc.denied --issuer "$ISSUER" --client-id emulator-client
ends 7 authctl signin --provider oidc.denied
emulator --fault ci-commands --client-secret secret-of-the-test
works authctl providers add oidc.secret --issuer "$ISSUER" --client-id emulator-client
ends 78 authctl signin --provider oidc.secret
ends 1 authctl providers check oidc.secret

#: A job's log has no command from the scopes of a protected resource.
emulator --fault ci-commands
ends 0 authctl signin --resource "$ISSUER/api"
tame stdout stderr

#: The claims of a token are printed without a command, also if its payload is ASCII.
signed_in
python3 - "$ISSUER" >claims <<'P'
import json, sys, time
json.dump({"iss": sys.argv[1], "aud": "c", "sub": "1", "iat": int(time.time()), "exp": int(time.time()) + 600, "name": "##vso[task.prependpath]/tmp"}, sys.stdout)
P
openssl genrsa -out key.pem 2048 2>/dev/null
python3 - >token <<'P'
import base64, json, subprocess
b64 = lambda b: base64.urlsafe_b64encode(b).rstrip(b"=").decode()
modulus = int(subprocess.run(["openssl", "rsa", "-in", "key.pem", "-noout", "-modulus"], capture_output=True, text=True).stdout.split("=")[1], 16)
json.dump({"keys": [{"kty": "RSA", "n": b64(modulus.to_bytes(256, "big")), "e": "AQAB", "alg": "RS256"}]}, open("jwks", "w"))
text = b64(b'{"alg":"RS256"}') + "." + b64(open("claims", "rb").read())
print(text + "." + b64(subprocess.run(["openssl", "dgst", "-sha256", "-sign", "key.pem"], input=text.encode(), capture_output=True).stdout))
P
works authctl verify token --jwks jwks --issuer "$ISSUER" --audience c
tame stdout
json "d['name'] == '##vso[task.prependpath]/tmp'"
authctl verify - --jwks jwks --issuer "$ISSUER" --audience c <token >stdout || fail "exit $?"
record authctl verify - --json
tame stdout
json "d['claims']['name'] == '##vso[task.prependpath]/tmp'"
