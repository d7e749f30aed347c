# A malicious provider sends the user to an honest one, with the honest provider's client ID, our state and
# challenge (RFC 9700 section 4.4). Neither the honest one's code nor our verifier may reach it.

# honest: a provider that says no issuer in its answers, and knows the redirect URI of its entry.
honest() {
    emulator --client-id client-there --fault missing-response-iss --redirect-uri "http://127.0.0.1:8400/callback/oidc.honest"
    HONEST=$ISSUER
}

# malicious TARGET: one that sends people on to it; sets EVIL.
malicious() {
    rm -f evil.url && mkfifo evil.url
    authctl-emulator --auto-approve --record "$PWD/got" --client-id client-here --fault mix-up --mix-up-with "$1" >evil.url 2>evil.log &
    servers+=($!)
    read -r EVIL <evil.url
    works authctl providers add oidc.evil --issuer "$EVIL" --client-id client-here
}

# got_nothing: the malicious token endpoint was never asked, and was sent neither code nor verifier.
got_nothing() {
    [ "$(ISSUER=$EVIL requests 'token authorization_code')" = 0 ] || fail "the malicious token endpoint was asked"
    [ ! -s got ] || fail "it got: $(cat got)"
}

#: The honest provider does not know the malicious provider's redirect URI.
honest
malicious "$HONEST/authorize?client_id=client-there"
exits 3 authctl signin --provider oidc.evil --timeout 3
[ "$(ISSUER=$HONEST requests authorize)" = 1 ] || fail "nobody was sent on"
got_nothing

#: This sign-in does not accept the honest provider's redirect URI, from the browser or from pasted input.
honest
port=$(free_port)
there="redirect_uri=http%3A%2F%2F127.0.0.1%3A$port%2Fcallback%2Foidc.honest"
malicious "$HONEST/authorize?client_id=client-there&$there"
exits 3 authctl signin --provider oidc.evil --timeout 3 --port "$port"
got_nothing
grep -q . secrets || fail "the honest provider gave no code"
works authctl signin --provider oidc.evil --begin
url=$(python3 -c "import json; print(json.load(open('stdout'))['authorizationURL'])")
id=$(python3 -c "import json; print(json.load(open('stdout'))['id'])")
# The redirect from one provider to the other and back to a port without a listener.
answer=$(curl -sS -o /dev/null -w '%{redirect_url}' "$(curl -sS -o /dev/null -w '%{redirect_url}' "$url")")
grep -q '/callback/oidc.honest[?]code=' <<<"$answer" || fail "no code in $answer"
code=0
authctl signin --complete "$id" <<<"$answer" >stdout 2>stderr || code=$?
[ $code = 65 ] || fail "exit $code"
got_nothing
