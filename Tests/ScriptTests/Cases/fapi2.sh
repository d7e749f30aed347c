# --fapi2 enforces the FAPI 2.0 Security Profile for a provider.
. "$CASES/../mtls.sh"
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem 2>/dev/null
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.pem 2>/dev/null
chmod 600 key.pem rsa.pem

# bank EMULATOR-FLAGS…: a provider that complies with the profile, except as the flags say.
bank() { mtls --alg PS256 --client-key key.pem --client-alg ES256 --fault par-required --fault dpop-required "$@"; }

# adds [FLAGS…]: adds it as oidc.bank.
adds() { authctl providers add oidc.bank --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/key.pem" --fapi2 --replace "$@"; }

#: --fapi2 uses PAR, private_key_jwt and DPoP without other options.
bank
works adds
works authctl providers check oidc.bank
out 'FAPI 2.0 +5.3.3.1 sender-constrained tokens: passed'
out "FAPI 2.0 +5.3.3.2 'iss' in responses: passed"
[ "$(grep -c 'FAPI 2.0 .*passed$' stdout)" = 9 ] || fail "not every demand is listed"
works authctl providers show oidc.bank --json
json "d['fapi2'] is True"
works authctl signin --provider oidc.bank
works authctl status --json
json "d['accounts'][0]['sessions'][0]['binding'] == 'dpop'"
[ "$(requests par)" = 1 ] || fail "the request was not pushed"
works authctl request "$ISSUER/userinfo"
works authctl token --force-refresh
works authctl signin --provider oidc.bank --no-input --begin
json "'request_uri' in d['authorizationURL'] and 'scope' not in d['authorizationURL']"
works authctl signin --provider oidc.bank --flow client-credentials --scope accounts

#: Refuses to add a provider that does not support the profile, and names the missing feature.
for lack in "no-par:lacks a PAR endpoint" "unpromised-iss:does not declare 'iss'"; do
    mtls --alg PS256 --client-key key.pem --fault "${lack%%:*}"
    exits 78 adds
    err "must comply with FAPI 2.0, but .*${lack#*:}.*\(unsupported\)"
    exits 78 authctl providers show oidc.bank
done
mtls --alg PS256 --client-key key.pem --fault no-dpop
exits 78 adds
err 'supports neither DPoP'
mtls --client-key key.pem
exits 78 adds
err 'signs ID tokens with RS256, not with PS256, ES256 or EdDSA \(5.4.1\)'
works authctl providers add oidc.bank --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/key.pem"
exits 78 authctl providers set oidc.bank --fapi2
works authctl signin --provider oidc.bank

#: Refuses a configuration with a secret, without a key, with a weak algorithm or with its own endpoints.
bank
secret_file client-secret-1
exits 78 adds --client-secret-file "$PWD/secret"
err 'the client has a secret \(5.3.3.1\)'
exits 78 authctl providers add oidc.bank --issuer "$ISSUER" --client-id emulator-client --fapi2
err "authentication is 'none'"
exits 78 adds --private-key "$PWD/rsa.pem" --key-alg RS256
err 'would sign with RS256'
exits 78 adds --assertion-audience token-endpoint
err 'assertion_audience'
for flag in --par-endpoint --revocation-endpoint --device-authorization-endpoint; do
    exits 78 adds $flag "$ISSUER/elsewhere"
    err 'comes from the configuration instead of its metadata'
done
exits 78 authctl providers add oidc.plain --issuer "$PLAIN" --client-id emulator-client --private-key "$PWD/key.pem" --fapi2
exits 78 authctl providers add google.com --client-id c --private-key "$PWD/key.pem" --fapi2
err 'endpoints are built in'
# An invalid value in config.yaml is an error.
works adds
sed -i 's/fapi2: true/fapi2: ture/' "$HOME/.config/authctl/config.yaml"
exits 78 authctl signin --provider oidc.bank
err 'fapi2'

#: A client certificate authenticates the client and binds the tokens, instead of a key and DPoP.
banks() { mtls --alg PS256 --client-subject CN=client,O=Example --jwt-access-tokens --fault par-required "$@"; }
certified_entry() {
    works authctl providers add oidc.bank --issuer "$ISSUER" --client-id emulator-client --certificate "$PWD/client.pem" \
        --private-key "$PWD/client.key" --fapi2 --replace
}
banks --fault no-dpop
certified_entry
works authctl signin --provider oidc.bank
works authctl status --json
json "d['accounts'][0]['sessions'][0]['binding'] == 'certificate'"
works authctl request "$MTLS/userinfo"
works authctl token --force-refresh
works authctl providers check oidc.bank
[ "$(grep -c 'FAPI 2.0 .*passed$' stdout)" = 9 ] || fail "not every demand is kept"
exits 78 authctl providers set oidc.bank --unset certificate --unset private-key
banks --fault mtls-no-cnf
certified_entry
exits 65 authctl signin --provider oidc.bank --scope profile
err 'not sender-constrained, as FAPI 2.0 requires'

#: An RSA key signs with PS256.
mtls --alg ES256 --client-key rsa.pem --client-alg PS256 --fault par-required --fault dpop-required
works adds --private-key "$PWD/rsa.pem"
works authctl signin --provider oidc.bank

#: Does not register a client without a private key, because it could not be used.
mtls --alg PS256
exits 78 authctl providers add oidc.bank --issuer "$ISSUER" --register --fapi2
[ "$(requests register)" = 0 ] || fail "it was registered"
works authctl providers add oidc.bank --issuer "$ISSUER" --register --private-key "$PWD/key.pem" --fapi2
works authctl signin --provider oidc.bank

#: Refuses a response without iss, an RS256 ID token, a bearer token and a long-lived request URI.
while IFS='|' read -r fault reason; do
    bank --fault "$fault"
    works adds
    exits 65 authctl signin --provider oidc.bank
    err "$reason"
    exits 4 authctl status
done <<'ROWS'
missing-response-iss|the issuer 'iss' of the authorization response is missing
rs256-id-token|its algorithm 'RS256' is not accepted
dpop-bearer|'token_type' is not 'DPoP'
par-long|'expires_in' is not below the 600 seconds of FAPI 2.0
ROWS

#: Refuses the device flow and token exchange.
bank
works adds
exits 78 authctl signin --provider oidc.bank --flow device
err 'device flow'
works authctl signin --provider oidc.bank
exits 78 authctl token --exchange oidc.bank
err 'it does not allow'
[ "$(requests device)" = 0 ] || fail "a code was asked for"

#: Does not refresh tokens of an earlier sign-in that are not sender-constrained.
mtls --alg PS256 --client-key key.pem
works authctl providers add oidc.bank --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/key.pem" --replace
works authctl signin --provider oidc.bank
works authctl providers set oidc.bank --fapi2
exits 4 authctl token --force-refresh
err 'not sender-constrained, as FAPI 2.0 requires'
works authctl signin --provider oidc.bank
works authctl token --force-refresh

#: No token is requested with an identity assertion of another provider.
emulator
works authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.work
bank
works adds --assertion-from oidc.work
exits 78 authctl signin --resource "$ISSUER/api" --provider oidc.bank --scope notes.read
err "'oidc.bank' must comply with FAPI 2.0, but it does not allow token exchange"
