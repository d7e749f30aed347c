# The emulator as an OpenID Provider for tests of other clients: what it accepts, and what it reports about an error.

VERIFIER=0123456789012345678901234567890123456789abc
CHALLENGE=$(printf %s $VERIFIER | openssl dgst -sha256 -binary | basenc --base64url | tr -d =)
REDIRECT=http://127.0.0.1:8400/callback

# authorizes [NAME=VALUE…]: sends an authorization request, and writes the response's header and body to stdout.
authorizes() {
    local parameters=() parameter
    for parameter in client_id=emulator-client response_type=code state=s scope=openid\ email "redirect_uri=$REDIRECT" \
        code_challenge_method=S256 code_challenge=$CHALLENGE "$@"; do
        [[ " $* " = *" ${parameter%%=*}="* && " $* " != *" $parameter "* ]] || parameters+=(--data-urlencode "$parameter")
    done
    works curl -sSi -G "$ISSUER/authorize" "${parameters[@]}"
}
# code [NAME=VALUE…]: writes the code for an authorization request to the file code.
code() { authorizes "$@"; grep -oE 'code=[^&]+' stdout | cut -d= -f2 | tr -d '\r' >code; [ -s code ] || fail "no code"; }
# asks PATH NAME=VALUE…: sends a form with a client ID, and writes the response to stdout and its status to the file status.
asks() {
    local path=$1 parameters=() parameter
    shift
    for parameter in "$@"; do parameters+=(--data-urlencode "$parameter"); done
    curl -sS -o stdout -w '%{http_code}' "$ISSUER$path" -d client_id=emulator-client "${parameters[@]}" >status
}
# redeems [NAME=VALUE…]: exchanges the code in the file code.
redeems() { asks /token grant_type=authorization_code "code=$(<code)" code_verifier=$VERIFIER "redirect_uri=$REDIRECT" "$@"; }
# refreshes TOKEN [NAME=VALUE…]: refreshes the tokens.
refreshes() { local token=$1; shift; asks /token grant_type=refresh_token "refresh_token=$token" "$@"; }

#: Introspection has the times of an access token; an expired one is inactive, and /userinfo rejects it.
emulator --access-ttl 100
code
redeems
access=$(field "d['access_token']") refresh=$(field "d['refresh_token']")
asks /introspect "token=$access"
json "d['active'] and d['exp'] - d['iat'] == 100 and d['token_type'] == 'Bearer'"
asks /introspect "token=$refresh"
json "d['active'] and d['iat'] and 'exp' not in d and 'token_type' not in d"
works curl -sSf "$ISSUER/userinfo" -H "Authorization: Bearer $access"
emulator --access-ttl 1
code
redeems
access=$(field "d['access_token']")
next_second
next_second
asks /introspect "token=$access"
json "d == {'active': False}"
[ "$(curl -sS -o stdout -w '%{http_code}' "$ISSUER/userinfo" -H "Authorization: Bearer $access")" = 401 ] || fail "accepted"

#: Registered redirect URIs may have a private-use scheme; others are not accepted then, except for the port of a loopback URI.
emulator --redirect-uri com.example.app:/cb --redirect-uri 'myapp://cb?x=1' --redirect-uri https://app.example.com/cb --redirect-uri http://127.0.0.1/known
authorizes redirect_uri=com.example.app:/cb
out '^Location: com.example.app:/cb[?]code='
authorizes 'redirect_uri=myapp://cb?x=1'
out '^Location: myapp://cb[?]x=1&code='
authorizes redirect_uri=http://127.0.0.1:5/known
out '^Location: http://127.0.0.1:5/known[?]code='
for unknown in com.example.other:/cb http://127.0.0.1:5/other https://app.example.com:444/cb; do
    authorizes "redirect_uri=$unknown"
    out "The redirect URI '$unknown' is not registered"
done
for wrong in foo 'http://x/#f' 'myapp://cb#f' localhost:8400/cb; do
    exits 64 timeout 5 authctl-emulator --redirect-uri "$wrong"
    err "Error: --redirect-uri: '$wrong' is not a URI"
done

#: Options with values that cannot work are errors.
for wrong in "--tenant 72f988bf-0000-4000-8000-2d7cd011db47" "--as google.com --team-id T" "--key-id K" "--hosted-domain x.example" \
    "--as openid --project-id p" "--mails mails" "--port 65535 --as openid --as github.com" "--access-ttl 0" "--id-ttl -1" "--user=" "--client-id=" "--accept-host http://x" "--as openid --as openid"; do
    exits 64 timeout 5 authctl-emulator $wrong
    option=${wrong%%[ =]*}
    [ "$option" != --as ] && [ "$option" != --port ] || option=--
    err "^Error: .*$option"
done

#: A port that cannot be opened is an error at once.
emulator
for other in "--port ${ISSUER##*:}" "--port 1 --as openid"; do
    start=$EPOCHSECONDS
    exits 64 setpriv --bounding-set -net_bind_service --inh-caps -net_bind_service timeout 60 authctl-emulator $other
    err '^Error: --port: [0-9]+ (is in use|cannot be opened: Permission denied)$'
    [ $((EPOCHSECONDS - start)) -lt 9 ] || fail "it waited"
done

#: A body of more than one megabyte is refused, one for another host is not read, and files with secrets are private.
umask 022
mkdir shared
emulator --neighbours "$PWD/shared" --keys "$PWD/keys" --record "$PWD/recorded"
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin
[ -z "$(find shared keys recorded -type f ! -perm 600)" ] || fail "files: $(ls -lR shared keys recorded)"
head -c 3000000 /dev/zero >long
for chunked in "" "Transfer-Encoding: chunked"; do
    status() { curl -sS -o /dev/null -w '%{http_code}' -H "$chunked" -H 'Expect:' "$@"; }
    [ "$(status --data-binary @long "$ISSUER/token")" = 413 ] || fail "it was read"
    [ "$(status --data-binary @long -H 'Host: evil.example' "$ISSUER/token")" = 421 ] || fail "another host"
done

#: A refresh may request fewer scopes for the access token, not others.
emulator
code
redeems
refreshes "$(field "d['refresh_token']")" scope=openid
json "d['scope'] == 'openid'"
next=$(field "d['refresh_token']")
refreshes "$next" scope=openid\ banana
json "d['error'] == 'invalid_scope'"
refreshes "$next"
json "d['scope'] == 'openid email'"

#: The reuse of a code or refresh token revokes all tokens of the sign-in.
emulator
code
redeems
first=$(field "d['refresh_token']") old=$(field "d['access_token']")
refreshes "$first"
second=$(field "d['refresh_token']") access=$(field "d['access_token']")
for token in "$old" "$access"; do asks /introspect "token=$token"; json "d['active'] is True"; done
refreshes "$first"
json "d['error'] == 'invalid_grant'"
refreshes "$second"
json "d['error'] == 'invalid_grant'"
for token in "$old" "$access"; do asks /introspect "token=$token"; json "d == {'active': False}"; done
code
redeems
refresh=$(field "d['refresh_token']") access=$(field "d['access_token']")
redeems
json "d['error'] == 'invalid_grant'"
refreshes "$refresh"
json "d['error'] == 'invalid_grant'"
asks /introspect "token=$access"
json "d == {'active': False}"

#: Authorization requests with unsupported parameters get an error.
emulator
for wrong in response_mode=fragment prompt=none\ login prompt=bogus max_age=x claims={; do
    authorizes "$wrong"
    out '^Location: .*[?]error=invalid_request&'
done
authorizes request=eyJ
out '^Location: .*[?]error=request_not_supported&'
works curl -sS "$ISSUER/authorize"
out 'client_id is missing'
authorizes client_id=z
out 'client_id is unknown: .z'

#: Errors of the token endpoint name what is wrong with the request.
emulator
code
asks /token grant_type=authorization_code "code=$(<code)" "redirect_uri=$REDIRECT"
json "d['error_description'] == 'code_verifier is missing.'"
asks /token client_id=emulator-client
json "d['error_description'] == 'client_id is a duplicate parameter.'"
works curl -sS "$ISSUER/token" -d grant_type=authorization_code
json "d['error'] == 'invalid_request' and d['error_description'] == 'client_id is missing.'"
works curl -sS "$ISSUER/token" -H 'Content-Type: application/json' -d '{"client_id":"emulator-client"}'
json "d['error_description'] == 'The body must be application/x-www-form-urlencoded.'"
works curl -sSi "$ISSUER/token"
out '^HTTP/1.1 405 '
out '^Allow: POST'
works curl -sSi "$ISSUER/nothing"
out '^HTTP/1.1 404 '
emulator --client-secret s3cret-s3cret
for twice in client_id=z client_secret=s3cret-s3cret; do
    works curl -sS -u emulator-client:s3cret-s3cret "$ISSUER/token" -d grant_type=client_credentials -d "$twice"
    json "d['error'] == 'invalid_request'"
done

#: A logout redirects to a registered post_logout_redirect_uri, with its state.
emulator
works curl -sSi -G "$ISSUER/logout" -d client_id=emulator-client -d state=s --data-urlencode post_logout_redirect_uri=$REDIRECT
out "^Location: $REDIRECT[?]state=s"
works curl -sSi -G "$ISSUER/logout" -d state=s --data-urlencode post_logout_redirect_uri=https://other.example/
out '^HTTP/1.1 400 '
works curl -sS "$ISSUER/register" -H 'Content-Type: application/json' \
    -d '{"redirect_uris":["https://a.example/cb"],"post_logout_redirect_uris":["https://a.example/bye"]}'
json "d['client_secret'] and d['client_secret_expires_at'] == 0"
works curl -sSi -G "$ISSUER/logout" -d "client_id=$(field "d['client_id']")" --data-urlencode post_logout_redirect_uri=https://a.example/bye
out '^Location: https://a.example/bye'

#: The user's name on the consent page is that of login_hint.
mkfifo page.url
authctl-emulator --keys "$KEYS/1" >page.url 2>page.log &
servers+=($!)
read -r ISSUER <page.url
authorizes login_hint=bob@example.com
out 'name="user" value="bob@example.com"'

#: github.com needs only the parameters that GitHub documents, and accepts JSON.
emulator --as github.com --client-secret s3cret-s3cret --redirect-uri $REDIRECT
works curl -sSi -G "$ISSUER/login/oauth/authorize" -d client_id=emulator-client -d state=s
out "^Location: $REDIRECT[?]code="
grep -oE 'code=[^&]+' stdout | cut -d= -f2 | tr -d '\r' >code
works curl -sS "$ISSUER/login/oauth/access_token" -H 'Accept: application/json' -d client_id=emulator-client \
    -d client_secret=s3cret-s3cret -d "code=$(<code)"
json "d['access_token'].startswith('gho_')"
works curl -sSi -G "$ISSUER/login/oauth/authorize" -d client_id=emulator-client -d state=s
grep -oE 'code=[^&]+' stdout | cut -d= -f2 | tr -d '\r' >code
works curl -sS "$ISSUER/login/oauth/access_token" -H 'Accept: application/json' -H 'Content-Type: application/json' \
    -d "{\"client_id\":\"emulator-client\",\"client_secret\":\"s3cret-s3cret\",\"code\":\"$(<code)\"}"
json "d['access_token'].startswith('gho_')"
