# Client certificates (RFC 8705): who a client is, and what its tokens are bound to.
. "$CASES/../mtls.sh"

#: The emulator that these stories use keeps the rules itself: who asks with curl sees it.
# asks NAME PATH CURL-FLAGS…: with that certificate, where certificates are asked for.
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
asks stranger /token "${machine[@]}" | grep -q 'no known authority' || fail "another authority"
asks client /token "${machine[@]}" -d client_secret=x | grep -q 'another proof' || fail "two proofs"
# Nobody but the proxy says what was shown.
escaped=$(python3 -c 'import urllib.parse; print(urllib.parse.quote(open("client.pem").read()))')
for url in "$ISSUER" "$MTLS"; do
    curl -sS -H "Authorization: Bearer $token" -H "X-Client-Certificate: $escaped" "$url/userinfo" | grep -q invalid_token || fail "taken from a header"
done
mtls --client-certificate self.pem
asks self /token "${machine[@]}" | grep -q access_token || fail "the registered certificate is refused"
asks client /token "${machine[@]}" | grep -q 'not the registered one' || fail "another one"
