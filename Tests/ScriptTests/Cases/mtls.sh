# Client certificates (RFC 8705): client authentication and certificate-bound tokens.
. "$CASES/../mtls.sh"

# entry ID NAME FLAGS…: adds a provider with the certificate NAME.pem and the key NAME.key.
entry() {
    works authctl providers add "$1" --replace --issuer "$ISSUER" --client-id emulator-client --certificate "$PWD/$2.pem" \
        --private-key "$PWD/$2.key" "${@:3}"
}

#: The emulator enforces client certificates and certificate-bound tokens, as curl shows.
# asks NAME PATH CURL-FLAGS…: a request with that certificate, to the port that requests certificates.
asks() { curl -sS --cert "$1.pem" --key "$1.key" "${@:3}" "$MTLS$2"; }
machine=(-d grant_type=client_credentials -d client_id=emulator-client)
mtls --client-subject CN=client,O=Example --jwt-access-tokens
asks client /token "${machine[@]}" >stdout
token=$(field "d['access_token']")
claims "$token" >stdout
json "d['cnf'] == {'x5t#S256': '$(thumbprint client)'}"
asks client /userinfo -H "Authorization: Bearer $token" | grep -q emulator-client || fail "its owner is refused"
asks other /userinfo -H "Authorization: Bearer $token" | grep -q invalid_token || fail "taken from somebody else"
asks client /introspect -d "token=$token" -d client_id=emulator-client | grep -q x5t#S256 || fail "introspection does not say it"
asks other /token "${machine[@]}" | grep -q "that of 'CN=other,O=Example'" || fail "another subject"
asks stranger /token "${machine[@]}" | grep -q 'not signed by a known CA' || fail "another authority"
asks client /token "${machine[@]}" -d client_secret=x | grep -q 'another credential' || fail "two proofs"
# The emulator accepts the certificate header only from the proxy.
escaped=$(python3 -c 'import urllib.parse; print(urllib.parse.quote(open("client.pem").read()))')
for url in "$ISSUER" "$MTLS"; do
    curl -sS -H "Authorization: Bearer $token" -H "X-Client-Certificate: $escaped" "$url/userinfo" | grep -q invalid_token || fail "taken from a header"
done
mtls --client-certificate self.pem
asks self /token "${machine[@]}" | grep -q access_token || fail "the registered certificate is refused"
asks client /token "${machine[@]}" | grep -q 'not the registered one' || fail "another one"

#: A CA-signed or self-signed certificate authenticates the client, and its tokens are bound to it.
several_accounts_per_email
for kind in client self; do
    case $kind in
    client) mtls --client-subject CN=client,O=Example --jwt-access-tokens ;;
    self) mtls --client-certificate self.pem --jwt-access-tokens ;;
    esac
    entry "oidc.$kind" $kind
    works authctl signin --provider "oidc.$kind" --json
    json "d['credential']['binding'] == 'certificate'"
    works authctl token --provider "oidc.$kind" --force-refresh
    cp stdout token
    claims "$(cat token)" >stdout
    json "d['cnf'] == {'x5t#S256': '$(thumbprint $kind)'}"
    works authctl request --provider "oidc.$kind" "$MTLS/userinfo"
    json "'sub' in d"
    # In the second in which it was made, it is valid for two days.
    next_second
    works authctl providers check "oidc.$kind"
    out 'mutual TLS +offered: .*bound tokens, custom endpoints'
    out "certificate +'CN=$kind.*', valid for a day: renew it soon"
    works authctl verify --introspect --provider "oidc.$kind" token
    works authctl signout --provider "oidc.$kind" --revoke --json
    json "d['signedOut'][0]['revoked'] == 'confirmed'"
    works authctl signin --provider "oidc.$kind" --par
    works authctl signin --provider "oidc.$kind" --flow client-credentials --scope deploy
    works authctl status --provider "oidc.$kind" --json
    json "all(s['binding'] == 'certificate' for a in d['accounts'] for s in a['sessions'])"
done

#: Presents the certificate only to endpoints that require it, even if the whole host requests it.
tls_ports
# All endpoints have one origin, so that a connection with the certificate could be reused.
emulator --certificate-header X-Client-Certificate --url "https://localhost:$port" --mtls-url "https://localhost:$port" \
    --client-subject CN=client,O=Example --jwt-access-tokens
PLAIN=$ISSUER
ASKS=optional_no_ca tls_front "$PLAIN"
ISSUER=https://localhost:$port
entry oidc.test client
works authctl signin --provider oidc.test --par --verbose
works authctl token --force-refresh
for path in /par /token; do [ "$(shown $path)" != 0 ] || fail "none shown to $path"; done
for path in /.well-known/openid-configuration /jwks /authorize /userinfo; do [ "$(shown $path)" = 0 ] || fail "shown to $path"; done
[ "$(requests jwks)" != 0 ] || fail "no keys were asked for"
works authctl request "$ISSUER/userinfo"
[ "$(shown /userinfo)" = 1 ] || fail "not shown with a bound token"
works authctl signout --revoke
[ "$(shown /revoke)" != 0 ] || fail "none shown to /revoke"

#: Reports an unsuitable certificate before it sends a request.
emulator --certificate-header X
exits 78 authctl providers add oidc.plain --issuer "$ISSUER" --client-id emulator-client --certificate "$PWD/client.pem" --private-key "$PWD/client.key"
err 'requires an https token endpoint'
mtls --client-subject CN=client,O=Example
cat ca.key >open.key
chmod 644 open.key
cp client.key open.key
refused() { # CODE TEXT FLAGS…
    exits "$1" authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client "${@:3}"
    err "$2"
}
refused 74 "open.key.*mode" --certificate "$PWD/client.pem" --private-key "$PWD/open.key"
cat client.pem client.key >both.pem
chmod 644 both.pem
refused 74 "both.pem.*mode" --certificate "$PWD/both.pem"
refused 78 "the private key does not match the first certificate" --certificate "$PWD/client.pem" --private-key "$PWD/other.key"
refused 78 'does not contain a readable certificate' --certificate "$PWD/client.csr" --private-key "$PWD/client.key"
refused 78 'its key is neither in that file' --certificate "$PWD/client.pem"
refused 78 "'tls_client_auth' requires a certificate" --auth-method tls_client_auth
exits 78 authctl providers add oidc.test --issuer "$ISSUER" --register --auth-method tls_client_auth
err "'tls_client_auth' requires a certificate"
[ "$(requests register)" = 0 ] || fail "a client was registered"
openssl x509 -req -sha1 -in client.csr -CA ca.pem -CAkey ca.key -days 2 -out weak.pem >>openssl.log 2>&1
cp client.key weak.key
entry oidc.test weak
exits 78 authctl signin --provider oidc.test
err "certificate cannot be presented to 'https://localhost:[0-9]+': .*too weak"
works authctl providers remove oidc.test
refused 78 'the certificate expired at 20[0-9-]+T' --certificate "$PWD/expired.pem" --private-key "$PWD/expired.key"
entry oidc.test client
exits 78 authctl providers set oidc.test --certificate "$PWD/expired.pem" --private-key "$PWD/expired.key"
# The configured certificate has expired since then.
cp expired.pem client.pem
cp expired.key client.key
exits 78 authctl signin --provider oidc.test
err 'the certificate expired at 20[0-9-]+T'
exits 1 authctl providers check oidc.test
out "FAIL .*certificate .*the certificate expired at 20"
[ "$(requests '/authorize')" = 0 ] && [ "$(shown /token)" = 0 ] || fail "something was sent"

#: The key can be in the certificate's file, after the chain, and can be encrypted.
mtls --client-subject CN=client,O=Example
echo 'the passphrase of the key' >passphrase
chmod 600 passphrase
openssl pkcs8 -topk8 -in client.key -passout file:passphrase -out encrypted.key
cat client.pem ca.pem encrypted.key >all.pem
chmod 600 all.pem
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --certificate "$PWD/all.pem" --private-key-passphrase-file "$PWD/passphrase"
works authctl signin --provider oidc.test --json
json "d['credential']['binding'] == 'certificate'"
works authctl providers show oidc.test
out "certificate +file $PWD/all.pem"
works authctl providers export oidc.test
no_out "$PWD"
works authctl providers set oidc.test --unset certificate
works authctl providers show oidc.test
no_out all.pem

#: Stores relative certificate paths as absolute ones, and a report contains neither the subject nor the home directory.
mtls --client-subject CN=client,O=Example
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --certificate client.pem --private-key ./client.key
cd home
works authctl signin --provider oidc.test
works authctl providers set oidc.test --private-key ../other.key --certificate ../other.pem
works authctl providers show oidc.test
out "certificate +file $PWD/../other.pem"
authctl doctor --report >stdout 2>stderr || true
out 'certificate: .<subject>'
no_out 'CN=|Example'
no_out '(client|other)[.](pem|key)'
# A finding about a file names it, without the home directory.
chmod 644 ../other.key
exits 1 authctl doctor --report
out "'~/../other.key' contains a secret"
no_out "$HOME"
cd ..

#: `providers check` reports mutual TLS at a server that does not offer it, if the provider has a certificate.
emulator
entry oidc.test client
works authctl providers check oidc.test
out 'mutual TLS +not in the metadata$'
works authctl providers set oidc.test --unset certificate
works authctl providers check oidc.test
no_out 'mutual TLS'

#: Refuses a token bound to another certificate, and reports a server that refuses or requires one.
mtls --client-subject CN=client,O=Example --jwt-access-tokens --fault mtls-other-cnf
entry oidc.test client
exits 65 authctl signin --provider oidc.test
err 'bound to another client.s certificate'
exits 4 authctl status
mtls --client-subject CN=client,O=Example --jwt-access-tokens --fault mtls-no-cnf
entry oidc.test client
works authctl signin --provider oidc.test
works authctl status --field accounts.0.sessions.0.binding
out '^bearer$'
works authctl token --header
mtls --client-subject CN=client,O=Example --fault mtls-refused
entry oidc.test client
exits 78 authctl signin --provider oidc.test
err 'invalid_client'
mtls --fault mtls-required
works authctl providers add oidc.test --replace --issuer "$ISSUER" --client-id emulator-client
exits 78 authctl signin --provider oidc.test
err 'did not present a certificate'
# Without an alias, uses the token endpoint, which does not request a certificate.
mtls --client-subject CN=client,O=Example --fault mtls-no-token-alias
entry oidc.test client
exits 78 authctl signin --provider oidc.test
err 'did not present a certificate'

#: A TLS handshake that fails because of a certificate is not reported as a network error.
certified ca localhost /CN=localhost subjectAltName=DNS:localhost
cp localhost.pem cert.pem
cp localhost.key key.pem
mkdir -p site/.well-known
for version in -tls1_2 -tls1_3; do
    serves_site -Verify 1 -verify_return_error -CAfile ../ca.pem $version
    asking=$PORT
    serves_site
    python3 - "$PORT" "$asking" >site/.well-known/openid-configuration <<'P'
import json, sys
base, asking = (f"https://localhost:{port}" for port in sys.argv[1:])
print(json.dumps({"issuer": base, "authorization_endpoint": base + "/a", "token_endpoint": asking + "/t", "jwks_uri": base + "/jwks",
    "token_endpoint_auth_methods_supported": ["tls_client_auth", "client_secret_post"]}))
P
    ISSUER=https://localhost:$PORT
    entry oidc.test stranger
    exits 78 authctl signin --provider oidc.test --flow client-credentials
    err "rejects the client certificate: its CA is not trusted by the server"
    secret_file secret
    works authctl providers add oidc.test --replace --issuer "$ISSUER" --client-id c --client-secret-file "$PWD/secret"
    if [ $version = -tls1_2 ]; then
        exits 69 authctl signin --provider oidc.test --flow client-credentials
        err 'it may require a client certificate'
    else
        exits 78 authctl signin --provider oidc.test --flow client-credentials
        err 'requires a client certificate'
    fi
done

#: Commands that only support bearer tokens do not get a certificate-bound token, which servers refuse without the certificate.
mtls --client-subject CN=client,O=Example
entry oidc.test client --api-host "$MTLS"
works authctl signin --provider oidc.test
for command in 'token --header' 'token --env' 'exec -- true' "credential netrc ${MTLS#https://}" \
    'token --proof GET https://api.example.com/'; do
    exits 78 authctl $command
    err "bound to the client certificate"
done
err 'hint: to call an API: authctl request URL$'
token=$(authctl token)
status() { curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" "$@"; }
[ "$(status --cert client.pem --key client.key "$MTLS/userinfo")" = 200 ] || fail "its owner is refused"
[ "$(status "$MTLS/userinfo")" = 401 ] || fail "taken from nobody"
[ "$(status --cert other.pem --key other.key "$MTLS/userinfo")" = 401 ] || fail "taken from somebody else"
works authctl token --type id --header

#: A renewed certificate of the same client gets new tokens; another client's certificate does not.
mtls --client-subject CN=client,O=Example --jwt-access-tokens
entry oidc.test client
works authctl signin --provider oidc.test
certified ca renewed /O=Example/CN=client extendedKeyUsage=clientAuth
works authctl providers set oidc.test --certificate "$PWD/renewed.pem" --private-key "$PWD/renewed.key"
works authctl request "$MTLS/userinfo"
claims "$(authctl token)" >stdout
json "d['cnf'] == {'x5t#S256': '$(thumbprint renewed)'}"
works authctl providers set oidc.test --certificate "$PWD/other.pem" --private-key "$PWD/other.key"
exits 4 authctl request "$MTLS/userinfo"
err 'bound to another certificate'
# The session is still valid.
works authctl providers set oidc.test --certificate "$PWD/renewed.pem" --private-key "$PWD/renewed.key"
works authctl token --force-refresh
works authctl providers set oidc.test --unset certificate --unset private-key
exits 4 authctl request "$MTLS/userinfo"
err 'bound to a certificate, but none is configured'
# The refresh token of a public client is bound to the certificate too.
several_accounts_per_email
mtls
entry oidc.public client --auth-method none
works authctl signin --provider oidc.public
works authctl providers set oidc.public --certificate "$PWD/other.pem" --private-key "$PWD/other.key"
exits 4 authctl request --provider oidc.public "$MTLS/userinfo"
err 'bound to another certificate'
exits 4 authctl token --provider oidc.public --force-refresh
err 'bound to another certificate'
works authctl providers set oidc.public --certificate "$PWD/client.pem" --private-key "$PWD/client.key"
works authctl token --provider oidc.public --force-refresh

#: The tokens of a stolen store cannot be used without the certificate's key.
mkdir keys
mtls --client-subject CN=client,O=Example
mv client.pem client.key keys
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --certificate "$PWD/keys/client.pem" --private-key "$PWD/keys/client.key"
works authctl signin --provider oidc.test
cp -a "$HOME/.config/authctl" stolen
# The attacker's machine does not have this file.
mv keys elsewhere
attacker() { authctl "$@" --config-dir "$PWD/stolen"; }
# The attacker can read the access token, because the store's key is in the same directory. Servers refuse it without the
# certificate.
token=$(attacker token)
for url in "$ISSUER" "$MTLS"; do
    [ "$(curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" "$url/userinfo")" = 401 ] || fail "accepted from an attacker at $url"
done
exits 78 attacker token --force-refresh
err 'oidc.test: private_key: .*client.key. cannot be read: No such file'
exits 78 attacker request "$MTLS/userinfo"
# The attacker cannot use another certificate either.
works attacker providers set oidc.test --certificate "$PWD/stranger.pem" --private-key "$PWD/stranger.key"
exits 4 attacker token --force-refresh
err 'bound to another certificate'
# The attacker can decrypt the refresh token too. No secret that was sent or received can be used, neither without a
# certificate nor with the attacker's.
sort -u secrets >wire
while read -r secret; do
    for shown in '' '--cert stranger.pem --key stranger.key'; do
        ! curl -sS $shown -d grant_type=refresh_token -d client_id=emulator-client --data-urlencode "refresh_token=$secret" \
            "$MTLS/token" | grep access_token || fail "refreshed for an attacker"
    done
done <wire
# With the key, the session works again.
mv elsewhere keys
works authctl token --force-refresh
works authctl request "$MTLS/userinfo"

#: Request and signout report a key that other users can read even if there are other sessions.
signed_in
mtls --client-subject CN=client,O=Example
entry oidc.bank client
works authctl link --provider oidc.bank
works authctl request "$MTLS/userinfo"
chmod 644 client.key
exits 74 authctl request "$MTLS/userinfo"
err "hint: chmod 600 $PWD/client.key"
exits 1 authctl providers check
out '^FAIL +oidc.bank +entry +.*contains a secret, but can be read or written by other users'
out "^ +→ chmod 600 $PWD/client.key"
out '^ok +oidc.test +keys'
exits 74 authctl signout --provider oidc.bank --revoke
err "signed out on this machine, but the tokens of 'oidc.bank' were not revoked: '$PWD/client.key' contains a secret"
err "hint: chmod 600 $PWD/client.key; then: authctl signout --retry$"
exits 74 authctl signout --retry
chmod 600 client.key
works authctl signout --retry --provider oidc.bank
err 'confirmed that its tokens are revoked'
