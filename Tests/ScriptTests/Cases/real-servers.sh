# What real servers do differently from the standard, or beyond it: each story is a server that users have met.

# added FLAGS…: starts an emulator with these flags, and adds its provider as oidc.test to an empty store.
added() {
    rm -rf "$HOME/.config/authctl"
    emulator "$@"
    works authctl providers add oidc.test --replace --issuer "$ISSUER" --client-id emulator-client
}
# follows: runs the command of the hint that was printed last.
follows() {
    local command
    command=$(sed -n 's/^authctl: hint: .*: \(authctl .*\)$/\1/p' stderr)
    [ -n "$command" ] || fail "no command in the hint"
    works bash -c "$command"
}

#: ID tokens may name other clients as audiences if they are trusted (zitadel).
added --fault further-audiences
exits 65 authctl signin
err "its audience also has clients that are not trusted: '998877', 'sibling@project'"
follows
works authctl signin
works authctl token --force-refresh
works authctl providers show oidc.test --json
json "d['trustedAudiences'] == ['998877', 'sibling@project']"
authctl token --type id >id 2>stderr
exits 65 authctl verify id --issuer "$ISSUER" --audience emulator-client
err "clients that are not trusted.*invalid-id-token"
# A trusted audience never replaces this client, and is not an authorized party in the browser.
works authctl providers set oidc.test --trusted-audience another-client --trusted-audience android-client
for fault in wrong-audience other-azp; do
    added --fault $fault
    works authctl providers set oidc.test --trusted-audience another-client --trusted-audience android-client
    exits 65 authctl signin
    err 'invalid-id-token'
done

#: ID tokens may be valid for seven days (Casdoor).
added --id-ttl 604800
works authctl signin
works authctl token --force-refresh
works authctl token --type id

#: A provider that omits the nonce can be used if its configuration says so (LinkedIn).
added --fault missing-nonce
exits 65 authctl signin
err 'it has no nonce, although the request had one.*missing-or-invalid-nonce'
err 'hint: if the provider never sends it: authctl providers set oidc.test --nonce-required off$'
follows
url --provider oidc.test
grep -q 'nonce=' url || fail "no nonce was sent"
works authctl signin
works authctl providers show oidc.test --json
json "d['nonceRequired'] is False"
works authctl signout
# A token that was handed in must still have it.
curl -sS "$ISSUER/emulator/id-token?nonce=raw" >id-token
for nonce in raw a-nonce-with-more-than-20-characters; do
    exits 65 authctl signin --id-token id-token --nonce $nonce
    err 'missing-or-invalid-nonce'
    no_err 'nonce-required'
done
works authctl providers set oidc.test --unset nonce-required
exits 65 authctl signin
# Another nonce is never accepted.
added --fault wrong-nonce
works authctl providers set oidc.test --nonce-required off
exits 65 authctl signin
err 'its nonce does not match the request'
for id in apple.com facebook.com google.com; do
    exits 78 authctl providers add $id --client-id c --nonce-required off
    err "'$id' is built in and its value is fixed"
done

#: Errors of the token endpoint are read as text, too: the device flow continues, and a dead refresh token ends the session (kanidm).
added --fault text-errors --fault byte-order-mark
works authctl signin --flow device
works authctl token --force-refresh
added --fault text-errors --fault refresh-invalid-grant
works authctl signin
exits 4 authctl token --force-refresh
err 'rejected the refresh token; sign in again'

#: Scopes in a list are recorded (Twitch).
added --fault scope-list --fault fewer-scopes
works authctl signin
err 'email'
works authctl status --json
json "d['accounts'][0]['sessions'][0]['scopes'] == ['openid', 'profile']"

#: Scopes are granted by the tokens of the response, if the server names only those of the resource (node-oidc-provider).
added --fault unnamed-scopes
works authctl signin --scope offline_access
no_err 'not granted|did not grant'
works authctl token --force-refresh
works authctl status --json
json "sorted(d['accounts'][0]['sessions'][0]['scopes']) == ['email', 'offline_access', 'openid', 'profile']"
added --fault unnamed-scopes --fault no-refresh-token
exits 7 authctl signin --scope offline_access
err "did not grant the scope 'offline_access'"

#: The device flow signs in without an ID token, as the user of userinfo (Django OAuth Toolkit).
added --fault no-id-token
works authctl signin --flow device --json
json "d['account']['email'] == 'ada@example.com' and not d['credential']['hasIdToken']"
works authctl token --force-refresh
for flags in '--acr mfa' '--max-age 60'; do
    added --fault no-id-token
    exits 65 authctl signin --flow device $flags
    err "'id_token' is missing although it was requested"
    exits 65 authctl signin
done
added --fault no-id-token --fault userinfo-500
exits 65 authctl signin --flow device
err 'userinfo endpoint: status 500'

#: Optional members that are empty, and claims that are null, are the same as missing ones.
added --fault empty-members
works authctl signin
works authctl signin --flow device
works authctl token --force-refresh

#: An ID token that an app of the same Google project requested for this client is accepted if it is handed in.
provider google.com --fault other-azp
exits 65 authctl signin google.com
err "authorized party"
curl -sS "$ISSUER/emulator/id-token" >id-token
works authctl signin google.com --id-token id-token
# At other providers, only if that client is trusted.
added --fault other-azp
curl -sS "$ISSUER/emulator/id-token?user=grace@example.com" >id-token
exits 65 authctl signin oidc.test --id-token id-token
err "authorized party"
works authctl providers set oidc.test --trusted-audience android-client
works authctl signin oidc.test --id-token id-token
exits 65 authctl signin oidc.test

#: Access tokens of a server without OpenID Connect are verified with the keys of its RFC 8414 document.
emulator --jwt-access-tokens --alg ES256 --fault oauth-alone
works authctl signin --resource "$ISSUER/api"
authctl token --resource "$ISSUER/api" >access
works authctl verify access --type access --issuer "$ISSUER" --audience "$ISSUER/api"
json "d['iss'] == '$ISSUER'"
exits 65 authctl verify access --type access --issuer "$ISSUER" --audience another
err 'invalid token: its audience'
exits 78 authctl verify access --type access --issuer "$ISSUER/none" --audience another
err "no discovery document found at '$ISSUER/none/.well-known/openid-configuration'"

#: A byte order mark in the file of a client secret or an ID token is not part of it.
provider google.com --user grace@example.com
printf '\xef\xbb\xbf' | cat - secret >marked
chmod 600 marked
works authctl providers set google.com --client-secret-file "$PWD/marked"
works authctl signin google.com
authctl providers set google.com --client-secret-stdin <marked >stdout 2>stderr || fail "exit $?"
works authctl signin google.com
printf '\xef\xbb\xbf' >id-token
curl -sS "$ISSUER/emulator/id-token?user=grace@example.com" >>id-token
works authctl signin google.com --id-token id-token
