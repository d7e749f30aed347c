# Pushed authorization requests (PAR, RFC 9126).

#: --par pushes the request, and the authorization URL has only a request URI, which can be used once (P1, P4).
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test --par --login-hint ada@example.com
[ "$(requests par)" = 1 ] || fail "pushed once"
url --provider oidc.test --par
grep -qE "^$ISSUER/authorize\?client_id=emulator-client&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A[A-Za-z0-9_-]+$" url || fail "$(cat url)"
cp url first
url --provider oidc.test --par
! cmp -s url first || fail "a name that was used before"
curl -sS "$(cat url)" >/dev/null
curl -sS "$(cat url)" | grep -q 'was used' || fail "the emulator takes a name twice"
works authctl signin --provider oidc.test --par --begin
json "d['authorizationURLExpiresAt'] < d['expiresAt'] and 'state' not in d['authorizationURL']"

#: With par in the provider configuration, sign-ins, links and re-authentications use PAR.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --par
works authctl providers show oidc.test --json
json "d['par'] is True"
works authctl providers check oidc.test
out 'pushed requests .*supported; used'
works authctl signin --provider oidc.test
works authctl reauth
[ "$(requests par)" = 2 ] || fail "pushed at each"
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client --par
works authctl link --provider oidc.other
[ "$(requests par)" = 3 ] || fail "not pushed for a link"
works authctl providers set oidc.test --unset par
works authctl signin --provider oidc.test
[ "$(requests par)" = 3 ] || fail "pushed though nobody asked"

#: Uses PAR without an option if the provider requires it (P2); reports a provider without a PAR endpoint (78).
emulator --fault par-required --client-secret client-secret-1
secret_file client-secret-1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
works authctl providers check oidc.test
out 'pushed requests .*required; used'
works authctl signin --provider oidc.test
emulator --fault par-nowhere
export AUTHCTL_CONFIG_DIR=$PWD/nowhere
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 78 authctl signin --provider oidc.test
err 'does not support pushed authorization requests.*\(unsupported\)'
# An endpoint that is missing in the metadata can be configured.
works authctl providers set oidc.test --par-endpoint "$ISSUER/par"
works authctl signin --provider oidc.test

#: If the PAR endpoint does not respond as required, no browser opens and the request is not sent again (P3).
for fault in refused:65 500:69 429:69 redirect:65 200:65 no-uri:65 expired:65; do
    emulator --fault "par-${fault%:*}"
    export AUTHCTL_CONFIG_DIR=$PWD/config.$EMULATOR BROWSER="touch $PWD/opened"
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --par
    exits "${fault#*:}" authctl signin --provider oidc.test
    [ ! -e opened ] || fail "opened a browser (${fault%:*})"
    [ "$(requests par)" = 1 ] && [ "$(requests authorize)" = 0 ] || fail "${fault%:*}: sent again, or another way"
done

#: --par cannot be used with the device flow or with a request_uri parameter.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 64 authctl signin --provider oidc.test --flow device --par
exits 64 authctl signin --provider oidc.test --par --param request_uri=urn:other

#: Reports the lifetime of the request URI if it is shorter than the sign-in's timeout.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 2 authctl signin --provider oidc.test --par --flow paste
err 'visit this URL \(valid for 60 s\)'
exits 2 authctl signin --provider oidc.test --flow paste
err 'visit this URL \(waiting 300 s\)'
