# TLS: refuses an unknown CA, a wrong host name and an old protocol; SSL_CERT_FILE names another CA.
mkdir -p site/.well-known
certificate
serve() { # FLAGS…: a TLS server for the files in site; sets PORT
    serves_site "$@"
    python3 - "$PORT" >site/.well-known/openid-configuration <<'P'
import json, sys
base = f"https://localhost:{sys.argv[1]}"
print(json.dumps({"issuer": base, "authorization_endpoint": base + "/a", "token_endpoint": base + "/t", "jwks_uri": base + "/jwks"}))
P
}
serve
unset SSL_CERT_FILE
exits 69 authctl providers add oidc.tls --issuer "https://localhost:$PORT" --client-id c
err 'network-request-failed'
err 'SSL_CERT_FILE to (the|its) CA'
export SSL_CERT_FILE=$PWD/cert.pem
works authctl providers add oidc.tls --issuer "https://localhost:$PORT" --client-id c
exits 69 authctl providers add oidc.other --issuer "https://127.0.0.1:$PORT" --client-id c
chmod 666 cert.pem
exits 78 authctl providers add oidc.tls --issuer "https://localhost:$PORT" --client-id c
err 'which other users can replace'
chmod 600 cert.pem
SSL_CERT_FILE=$PWD/none exits 78 authctl providers add oidc.tls --issuer "https://localhost:$PORT" --client-id c
serve -tls1_1 -cipher DEFAULT@SECLEVEL=0
exits 69 authctl providers add oidc.old --issuer "https://localhost:$PORT" --client-id c
serve -tls1_2
works authctl providers add oidc.new --issuer "https://localhost:$PORT" --client-id c

#: A refresh uses only the ciphers that OpenSSL's configuration allows, with and without options.
. "$CASES/../mtls.sh"
mtls
works authctl providers add oidc.tls --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.tls
works authctl token --force-refresh
cat >openssl.cnf <<'C'
openssl_conf = all
[all]
ssl_conf = tls
[tls]
system_default = limits
[limits]
CipherString = ECDHE-ECDSA-AES128-GCM-SHA256
Ciphersuites = TLS_AES_128_GCM_SHA256
C
export OPENSSL_CONF=$PWD/openssl.cnf
works authctl token --force-refresh
# The server has an EC key, so none of these ciphers can be used.
sed -i 's/ECDSA/RSA/; s/TLS_AES_128_GCM/TLS_AES_128_CCM_8/' openssl.cnf
exits 69 authctl token --force-refresh
err '\(network-request-failed\)'
exits 69 authctl token --force-refresh --timeout 299
err '\(network-request-failed\)'
works authctl token
session_set tokens.expiresAt "$EPOCHSECONDS"
exits 69 authctl token
err '\(network-request-failed\)'

#: A token is printed and refreshed although OpenSSL's configuration requires a FIPS module that is not installed.
# No ID token, because its signature could not be verified.
signed_in --fault refresh-no-id-token
cat >openssl.cnf <<'C'
openssl_conf = all
[all]
alg_section = algorithms
random = random
[algorithms]
default_properties = fips=yes
[random]
cipher = AES-256-CTR
properties = -fips
random = CTR-DRBG
seed_properties = -fips
C
export OPENSSL_CONF=$PWD/openssl.cnf
works authctl token
works authctl token --force-refresh
session_set tokens.expiresAt 1
works authctl token
