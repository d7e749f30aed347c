# Token exchange (RFC 8693), at the token's own provider and at another provider that trusts its issuer.

GRANT=urn:ietf:params:oauth:grant-type:token-exchange

# confidential FAULTS…: a user signed in to oidc.test, with a confidential client.
confidential() {
    emulator --client-secret client-secret-1 "$@"
    secret_file client-secret-1
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
    works authctl signin --provider oidc.test
}

#: Prints a new token for the requested audience and scopes, which is requested each time and not stored (X1).
confidential
works authctl token
mv stdout own
works authctl token --exchange oidc.test --audience https://b.example --scope read,write
mv stdout exchanged
! cmp -s own exchanged || fail "it is the session's own"
[ "$(wc -l <exchanged)" = 1 ] || fail "more than a token"
works authctl verify --introspect --provider oidc.test exchanged
json "d['active'] and d['sub'] == 'ada@example.com' and d['scope'] == 'read write'"
works authctl token --exchange oidc.test --resource https://b.example/api --json
json "d['issued_token_type'].endswith(':access_token') and d['token_type'] == 'Bearer' and d['access_token'] and d['expires_on']"
[ "$(requests "token $GRANT")" = 2 ] || fail "asked $(requests "token $GRANT") times"
works authctl token
cmp -s stdout own || fail "the session's token changed"
works authctl status --json
json "len(d['accounts'][0]['sessions']) == 1"
works authctl token --exchange oidc.test --header
out '^Authorization: Bearer '
works authctl exec --exchange oidc.test --audience b -- sh -c 'test -n "$AUTHCTL_TOKEN"'
[ "$(requests "token $GRANT")" = 4 ] || fail "asked $(requests "token $GRANT") times"

#: Requests a token for several audiences (RFC 8693 section 2.1).
confidential --jwt-access-tokens
works authctl token --exchange oidc.test --audience https://b.example
cp stdout one
works authctl token --exchange oidc.test --audience https://b.example --audience https://c.example
cp stdout two
curl -sS "$ISSUER/jwks" >jwks
works authctl verify one --jwks jwks --signature-only
json "d['aud'] == 'https://b.example'"
works authctl verify two --jwks jwks --signature-only
json "d['aud'] == ['https://b.example', 'https://c.example']"

#: Sends other parameters with the exchange, but none that authctl sets itself.
confidential
works authctl token --exchange oidc.test --exchange-param emulator_user=grace@example.com --exchange-param other=a=b
mv stdout exchanged
works authctl verify --introspect --provider oidc.test exchanged
json "d['sub'] == 'grace@example.com'"
works authctl exec --exchange oidc.test --exchange-param emulator_user=grace@example.com -- true
for name in grant_type subject_token subject_token_type requested_token_type audience resource scope client_id client_secret client_assertion; do
    exits 64 authctl token --exchange oidc.test --exchange-param $name=x
    err "'$name' cannot be set with --exchange-param, because authctl sets it"
done
exits 64 authctl token --exchange oidc.test --exchange-param nothing
err '\-\-exchange-param must be KEY=VALUE'
exits 64 authctl token --exchange-param a=b
err 'hint: authctl token --help$'

#: Refreshes an expired subject token first; the subject token can be the ID token.
confidential
session_set tokens.expiresAt 1
works authctl token --exchange oidc.test
[ "$(requests 'token refresh_token')" = 1 ] || fail "not refreshed"
works authctl token --exchange oidc.test --type id
works authctl token --exchange oidc.test --type id --header

#: Exchanges the token at another provider that --exchange names and that trusts its issuer.
confidential
emulator --client-secret client-secret-2
secret_file client-secret-2 other
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/other"
works authctl token --exchange oidc.other
mv stdout exchanged
works authctl verify --introspect --provider oidc.other exchanged
json "d['sub'] == 'ada@example.com'"
works authctl token --exchange oidc.other --type id
exits 78 authctl token --exchange oidc.nobody
err 'oidc.nobody'
exits 64 authctl token --audience b
err '--exchange'
exits 64 authctl token --exchange oidc.other --account nobody@example.com

#: Reports a refused exchange with its own exit code, and sends no other request (wif-no-retry, wif-grant-fallback).
while read -r fault code words; do
    confidential --fault "$fault"
    exits "$code" authctl token --exchange oidc.test --audience https://b.example
    err "$words"
    [ ! -s stdout ] || fail "something was printed"
    curl -sS "$ISSUER/emulator/requests" >stdout
    json "{k: v for k, v in d.items() if k.startswith('token ')} == {'token authorization_code': 1, 'token $GRANT': 1}"
    rm -rf "$HOME/.config"
done <<'FAULTS'
exchange-refused 65 \(invalid-credential\)
exchange-denied 7 \(access-denied\)
exchange-unauthorized 78 unauthorized_client
exchange-target 78 audience.was.'https://b.example'
exchange-other-type 65 issued_token_type
exchange-no-type 65 issued_token_type
FAULTS

#: Prints a token of type N_A, but does not use it as an access token.
confidential --fault exchange-n-a
works authctl token --exchange oidc.test
works authctl token --exchange oidc.test --json
json "d['token_type'] == 'N_A' and d['issued_token_type'].endswith(':jwt') and 3500 < d['expires_in'] <= 3600"
for command in "token --header --exchange oidc.test" "token --env --exchange oidc.test" "exec --exchange oidc.test -- true"; do
    exits 78 authctl $command
    err 'issued a token that is not an access token .*\(unsupported\)'
done

#: Exchanges a DPoP-bound token with a proof of the same key, and does not send it to another issuer.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --dpop
works authctl signin --provider oidc.test
works authctl token --exchange oidc.test --json
json "d['token_type'] == 'DPoP'"
exits 78 authctl token --exchange oidc.test --header
works authctl token --exchange oidc.test --proof GET "$ISSUER/userinfo"
curl -sS -H @stdout "$ISSUER/userinfo" | grep -q ada@example.com || fail "the headers are not taken"
emulator
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
exits 78 authctl token --exchange oidc.other
err 'bound to a key on this machine, and cannot be used at'
err '^authctl: hint: the ID token is not sender-constrained: add --type id$'
[ "$(requests "token $GRANT")" = 0 ] || fail "it was sent"
works authctl token --exchange oidc.other --type id

#: Exchanges a token for a resource at another issuer only if --provider names its session.
emulator
works authctl signin --resource "$ISSUER/api"
own=$(authctl status --field accounts.0.sessions.0.providerId)
emulator
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
exits 7 authctl token --exchange oidc.other
err "/api', and 'oidc.other' has another issuer"
[ "$(requests "token $GRANT")" = 0 ] || fail "it was sent"
works authctl token --exchange oidc.other --provider "$own"
[ "$(requests "token $GRANT")" = 1 ] || fail "it was not sent"

#: With tokens for several resources only, --resource names the target, and the hint signs in without it.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
for path in api api2; do works authctl signin --resource "$ISSUER/$path" --provider oidc.test --scope 'notes.read offline_access'; done
exits 64 authctl token --exchange oidc.test --resource "$ISSUER/api"
err '^authctl: hint: for a token that can be exchanged: authctl signin oidc.test$'
works authctl signin --provider oidc.test
works authctl token --exchange oidc.test --resource "$ISSUER/api"
