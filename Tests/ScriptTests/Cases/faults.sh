# Each fault of the emulator is detected, reported in one line, and nothing is stored.
fault() {
    local wanted=$1 code=$2
    shift 2
    emulator --fault "$1"
    works authctl providers add oidc.test --config-dir "config-$1" --issuer "$ISSUER" --client-id emulator-client
    exits "$wanted" authctl signin --config-dir "config-$1"
    err "authctl: error: .*\($code\)"
    [ "$(grep -c '^authctl: error: ' stderr)" = 1 ] && [ "$(grep -c '^authctl: hint: ' stderr)" -le 1 ] || fail "one error, at most one hint"
    exits 4 authctl status --config-dir "config-$1"
    kill "$EMULATOR"
}
fault 65 missing-or-invalid-nonce wrong-nonce
fault 65 missing-or-invalid-nonce missing-nonce
for name in wrong-issuer wrong-audience expired-id-token future-id-token bad-signature alg-none unknown-kid wrong-at-hash; do
    fault 65 invalid-id-token $name
done
for name in no-id-token wrong-response-iss missing-response-iss token-html token-redirect; do
    fault 65 invalid-response $name
done
fault 7 access-denied access-denied
fault 69 provider-unavailable token-500
fault 69 provider-unavailable jwks-500
fault 69 too-many-requests token-429
fault 65 invalid-credential token-error-echoes-code
no_err $'\x1b'

emulator --fault wrong-state
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 3 authctl signin --timeout 1
kill "$EMULATOR"
emulator --fault discovery-wrong-issuer
exits 78 authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
err 'issuer-mismatch'
err "hint: .*--issuer $ISSUER/other"
# That issuer has no metadata of its own. The last way is the server's endpoints.
exits 78 authctl providers add oidc.other --issuer "$ISSUER/other" --client-id emulator-client
err 'hint: to add it without metadata: authctl providers add oauth.other --authorization-endpoint URL --token-endpoint URL$'
works authctl providers add oauth.other --authorization-endpoint "$ISSUER/authorize" --token-endpoint "$ISSUER/token" \
    --userinfo-endpoint "$ISSUER/userinfo" --uid-path sub --client-id emulator-client --scope openid,email
works authctl signin oauth.other
works authctl signout oauth.other
works authctl providers remove oauth.other
exits 78 authctl signin --resource "$ISSUER/api"
no_err 'hint: '

# Refuses a fault that a provider does not support and names the providers that do.
exits 64 authctl-emulator --as apple.com --fault github-form
err "apple.com does not support 'github-form'; it is supported by github.com"
