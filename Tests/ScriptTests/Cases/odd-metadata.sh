# Servers whose metadata, redirects or registration differ from what most servers do, but not from the standards.

# hinted: runs the command of the last hint, as a user who pastes it.
hinted() {
    local command
    command=$(sed -nE 's/^.*(authctl [a-z].*)$/\1/p' stderr | tail -n 1)
    [ -n "$command" ] || fail "no hint"
    eval "works $command"
}

#: A parameter of the sign-in replaces the one that the authorization endpoint already has.
emulator --fault authorize-query
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
url --provider oidc.test
grep -q 'prompt=select_account&ui=compact&response_type=code' url || fail "the query is not retained"
works authctl signin --provider oidc.test
works authctl reauth
url --provider oidc.test --prompt login
grep -q 'ui=compact&' url && grep -q 'prompt=login' url && ! grep -q select_account url || fail "prompt is not replaced"
works authctl signin --provider oidc.test --scope offline_access
works authctl signin --provider oidc.test --param prompt=consent --param ui=full

#: Discovery follows a relative redirect.
emulator --fault discovery-relative
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl token --force-refresh

#: A redirect that is not followed is named, with the issuer that it leads to.
emulator --fault discovery-moved
exits 65 authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
err "redirects to 'https://id.example.com/.well-known/openid-configuration', but authctl follows"
err 'hint: if that issuer is correct: add --issuer https://id.example.com$'

#: If only the document of RFC 8414 exists, the hint is the setting that uses it.
emulator --fault discovery-html
exits 78 authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
err "no OpenID discovery document found at '$ISSUER/.well-known/openid-configuration', but the issuer has the document of RFC 8414"
err 'hint: add --discovery oauth$'
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --discovery oauth
works authctl signin --provider oidc.test
exits 78 authctl providers set oidc.test --discovery openid
err 'the issuer has the document of RFC 8414'
sed -i '/discovery: oauth/d' "$HOME/.config/authctl/config.yaml"
exits 78 authctl signin --provider oidc.test
hinted
works authctl signin --provider oidc.test
works authctl providers remove oidc.test
exits 78 authctl setup "$ISSUER"
err 'hint: use providers add, with --discovery oauth$'

#: The URL of each discovery document stands for its issuer.
emulator
for name in openid-configuration oauth-authorization-server; do
    works authctl providers add oidc.test --issuer "$ISSUER/.well-known/$name" --client-id emulator-client
    works authctl providers show oidc.test --field issuer
    out "^$ISSUER$"
    works authctl setup "$ISSUER/.well-known/$name"
    out "^'oidc.test' is already configured, as the client 'emulator-client':$"
done

#: An optional member of the metadata or the registration that is empty does not matter.
emulator --fault empty-metadata
works authctl providers add oidc.test --issuer "$ISSUER" --register
works authctl signin --provider oidc.test --port "$(free_port)"
works authctl token --force-refresh
works authctl signout --revoke
err 'cannot revoke tokens'

#: An optional endpoint that cannot be used is refused only when it is needed.
emulator --fault wrong-metadata
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl providers check oidc.test
works authctl signin --provider oidc.test
works authctl token --force-refresh
exits 65 authctl signin --provider oidc.test --flow device
err "'device_authorization_endpoint' is invalid"
exits 65 authctl signin --provider oidc.test --par
err "'pushed_authorization_request_endpoint' is invalid"
authctl token >token
exits 65 authctl verify --introspect --provider oidc.test token
err "'introspection_endpoint' is invalid"
works authctl signout --end-session
err "'oidc.test' has no usable logout page"
works authctl signin --provider oidc.test
exits 69 authctl signout --revoke
err "'revocation_endpoint' is invalid"

#: A client that is registered without a method sends an ID that Basic must encode in the body.
emulator --fault registers-unnamed --fault raw-basic
works authctl providers add oidc.test --issuer "$ISSUER" --register
works authctl providers show oidc.test --json
json "d['authMethod'] is None and '/' in d['clientId'] and d['clientSecret'] == 'encrypted in the store'"
works authctl signin --provider oidc.test --port "$(free_port)"
works authctl token --force-refresh
(
    export AUTHCTL_CONFIG_DIR=$PWD/resource
    works authctl signin --resource "$ISSUER/api"
    works authctl token --resource "$ISSUER/api" --force-refresh
)
# Nothing else is registered where the metadata lists only client secrets.
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem 2>/dev/null && chmod 600 key.pem
before=$(requests register)
exits 78 authctl providers add oidc.key --issuer "$ISSUER" --register --private-key "$PWD/key.pem" --auth-method private_key_jwt
err "auth_method: the provider's metadata does not list 'private_key_jwt'"
[ "$(requests register)" = "$before" ] || fail "a client was registered"

#: A registration with an empty method works, and one with an expired secret is refused.
emulator --fault registers-empty-method
works authctl providers add oidc.test --issuer "$ISSUER" --register
works authctl signin --provider oidc.test --port "$(free_port)"
emulator --fault registers-expired-secret
exits 65 authctl providers add oidc.expired --issuer "$ISSUER" --register
err "'client_secret' expired at"
exits 78 authctl providers show oidc.expired

#: A sign-in to a resource requests consent for offline_access where the server is an OpenID Provider.
emulator --fault offline-wants-consent
works authctl signin --resource "$ISSUER/api"
no_err 'refresh token'
works authctl token --resource "$ISSUER/api" --force-refresh
works authctl signin --resource "$ISSUER/api" --prompt login
err "the provider did not issue a refresh token for 'offline_access': sign in with --prompt consent"
works authctl signin --resource "$ISSUER/api" --prompt consent
works authctl token --resource "$ISSUER/api" --force-refresh
emulator --fault offline-wants-consent --fault oauth-alone
export AUTHCTL_CONFIG_DIR=$PWD/alone
url --resource "$ISSUER/api"
grep -q offline_access url && ! grep -q prompt= url || fail "consent is requested"

#: If the server accepts the client secret only in the other place, the hint is the command that changes it.
emulator --client-secret plain-secret-0001 --fault secret-in-body
secret_file plain-secret-0001
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
exits 78 authctl signin --provider oidc.test
err "authctl providers set oidc.test --client-secret-stdin; otherwise the server may require: authctl providers set oidc.test --auth-method client_secret_post$"
hinted
works authctl signin --provider oidc.test
works authctl token --force-refresh
emulator --client-secret 'sec%ret+/=0001' --fault secret-in-basic
export AUTHCTL_CONFIG_DIR=$PWD/basic
secret_file 'sec%ret+/=0001'
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
exits 78 authctl signin
err 'authctl providers set oidc.test --auth-method client_secret_basic$'
hinted
works authctl signin

#: The query of a registered redirect URI is sent, and the callback is accepted.
emulator --redirect-uri "http://127.0.0.1:8400/callback?app=1"
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --redirect-uri "http://127.0.0.1/callback?app=1"
works authctl signin --provider oidc.test
url --provider oidc.test
grep -qE 'redirect_uri=http%3A%2F%2F127.0.0.1%3A[0-9]+%2Fcallback%3Fapp%3D1&' url || fail "the query is missing"

#: A command that stores a client reads the metadata that the provider has now.
emulator
mkdir -p site/.well-known
(cd site && exec python3 -u -m http.server --bind 127.0.0.1 0 >../serving 2>&1) &
servers+=($!)
site=http://127.0.0.1:$(awaits serving 'port [0-9]+' | grep -oE '[0-9]+')
publish() {
    echo "{\"issuer\":\"$site\",\"authorization_endpoint\":\"$ISSUER/authorize\",\"token_endpoint\":\"$ISSUER/token\",\"jwks_uri\":\"$ISSUER/jwks\"$1}" \
        >site/.well-known/openid-configuration
}
publish ''
exits 65 authctl providers add oidc.test --issuer "$site" --register
err "lacks 'registration_endpoint'"
publish ",\"registration_endpoint\":\"$ISSUER/register\""
works authctl providers add oidc.test --issuer "$site" --register
publish ',"code_challenge_methods_supported":["plain"]'
exits 78 authctl providers add oidc.other --issuer "$site" --client-id c
