# Provider metadata, and how the client adapts to strict and to incomplete servers.

# secret SECRET FLAGS…: an emulator whose client has this secret, added as oidc.test.
secret() {
    emulator --client-secret "$@"
    secret_file "$1"
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
}

#: Uses client_secret_post for a secret that HTTP Basic must encode, because some servers do not decode it.
secret 'sec%ret+/=with spaces' --fault raw-basic
works authctl signin --provider oidc.test
works authctl token --force-refresh
works authctl providers check
out "client +'client_secret_post'"
export AUTHCTL_CONFIG_DIR=$PWD/plain
secret plain-secret-0001 --fault raw-basic
works authctl signin --provider oidc.test
works authctl providers check
out "client +'client_secret_basic'"

#: Requests consent if the provider issues refresh tokens only after consent.
emulator --fault offline-wants-consent
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
err 'to get a refresh token, many providers require: --scope offline_access$'
works authctl signin --provider oidc.test --scope offline_access --prompt login
err "the provider did not issue a refresh token for 'offline_access': sign in with --prompt consent"
works authctl signin --provider oidc.test --scope offline_access
no_err 'refresh token'
works authctl token --force-refresh
works authctl reauth --scope offline_access
works authctl token --force-refresh

#: Uses endpoints that only the OAuth metadata contains, unless its issuer is different.
emulator --fault oauth-document
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl token --force-refresh
works authctl signout --revoke
err 'confirmed'
authctl signin --flow device >device.out 2>device.err </dev/null &
device=$!
curl -sS -o /dev/null "$(awaits device.err 'http[^ ]+user_code=[A-Z-]+')&decision=allow"
wait $device || fail "exit $? from the device flow: $(cat device.err)"
works authctl providers add oidc.registered --issuer "$ISSUER" --register
for method in client_secret_basic client_secret_post; do
    works authctl providers add oidc.$method --issuer "$ISSUER" --register --auth-method $method
done
# One for each client that is registered or stored, and one for all other commands.
[ "$(requests 'oauth discovery')" -le 8 ] || fail "asked $(requests 'oauth discovery') times"
emulator --fault oauth-document-wrong-issuer
export AUTHCTL_CONFIG_DIR=$PWD/other
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 78 authctl signin --flow device
exits 65 authctl providers add oidc.registered --issuer "$ISSUER" --register
works authctl signin
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'unsupported'"

#: Endpoints that are missing in the metadata can be configured, except for built-in providers.
emulator --fault oauth-document-wrong-issuer
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --revocation-endpoint "$ISSUER/revoke" --device-authorization-endpoint "$ISSUER/device_authorization"
works authctl providers show oidc.test
out "revocation endpoint +$ISSUER/revoke"
works authctl signin --provider oidc.test
works authctl signout --revoke
err 'confirmed'
authctl signin --flow device >device.out 2>device.err </dev/null &
device=$!
curl -sS -o /dev/null "$(awaits device.err 'http[^ ]+user_code=[A-Z-]+')&decision=allow"
wait $device || fail "exit $? from the device flow: $(cat device.err)"
exits 78 authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --revocation-endpoint http://id.example.com/revoke
err 'not an https URL'
exits 78 authctl providers add github.com --client-id c --revocation-endpoint https://github.com/revoke
err 'it is built in'

#: Accepts Ed25519 ID tokens with alg EdDSA or Ed25519.
for algorithm in EdDSA Ed25519; do
    emulator --alg $algorithm
    export AUTHCTL_CONFIG_DIR=$PWD/config.$algorithm
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
    works authctl signin --provider oidc.test
    works authctl token --force-refresh
    works authctl token --type id
    cp stdout id-token
    works authctl verify id-token --issuer "$ISSUER" --audience emulator-client
done

#: Refuses to import a password hash that requires a gigabyte of memory.
cat >accounts.json <<'JSON'
{"version":1,"accounts":[{"uid":"uid-1","email":"a@example.com","createdAt":"2026-11-21T08:00:00Z","lastSignInAt":"2026-11-21T08:00:00Z",
"providerData":[{"providerId":"password","authority":"password","federatedId":"a@example.com","email":"a@example.com"}],
"passwordHash":"scrypt$1048576$8$16$00000000000000000000000000000000$0000000000000000000000000000000000000000000000000000000000000000"}]}
JSON
exits 65 authctl accounts import accounts.json
err "'passwordHash'"

#: Removing a provider deletes its dynamically registered client (RFC 7592) and no other.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --register
client=$(authctl providers show oidc.test --field clientId)
exits 64 authctl providers add oidc.test --issuer "$ISSUER" --register
err 'hint: to keep them, use providers set with the same options; to remove them: add --replace$'
works authctl providers set oidc.test --issuer "$ISSUER"
exits 64 authctl providers add google.com --register
err 'hint: register a client at the provider, then: authctl setup google.com$'
works authctl providers remove oidc.test
err "the client '$client' was deleted at the provider"
[ "$(requests unregister)" = 1 ] || fail "it was not deleted"
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl providers remove test
no_err 'client'
works authctl signin --resource "$ISSUER/api"
id=$(authctl providers list --field providers.0.providerId)
works authctl signout
works authctl providers remove "$id"
err 'was deleted at the provider'
[ "$(requests unregister)" = 2 ] || fail "it was not deleted"

#: If a server does not know a registered client any more, the hint registers it again.
port=$(free_port)
# The default port of a registered client is the same in all stories.
redirect=(--redirect-uri "http://127.0.0.1:$(free_port)/callback")
emulator --port "$port"
works authctl providers add oidc.test --issuer "$ISSUER" --register "${redirect[@]}"
works authctl signin
kill "$EMULATOR" && wait "$EMULATOR" || true
# Started again, the emulator knows only its own client.
rm emulator.url && mkfifo emulator.url
authctl-emulator --auto-approve --keys "$KEYS/$emulators" --port "$port" >emulator.url &
servers+=($!)
read -r ISSUER <emulator.url
exits 78 authctl token --force-refresh
err "hint: the server may not know the client any more that authctl registered: authctl providers add oidc.test --register --replace --issuer $ISSUER$"
exits 1 authctl doctor test
out 'server may not know the client any more that authctl registered: authctl providers add oidc.test'
works authctl providers add oidc.test --register --replace --issuer "$ISSUER" "${redirect[@]}"
works authctl signin
works authctl token --force-refresh
works authctl doctor test

#: If a registered client cannot be deleted, prints its ID and removes the provider.
emulator --fault no-client-management
works authctl providers add oidc.test --issuer "$ISSUER" --register
client=$(authctl providers show oidc.test --field clientId)
works authctl providers remove oidc.test
err "the client '$client' remains registered at the provider"
exits 78 authctl providers show oidc.test
err "'oidc.test' is not configured"
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --register
client=$(authctl providers show oidc.test --field clientId)
kill "$EMULATOR" && wait "$EMULATOR" || true
works authctl providers remove oidc.test
err "the client '$client' remains registered at the provider"
exits 78 authctl providers show oidc.test

#: A registered client that the system configuration names stays registered: other users sign in with it.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --register
mkdir -p "$AUTHCTL_SYSTEM_CONFIG_DIR"
chmod 755 "$AUTHCTL_SYSTEM_CONFIG_DIR"
authctl providers export oidc.test >"$AUTHCTL_SYSTEM_CONFIG_DIR/config.yaml"
chmod 644 "$AUTHCTL_SYSTEM_CONFIG_DIR/config.yaml"
works authctl providers remove oidc.test
no_err 'deleted at the provider'
[ "$(requests unregister)" = 0 ] || fail "it was deleted"
works authctl signin test

#: On a terminal, asks before it removes a provider with sessions.
signed_in
python3 "$ROOT/Tests/Servers/terminal.py" "Remove it? [y/N] =n" -- authctl providers remove test >stdout 2>stderr && fail "removed"
works authctl token test
python3 "$ROOT/Tests/Servers/terminal.py" "Remove it? [y/N] =y" -- authctl providers remove test >stdout 2>stderr || fail "exit $?"
out "'oidc.test' was removed"
