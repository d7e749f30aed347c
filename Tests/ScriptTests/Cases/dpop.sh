# DPoP-bound tokens (RFC 9449): a stolen token cannot be used without the local key.

# bound EMULATOR-FLAGS… -- SIGNIN-FLAGS…: an emulator, and a user signed in with DPoP-bound tokens.
bound() {
    local flags=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do flags+=("$1"); shift; done
    [ $# = 0 ] || shift
    emulator "${flags[@]}"
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --replace
    works authctl signin --provider oidc.test --dpop "$@"
}

#: --dpop requests DPoP-bound tokens; each request, refresh and revocation has a DPoP proof (D1, D2, D6).
bound
works authctl status --json
json "d['accounts'][0]['sessions'][0]['binding'] == 'dpop'"
works authctl status --long
out '^    token      DPoP-bound$'
works authctl request "$ISSUER/userinfo"
json "d['sub'] == 'ada@example.com'"
works authctl token --force-refresh
works authctl request "$ISSUER/userinfo"
# The token without its key is rejected.
token=$(authctl token)
for scheme in Bearer DPoP; do
    [ "$(curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: $scheme $token" "$ISSUER/userinfo")" = 401 ] || fail "$scheme was taken"
done
works authctl token --json
json "d['token_type'] == 'DPoP'"
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'confirmed'"

#: token --proof prints both headers for curl, valid once, for that URL and method (D2).
bound
works authctl token --proof GET "$ISSUER/userinfo?x=1"
[ "$(wc -l <stdout)" = 2 ] && sed -n 1p stdout | grep -q '^Authorization: DPoP ' && sed -n 2p stdout | grep -q '^DPoP: ' || fail "two headers"
cp stdout headers
curl -sS -H @headers "$ISSUER/userinfo?x=1" | grep -q ada@example.com || fail "the headers are not taken"
[ "$(curl -sS -o /dev/null -w '%{http_code}' -H @headers "$ISSUER/userinfo?x=1")" = 401 ] || fail "taken twice"
works authctl token --proof POST "$ISSUER/userinfo"
[ "$(curl -sS -o /dev/null -w '%{http_code}' -H @stdout "$ISSUER/userinfo")" = 401 ] || fail "taken for another method"
exits 64 authctl token --proof GET
exits 64 authctl token --proof GET nonsense
exits 64 authctl token --proof GET "$ISSUER/userinfo" --header

#: Another library accepts the DPoP proof (D1; joserfc).
bound
works authctl token --proof GET "$ISSUER/userinfo"
"$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/proof.py" "$ISSUER/userinfo" GET <stdout || fail "joserfc does not take the proof"

#: Commands that only support bearer tokens do not get a DPoP-bound token (D8), and the key is never printed.
bound
works authctl providers set oidc.test --api-host "$ISSUER"
for command in "token --header" "token --env" "exec -- true" "credential kubectl --provider oidc.test --type access" "credential netrc ${ISSUER#http://}"; do
    exits 78 authctl $command
    err 'are DPoP-bound, and this command only supports bearer tokens \(unsupported\)'
done
printf 'protocol=http\nhost=%s\n\n' "${ISSUER#http://}" >question
code=0
authctl credential git get <question >stdout 2>stderr || code=$?
[ $code = 78 ] || fail "git: $code"
code=0
echo "${ISSUER#http://}" | authctl credential docker get >stdout 2>stderr || code=$?
[ $code = 78 ] || fail "docker: $code"
# The ID token is not sender-constrained and is printed as before.
works authctl credential kubectl --provider oidc.test
works authctl token --type id --header
works authctl token
grep -rqaE 'PRIVATE KEY|"d":' "$HOME/.config/authctl" && fail "the key stands there in plain"
works authctl token --force-refresh -v
no_err 'PRIVATE KEY'

#: A session without DPoP does not have a DPoP proof.
signed_in
works authctl status --json
json "d['accounts'][0]['sessions'][0]['binding'] == 'bearer'"
works authctl status --long
no_out bound
exits 78 authctl token --proof GET "$ISSUER/userinfo"
err 'not DPoP-bound, so there is no proof'

#: Stores the DPoP nonces of both servers, and uses them in later processes (D3, D4).
bound --fault dpop-nonce
[ "$(requests 'nonce authorization')" = 1 ] || fail "$(requests 'nonce authorization') challenges of the authorization server"
works authctl request "$ISSUER/userinfo"
[ "$(requests 'nonce resource')" -le 2 ] || fail "$(requests 'nonce resource') challenges of the resource"
before=$(requests 'nonce resource')
works authctl request "$ISSUER/userinfo"
[ "$(requests 'nonce resource')" = "$before" ] || fail "the nonce was not kept"
for _ in 1 2 3 4 5; do works authctl request "$ISSUER/userinfo"; works authctl token --force-refresh; done
works authctl token --proof GET "$ISSUER/userinfo"
curl -sS -H @stdout "$ISSUER/userinfo" | grep -q ada@example.com || fail "no nonce in the proof"

#: If a server requires another nonce each time, the request is retried only once (D3).
emulator --fault dpop-nonce-loop
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --dpop
exits 65 authctl signin --provider oidc.test
err 'use_dpop_nonce'
[ "$(requests 'token authorization_code')" = 2 ] || fail "asked $(requests 'token authorization_code') times"

#: Refuses a bearer token for a DPoP request, and a DPoP-bound token for a bearer request (D5).
emulator --fault dpop-bearer
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 65 authctl signin --provider oidc.test --dpop
err "not 'DPoP'"
exits 4 authctl status
emulator --fault dpop-unasked
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --replace
exits 65 authctl signin --provider oidc.test
err "not 'Bearer'"
emulator --fault dpop-refused
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --replace
exits 65 authctl signin --provider oidc.test --dpop
err 'invalid_dpop_proof'
works authctl signin --provider oidc.test

#: Twenty parallel processes with an expired token send one refresh (D6).
bound
session_set tokens.expiresAt 1
before=$(requests 'token refresh_token')
pids=()
for _ in $(seq 20); do authctl token >/dev/null 2>>errors & pids+=($!); done
for pid in "${pids[@]}"; do wait "$pid" || fail "$(cat errors)"; done
[ "$(requests 'token refresh_token')" = $((before + 1)) ] || fail "$(requests 'token refresh_token') refreshes"

#: Reports a missing DPoP key without a request to the provider (D6).
bound
session_set bindingKey NULL
before=$(requests 'token refresh_token')
exits 4 authctl token --force-refresh
err 'the DPoP key of the tokens of .oidc.test. is missing on this machine'
exits 4 authctl request "$ISSUER/userinfo"
[ "$(requests 'token refresh_token')" = "$before" ] || fail "asked"
works authctl signin --provider oidc.test --dpop

#: Later sign-ins stay DPoP-bound without the option, until the account is signed out (D6).
bound
works authctl signin --provider oidc.test
works authctl status --json
json "d['accounts'][0]['sessions'][0]['binding'] == 'dpop'"
works authctl request "$ISSUER/userinfo"
# A missing key does not change the session to bearer tokens.
session_set bindingKey NULL
works authctl signin --provider oidc.test
works authctl status --json
json "d['accounts'][0]['sessions'][0]['binding'] == 'dpop'"
works authctl signin --provider oidc.test --begin
id=$(field "d['id']")
location=$(curl -sS -o /dev/null -w '%{redirect_url}' "$(field "d['authorizationURL']")")
authctl signin --complete "$id" <<<"$location" >stdout 2>stderr || fail "not completed"
works authctl status --json
json "d['accounts'][0]['sessions'][0]['binding'] == 'dpop'"
works authctl signout
works authctl signin --provider oidc.test
works authctl status --json
json "d['accounts'][0]['sessions'][0]['binding'] == 'bearer'"

#: --dpop and --par cannot be used with a sign-in method that does not request tokens from a provider.
for way in "--provider password" "--provider anonymous" "--provider emailLink --email ada@example.com" "--custom-token -"; do
    for flag in --dpop --par; do
        exits 64 authctl signin $way $flag
        err "$flag cannot be used with --(provider|custom-token)"
    done
done
for command in "link --provider password" "link --provider emailLink" "reauth --provider password" "reauth --custom-token -"; do
    exits 64 authctl $command --dpop
    err '--dpop cannot be used with --(provider|custom-token)'
done

#: An invalid value for dpop or par in config.yaml is an error, not "off".
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --dpop
sed -i 's/dpop: true/dpop: "true"/' "$HOME/.config/authctl/config.yaml"
exits 78 authctl signin --provider oidc.test
err "'true' is neither true nor false|neither"
sed -i 's/dpop: "true"/par: ture/' "$HOME/.config/authctl/config.yaml"
exits 78 authctl signin --provider oidc.test
err "'oidc.test: par'|oidc.test.*par"

#: Client credentials, PAR, a link and the device flow get DPoP-bound tokens, and re-authentication keeps them.
emulator --client-secret client-secret-1 --fault dpop-required
secret_file client-secret-1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret" --dpop
works authctl providers check oidc.test
out 'bound tokens .*supported \(ES256 ES384 EdDSA\), and used'
works authctl signin --provider oidc.test --flow client-credentials --scope deploy
works authctl token --force-refresh
works authctl signin --provider oidc.test --par
works authctl request "$ISSUER/userinfo"
works authctl providers set oidc.test --unset dpop
works authctl reauth --provider oidc.test
works authctl status --json
json "[s['binding'] for a in d['accounts'] if a['current'] for s in a['sessions']] == ['dpop']"
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
works authctl link --provider oidc.other --dpop --json
json "d['credential']['binding'] == 'dpop'"
works authctl request --provider oidc.other "$ISSUER/userinfo"
emulator
export AUTHCTL_CONFIG_DIR=$PWD/device
works authctl providers add oidc.device --issuer "$ISSUER" --client-id emulator-client --dpop
authctl signin --provider oidc.device --flow device >device.out 2>device.err </dev/null &
device=$!
curl -sS -o /dev/null "$(awaits device.err 'http[^ ]+user_code=[A-Z-]+')&decision=allow"
wait $device || fail "exit $? from the device flow: $(cat device.err)"
works authctl request --provider oidc.device "$ISSUER/userinfo"

#: A two-step sign-in keeps its DPoP key between the steps.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test --dpop --begin
id=$(field "d['id']")
location=$(curl -sS -o /dev/null -w '%{redirect_url}' "$(field "d['authorizationURL']")")
authctl signin --complete "$id" <<<"$location" >stdout 2>stderr || fail "not completed"
works authctl request "$ISSUER/userinfo"

#: Reports that a provider does not support DPoP before the browser opens.
public_client github.com
exits 78 authctl signin --provider github.com --dpop
err '\(unsupported\)'
