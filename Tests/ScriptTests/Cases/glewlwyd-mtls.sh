# Glewlwyd, and clients that it knows by their certificates (RFC 8705), behind nginx.
. "$CASES/../mtls.sh"
mtls_glewlwyd

#: It takes the certificate that a client is registered with, binds tokens to it, and takes no other: who asks with curl sees it.
# asks NAME CLIENT: a token for this client with that certificate.
asks() { curl -sS --cert "$1.pem" --key "$1.key" -d grant_type=client_credentials -d "client_id=$2" -d scope=openid "$MTLS/token" >stdout; }
for pair in "client certificate" "self self-signed"; do
    asks $pair
    claims "$(field "d['access_token']")" >stdout
    json "d['cnf'] == {'x5t#S256': '$(thumbprint "${pair% *}")'}"
done
for pair in "other certificate" "stranger certificate" "self certificate" "client self-signed"; do
    asks $pair
    [ ! -s stdout ] || fail "taken: $pair"
done
