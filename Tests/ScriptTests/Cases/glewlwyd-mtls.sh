# Glewlwyd with mutual TLS client authentication (RFC 8705), behind nginx.
. "$CASES/../mtls.sh"
mtls_glewlwyd

#: Glewlwyd accepts only the registered certificate of a client, and binds tokens to it, as curl shows.
# asks NAME CLIENT: requests a token for this client with that certificate.
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

#: Each mutual TLS method gets certificate-bound tokens, at the mutual TLS endpoint aliases.
for pair in "client certificate tls_client_auth" "self self-signed self_signed_tls_client_auth"; do
    read -r name id method <<<"$pair"
    entry=(--issuer "$ISSUER" --client-id "$id" --certificate "$PWD/$name.pem" --private-key "$PWD/$name.key"
        --redirect-uri "http://127.0.0.1:$REDIRECT_PORT/callback")
    works authctl providers add oidc.work --replace "${entry[@]}"
    works authctl providers check oidc.work
    out "client +'$method'"
    works authctl signin --provider oidc.work --json
    json "d['account']['email'] == 'alice@example.com' and d['credential']['binding'] == 'certificate'"
    works authctl token --force-refresh
    cp stdout token
    claims "$(cat token)" >stdout
    json "d['cnf'] == {'x5t#S256': '$(thumbprint "$name")'}"
    works authctl request "$ISSUER/userinfo"
    json "d['name'] == 'Alice Example'"
    works authctl verify --introspect --provider oidc.work token
    works authctl signin --provider oidc.work --par --json
    json "d['credential']['binding'] == 'certificate'"
    works authctl signout --revoke
    err 'confirmed'
    # The DPoP proof names the server's published endpoint, not the alias (RFC 9449 section 4.3).
    exits 65 authctl signin --provider oidc.work --dpop
    err 'invalid_dpop_proof'
    # Glewlwyd responds to a wrong certificate with an empty 403, or as if there were none.
    for wrong in other stranger; do
        works authctl providers set oidc.work --certificate "$PWD/$wrong.pem" --private-key "$PWD/$wrong.key"
        exits 78 authctl signin --provider oidc.work
        err '(invalid|unauthorized)_client'
    done
    # Glewlwyd sends iss, but does not declare it in its metadata.
    exits 78 authctl providers add oidc.bank "${entry[@]}" --fapi2
    err "does not declare 'iss'"
done
