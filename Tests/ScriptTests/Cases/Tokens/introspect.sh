# Token introspection (RFC 7662).

# confidential EMULATOR-FLAGS…: an emulator with a confidential client, and a signed-in user.
confidential() {
    emulator --client-secret client-secret-1 "$@"
    export AUTHCTL_CONFIG_DIR=$PWD/config.$EMULATOR
    secret_file client-secret-1
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
    works authctl signin --provider oidc.test
    authctl token >token
}

#: An active token is valid, from a file or one per line; prints the introspection response (N1).
confidential
works authctl verify --introspect --provider oidc.test token
json "d['active'] and d['sub'] == 'ada@example.com' and d['client_id'] == 'emulator-client'"
authctl verify --introspect --provider oidc.test - <token >stdout 2>stderr || fail "from standard input"
works authctl verify --introspect --provider oidc.test token --audience emulator-client --issuer "$ISSUER" --require client_id=emulator-client --token-type-hint access_token
for wrong in "--audience other" "--issuer https://other.example" "--require client_id=other" "--require /cnf/jkt=x"; do
    exits 65 authctl verify --introspect --provider oidc.test token $wrong
    err 'in the introspection response is not the required value .*\(invalid-credential\)'
done
exits 65 authctl verify --introspect --provider oidc.test token --audience other
exits 65 authctl verify --introspect --provider oidc.test token --audience emulator-client --require client_id=other
cp token two && echo nonsense >>two
code=0
authctl verify --introspect --provider oidc.test - <two >stdout 2>stderr || code=$?
[ $code = 65 ] && [ "$(wc -l <stdout)" = 2 ] || fail "exit $code"
err '^authctl: line 2: the provider reports that the token is not active$'
no_err 'line 1'

#: An inactive token is invalid despite other claims, and a revoked token is not cached (N1).
confidential
works authctl verify --introspect --provider oidc.test token
works authctl signout --revoke
exits 65 authctl verify --introspect --provider oidc.test token
json "d == {'active': False}"
confidential --fault introspect-inactive
exits 65 authctl verify --introspect --provider oidc.test token
err 'not active .*\(invalid-credential\)'

#: An introspection that fails or is not supported is an error, not an inactive token (N1).
confidential --fault introspect-503
exits 69 authctl verify --introspect --provider oidc.test token
confidential --fault introspect-redirect
exits 65 authctl verify --introspect --provider oidc.test token
err 'redirect'
confidential
secret_file another-secret
exits 78 authctl verify --introspect --provider oidc.test token
public_client github.com
exits 78 authctl verify --introspect --provider github.com token
err '\(unsupported\)'

#: The introspection response of a DPoP-bound token contains its key, which --require can check.
emulator --client-secret client-secret-1
secret_file client-secret-1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret" --dpop
works authctl signin --provider oidc.test
authctl token >token
works authctl verify --introspect --provider oidc.test token
key=$(field "d['cnf']['jkt']")
works authctl verify --introspect --provider oidc.test token --require "/cnf/jkt=$key"

#: --provider requires --introspect, which cannot be used with --jwks.
exits 64 authctl verify --provider oidc.test token
exits 64 authctl verify --introspect --provider oidc.test --jwks keys token
