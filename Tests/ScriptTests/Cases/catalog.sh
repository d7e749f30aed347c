# The services of the catalog: set up by their names, and played by the emulator.

# secret_of NAME: prints none, optional or required.
secret_of() { authctl providers catalog "$1" --json | python3 -c "import json, sys; print(next(s['secret'] for s in json.load(sys.stdin)['services'] if s['name'] == '$1'))"; }

# service NAME [EMULATOR-FLAGS… --] [ADD-FLAGS…]: starts an emulator of this service, and adds it with its client.
service() {
    local name=$1 flags=() secret=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do flags+=("$1"); shift; done
    [ $# = 0 ] || shift
    [ "$(secret_of "$name")" != required ] || secret=(client-secret-1)
    SECRET=${secret[0]:-}
    emulator --as "$name" --client-id client-1 ${secret:+--client-secret "${secret[0]}"} "${flags[@]}"
    secret_file client-secret-1
    works authctl providers add "$name" --base-url "$ISSUER" --client-id client-1 ${secret:+--client-secret-file "$PWD/secret"} "$@"
}

# entry [NAME] <ENTRY: writes an entry of the user's own.
entry() {
    mkdir -p "$HOME/.config/authctl/catalog.d"
    chmod 700 "$HOME/.config" "$HOME/.config/authctl" "$HOME/.config/authctl/catalog.d"
    cat >"$HOME/.config/authctl/catalog.d/${1:-birds}.yaml"
}

# differs SERVICE FAULT PATTERN: a second sign-in gets another answer than the entry says; the first session is untouched.
differs() {
    local before callback
    callback=http://127.0.0.1:$(free_port)/callback
    service "$1" --redirect-uri "$callback" -- --redirect-uri "$callback"
    works authctl signin "$1"
    before=$(authctl token "$1")
    kill "$EMULATOR" && wait "$EMULATOR" || true
    works authctl status --json
    cp stdout sessions
    emulator --as "$1" --port "${ISSUER##*:}" --client-id client-1 --redirect-uri "$callback" ${SECRET:+--client-secret "$SECRET"} --fault "$2"
    exits 65 authctl signin "$1"
    err "$3"
    [ "$(grep -c '^authctl: error: ' stderr)" = 1 ] || fail "not one error"
    [ "$(authctl token "$1")" = "$before" ] || fail "$2: another token"
    works authctl status --json
    cmp stdout sessions || fail "$2: another session"
    kill "$EMULATOR"
    rm -rf "$HOME/.config"
}

# every REMAINDER: signs in to each fourth entry, reads the user, refreshes, calls the API and revokes. One emulator plays all
# entries with a client secret, another one those without.
every() {
    local callback flags kind name id line answers
    callback=http://127.0.0.1:$(free_port)/callback
    secret_file client-secret-1
    export BROWSER="curl -sS -L -o /dev/null"
    works authctl providers catalog --json
    cp stdout catalog
    for kind in public confidential; do
        python3 -IS -c "import json
for s in json.load(open('catalog'))['services'][$1::4]:
    # A built-in provider has stories of its own.
    if (s['secret'] == 'required') == ('$kind' == 'confidential') and s['name'] != 'entra':
        values = {'label': 'example', 'segment': 'main', 'host': 'id.example.com', 'url': 'id.example.com/x'}
        answers = {q['name']: (q['form'] or values[q['kind']]).replace('{', '').replace('}', '') for q in s['questions']}
        print(s['name'], s['providerId'], *('--answer ' + name + '=' + value for name, value in answers.items()))" >services
        flags=()
        [ $kind = public ] || flags=(--client-secret client-secret-1)
        while read -r name line; do flags+=(--as "$name"); done <services
        rm -f urls && mkfifo urls
        authctl-emulator --auto-approve --keys "$KEYS/1" --record "$PWD/secrets" --client-id client-1 \
            --redirect-uri "$callback" "${flags[@]}" >urls 2>emulator.log &
        servers+=("$!")
        exec 3<urls
        flags=()
        [ $kind = public ] || flags=(--client-secret-file "$PWD/secret")
        while read -r name id answers; do
            read -r line <&3
            ISSUER=${line##* }
            rm -rf "$HOME/.config"
            # shellcheck disable=SC2086
            works authctl providers add "$name" --base-url "$ISSUER" --client-id client-1 --redirect-uri "$callback" "${flags[@]}" $answers
            works authctl signin "$id" --json
            json "d['providerId'] == '$id' and d['account']['providerData'][0]['federatedId']"
            works authctl token "$id" --force-refresh
            [ "$(requests 'token refresh_token')" = 1 ] || fail "$name: no refresh"
            [[ $id = oidc.* ]] || works authctl request "$ISSUER/some/api"
            works authctl signout "$id" --revoke
        done <services
        exec 3<&-
    done
}

#: A service is set up by its name, and its API answers.
service spotify
works authctl signin spotify --json
json "d['providerId'] == 'oauth.spotify' and d['account']['providerData'][0]['displayName'] == 'Ada Example'"
works authctl token spotify --force-refresh
works authctl request "$ISSUER/v1/me"
json "d['display_name'] == 'Ada Example'"
works authctl providers show spotify
out '^service +spotify 2026-11-28$'
works authctl providers catalog spot
out '^spotify +Spotify +https://developer.spotify.com/dashboard$'

#: Every entry signs in, refreshes, revokes and says who the user is: part 1 of 4.
every 0

#: Every entry signs in, refreshes, revokes and says who the user is: part 2 of 4.
every 1

#: Every entry signs in, refreshes, revokes and says who the user is: part 3 of 4.
every 2

#: Every entry signs in, refreshes, revokes and says who the user is: part 4 of 4.
every 3

#: An API without the user's ID at its path is an error, and the session before it stays.
differs spotify no-user-id "'id' is missing"
differs linear no-user-id "'data.viewer.id' is missing"
differs notion no-user-id "'owner.user.id' is missing"

#: A token response without an access token is an error, and the session before it stays.
differs spotify nested-token "'access_token' is missing"

#: A token of another type is an error, and the session before it stays.
differs spotify other-token-type "'token_type'"
differs spotify no-token-type "'token_type'"

#: An error of the API is an error of the sign-in, and the session before it stays.
differs spotify api-401 'status 401'
differs spotify api-not-ok missing_scope
differs linear api-errors "'data.viewer.id' is missing"

#: A refresh with another answer than the entry says is an error, and the session before it stays.
service spotify
works authctl signin spotify
before=$(authctl token spotify)
kill "$EMULATOR" && wait "$EMULATOR" || true
while IFS='|' read -r answer problem; do
    rm -f answering
    python3 -IS -c 'import http.server, sys
class Answer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(sys.argv[2].encode())
server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Answer)
print("listens", flush=True)
server.handle_request()' "${ISSUER##*:}" "$answer" >answering 2>&1 &
    servers+=("$!")
    awaits answering listens >/dev/null
    exits 65 authctl token spotify --force-refresh
    err "$problem"
    [ "$(authctl token spotify)" = "$before" ] || fail "$answer: another token"
done <<'LINES'
{"token_type": "bearer"}|'access_token' is missing
{"access_token": "another", "token_type": "OAuth"}|'token_type'
{"access_token": "another"}|'token_type'
{"access_token": 17, "token_type": "bearer"}|'access_token'
{"ok": false}|'access_token' is missing
LINES

#: A service in a file of the user's own is set up like any other, and its tokens are used everywhere.
entry <<'LINES'
title: Birds
id: oauth.birds
redirect: any 127.0.0.1
ask:
  nest: {question: "Nest, for example north", kind: label}
authorization_endpoint: https://{nest}.birds.example/authorize
token_endpoint: https://{nest}.birds.example/token
userinfo_endpoint: https://{nest}.birds.example/api/me
uid_path: bird.id
name_path: bird.name
scopes: [sing, fly]
scope_separator: ','
LINES
exits 64 authctl providers add birds --client-id client-1
err "'birds' requires --answer nest=VALUE: Nest, for example north"
exits 64 authctl providers add keycloak --client-id client-1 --answer url=https://127.0.0.1:1
err "'keycloak' requires --answer realm=VALUE"
exits 69 authctl providers add keycloak --client-id client-1 --answer url=https://127.0.0.1:1/realms/main
err "cannot reach 'https://127.0.0.1:1'"
exits 64 authctl providers add oidc.lab --preset gitae --client-id client-1
err "'gitae' is not a service"
works authctl providers catalog bird
out '^birds +Birds'
for wrong in a/b a.b '' 'a b'; do
    exits 64 authctl providers add birds --client-id client-1 --answer "nest=$wrong"
    err "answer nest: '$wrong' has other characters"
done
exits 78 authctl signin birds
err "'birds' is not configured"
err 'hint: authctl setup birds$'
works authctl providers add birds --client-id client-1 --answer nest=north
works authctl providers show birds
out '^token endpoint +https://north.birds.example/token$'
out '^scope separator +,$'
sed -i "s/^scope_separator: .*/scope_separator: ' '/" "$HOME/.config/authctl/catalog.d/birds.yaml"
authctl doctor --long >stdout 2>stderr || true
out 'the catalog now has another value of scope separator'

#: An entry that cannot be used fails only the commands that name it, with its file and line.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
cp "$HOME/.config/authctl/config.yaml" before
while IFS='|' read -r line problem; do
    entry <<LINES
title: Birds
id: oauth.birds
redirect: any 127.0.0.1
authorization_endpoint: https://birds.example/authorize
token_endpoint: https://birds.example/token
$line
LINES
    exits 78 authctl providers add birds --client-id c || fail "$line"
    err "catalog.d/birds.yaml'( line [0-9]+)?: $problem"
    exits 78 authctl signin birds
    err "catalog.d/birds.yaml'( line [0-9]+)?: $problem"
    works authctl signin test
    works authctl providers catalog spotify
    err "catalog.d/birds.yaml'"
done <<'LINES'
colour: red|unknown key 'colour'
userinfo_endpoint: http://birds.example/me|userinfo_endpoint: 'http://birds.example/me' is not an https URL
redirect: https birds|.*redirect
api_hosts: [api.spotify.com]|'api.spotify.com' is part of authctl's own catalog
- a|.*
LINES
cmp before "$HOME/.config/authctl/config.yaml"
entry spotify </dev/null
works authctl providers catalog spotify
for id in github.com oauth.spotify work; do
    printf 'id: %s\nredirect: any\nauthorization_endpoint: https://birds.example/authorize\ntoken_endpoint: https://birds.example/token\n' $id | entry
    exits 78 authctl providers add birds --client-id c
    err "catalog.d/birds.yaml'.*('id' has an invalid value|own catalog)"
done
chmod 666 "$HOME/.config/authctl/catalog.d/birds.yaml"
exits 78 authctl providers add birds --client-id c
err 'can write it'

#: The API gets the headers that its entry names, each once: a header of the user replaces it, in any case of its letters.
service twitch
works authctl signin twitch
url=$ISSUER/helix/users
works authctl request "$url"
works authctl request --header "client-id: client-1" "$url"
exits 1 authctl request --header "CLIENT-ID: client-2" "$url"
err 'status 400'
out 'Client-Id is missing or wrong'

#: A working provider is exported as an entry, which sets it up again.
service linear -- --redirect-uri http://localhost:8400/callback/oauth.linear
authctl providers export linear --catalog >entry.yaml || fail "not exported"
grep -q '^id: oauth.linear' entry.yaml || fail "no ID"
! grep -q 'client-1' entry.yaml || fail "the client is in it"
sed 's/oauth.linear/oauth.lines/' entry.yaml | entry lines
works authctl providers add lines --client-id client-1 --client-secret-file "$PWD/secret"
works authctl providers show lines
out '^scope separator +,$'

#: A service that is added again keeps its settings, or says which it would lose; without its secret, the hint sets it.
emulator --as linear --client-id client-1 --client-secret client-secret-1
secret_file client-secret-1
works authctl providers add linear --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret"
works authctl providers set linear --scope issues:create
works authctl providers set linear --client-id client-2
exits 64 authctl providers add linear --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret"
err "'oauth.linear' is already configured, and this would remove its scopes"
works authctl providers add linear --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret" --scope read,issues:create
mkdir -m 700 new
sed /client_secret_file/d "$HOME/.config/authctl/config.yaml" >new/config.yaml
AUTHCTL_CONFIG_DIR=$PWD/new exits 78 authctl signin linear
err 'hint: authctl providers set linear --client-secret-stdin$'

#: A Firebase project has no plain OAuth 2.0 providers.
# Local directory only: it starts the project itself.
firebase
exits 78 authctl providers add spotify --client-id c
err 'a Firebase project has no such providers'
