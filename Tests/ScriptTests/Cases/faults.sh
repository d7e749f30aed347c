# Each fault of the emulator is detected, reported in one line, and nothing is stored.
# fault EXIT-CODE ERROR-CODE FAULT PATTERN
fault() {
    local wanted=$1 code=$2 pattern=$4
    shift 2
    emulator --fault "$1"
    works authctl providers add oidc.test --config-dir "config-$1" --issuer "$ISSUER" --client-id emulator-client
    exits "$wanted" authctl signin --config-dir "config-$1"
    err "authctl: error: .*$pattern.* \($code\)$"
    [ "$(grep -c '^authctl: error: ' stderr)" = 1 ] && [ "$(grep -c '^authctl: hint: ' stderr)" -le 1 ] || fail "one error, at most one hint"
    exits 4 authctl status --config-dir "config-$1"
    kill "$EMULATOR"
}
while IFS='|' read -r wanted code name pattern; do
    fault "$wanted" "$code" "$name" "$pattern"
    no_err $'\x1b'
done <<'ROWS'
65|missing-or-invalid-nonce|wrong-nonce|its nonce
65|missing-or-invalid-nonce|missing-nonce|it has no nonce
65|invalid-id-token|wrong-issuer|its issuer is 'https://attacker.example', expected 'http
65|invalid-id-token|wrong-audience|its audience is 'another-client', expected 'emulator-client'
65|invalid-id-token|expired-id-token|it expired at
65|invalid-id-token|future-id-token|it was issued at
65|invalid-id-token|bad-signature|its signature is invalid
65|invalid-id-token|alg-none|its algorithm 'none' is not accepted
65|invalid-id-token|unknown-kid|'unknown'
65|invalid-id-token|wrong-at-hash|at_hash
65|invalid-response|no-id-token|'id_token' is missing
65|invalid-response|wrong-response-iss|'iss' of the authorization response
65|invalid-response|missing-response-iss|'iss' of the authorization response
65|invalid-response|token-html|token endpoint
65|invalid-response|token-redirect|redirect
7|access-denied|access-denied|access_denied
69|provider-unavailable|token-500|responded with status 500
69|provider-unavailable|jwks-500|responded with status 500
69|too-many-requests|token-429|has reached its rate limit
65|invalid-credential|token-error-echoes-code|invalid_grant
ROWS

emulator --fault wrong-state
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 3 authctl signin --timeout 1
[ "$(requests authorize)" = 1 ] && [ "$(requests 'token authorization_code')" = 0 ] || fail "the callback was used, or the browser opened nothing"
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
