# Mix-up attack (RFC 9700 section 4.4): a malicious provider redirects the user to an honest one, with the honest provider's
# client ID and the state and challenge of this sign-in. It must get neither the code nor the code verifier.

# honest: a provider that does not send iss, and has the redirect URI of oidc.honest registered.
honest() {
    emulator --client-id client-there --fault missing-response-iss --redirect-uri "http://127.0.0.1:8400/callback/oidc.honest"
    HONEST=$ISSUER
}

# malicious TARGET: a provider that redirects users to TARGET; sets EVIL.
malicious() {
    rm -f evil.url && mkfifo evil.url
    authctl-emulator --auto-approve --keys "$KEYS/evil" --record "$PWD/got" --client-id client-here --fault mix-up --mix-up-with "$1" >evil.url 2>evil.log &
    servers+=($!)
    read -r EVIL <evil.url
    works authctl providers add oidc.evil --issuer "$EVIL" --client-id client-here
}

# got_nothing: the malicious token endpoint received no request, no code and no verifier.
got_nothing() {
    [ "$(ISSUER=$EVIL requests 'token authorization_code')" = 0 ] || fail "the malicious token endpoint was asked"
    [ ! -s got ] || fail "it got: $(cat got)"
}

#: The honest provider refuses the malicious provider's redirect URI, and no code is issued.
honest
malicious "$HONEST/authorize?client_id=client-there"
export BROWSER="curl -sS -L -o $PWD/page"
exits 3 authctl signin --provider oidc.evil --timeout 3
[ "$(ISSUER=$HONEST requests authorize)" = 1 ] || fail "nobody was sent on"
grep -qE "The redirect URI 'http://127[.]0[.]0[.]1:[0-9]+/callback/oidc[.]evil' is not registered[.]" page || fail "another page: $(cat page)"
[ ! -s secrets ] || fail "it issued: $(cat secrets)"
got_nothing

#: A sign-in refuses a callback at the redirect URI of another provider, from the browser and from pasted input.
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
