# Entries of the catalog in files of users and organizations, written by an attacker. CatalogEntryTests.swift has what an entry can say.
. "$ROOT/Tests/ScriptTests/setup.sh"

# entry [DIRECTORY] <ENTRY: writes the entry birds.
entry() {
    local directory=${1:-$config}
    mkdir -p "$directory/catalog.d"
    chmod 700 "$HOME/.config" "$config" 2>/dev/null || true
    chmod go-w "$directory" "$directory/catalog.d"
    rm -f "$directory/catalog.d/birds.yaml"
    cat >"$directory/catalog.d/birds.yaml"
    chmod 644 "$directory/catalog.d/birds.yaml"
}

# birds [LINE…]: an entry at hosts that do not exist.
birds() {
    printf '%s\n' 'title: Birds' 'id: oauth.birds' 'redirect: any' 'authorization_endpoint: https://birds.example/authorize' \
        'token_endpoint: https://tokens.birds.example/token' 'userinfo_endpoint: https://people.example/me' 'uid_path: id' \
        'pushed_authorization_request_endpoint: https://pushed.example/par' 'revocation_endpoint: https://revoked.example/r' \
        'device_authorization_endpoint: https://devices.example/d' 'api_hosts: [api.example]' "$@" | entry
}

# attacker: a provider on loopback whose token endpoint redirects the request; its file `seen` has the paths of all requests.
attacker() {
    rm -f port seen && mkfifo port && : >seen
    python3 - >port <<'P' &
import http.server, sys, urllib.parse
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.do_GET()
    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        with open("seen", "a") as file: file.write(url.path + "\n")
        target = f"{query['redirect_uri']}?code=c&state={query['state']}" if url.path == "/authorize" else "/collect" if url.path == "/token" else None
        self.send_response(307 if target else 200)
        if target: self.send_header("Location", target)
        self.send_header("Content-Length", "0")
        self.end_headers()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
P
    servers+=("$!")
    read -r ISSUER <port
    export BROWSER="curl -sS -L -o /dev/null"
}

#: The first use shows the file and every host that gets credentials or tokens; a run without a user requires providers add.
birds
person 130 "'birds' is described in" 'Client ID=^C' -- authctl setup birds
tr -s ' \r\n' '   ' <stdout >shown
grep -qF "'birds' is described in ~/.config/authctl/catalog.d/birds.yaml." shown || fail "the file is not shown"
for host in birds.example tokens.birds.example people.example pushed.example revoked.example devices.example api.example; do
    grep -qE "to: .*\b$host\b" shown || fail "$host is not shown"
done
for command in "signin birds" "signin birds --no-input" "signin oauth.birds" "token birds"; do
    code=0
    # shellcheck disable=SC2086
    authctl $command >stdout 2>stderr </dev/null || code=$?
    [ $code != 0 ] || fail "$command"
    record authctl $command
done
[ ! -e "$config/config.yaml" ] || fail "something is configured"

#: The token request follows no redirect, so that neither the code nor the client secret is sent to another server.
attacker
printf '%s\n' 'id: oauth.birds' 'redirect: any' "authorization_endpoint: $ISSUER/authorize" "token_endpoint: $ISSUER/token" | entry
secret_file the-client-secret
works authctl providers add birds --client-id client-1 --client-secret-file "$PWD/secret"
exits 65 authctl signin birds
[ "$(tr '\n' ' ' <seen)" = '/authorize /token ' ] || fail "requests: $(<seen)"

#: A later change of the file has no effect on a provider that was added: refresh, revocation and doctor use the copy.
callback=http://127.0.0.1:$(free_port)/callback
emulator --as twitter.com --client-id client-1 --redirect-uri "$callback"
printf '%s\n' 'id: oauth.birds' 'redirect: any' "authorization_endpoint: $ISSUER/i/oauth2/authorize" \
    "token_endpoint: $ISSUER/2/oauth2/token" "revocation_endpoint: $ISSUER/2/oauth2/revoke" \
    'scopes: [tweet.read, users.read, offline.access]' | entry
works authctl providers add birds --client-id client-1 --redirect-uri "$callback"
works authctl signin birds
works authctl providers show birds --json
cp stdout before
theirs=$ISSUER
attacker
sed "s|$theirs|$ISSUER|" "$config/catalog.d/birds.yaml" >changed && entry <changed
for change in 'cat changed' 'echo colour: red' 'echo "- ["' 'ln -sf birds.yaml'; do
    case $change in
        ln*) $change "$config/catalog.d/birds.yaml" ;;
        *) eval "$change" | entry ;;
    esac
    works authctl token birds --force-refresh
    works authctl providers show birds --json
    cmp before stdout || fail "changed by $change"
    authctl doctor birds >stdout 2>stderr </dev/null || true
    no_out 'catalog.d'
    no_err 'catalog.d'
done
works authctl signout birds --revoke
[ ! -s seen ] || fail "the attacker got: $(<seen)"

#: Text of an entry cannot control the terminal.
birds 'ask: {nest: {question: "Nest\e[2J\u202e\r\nauthctl: error", kind: label}}'
person 130 'Nest=^C' -- authctl setup birds
! grep -qP '\x1b\[2J|\xe2\x80\xae' stdout || fail "control characters in the question"
exits 64 authctl providers add birds --client-id c
! grep -qP '\x1b|\xe2\x80\xae' stderr || fail "control characters in the error"
[ "$(grep -c '^authctl: error' stderr)" = 1 ] || fail "two errors"

#: An organization's entry must be a file of root, on a path that only root can change.
if [ "$(id -u)" != 0 ]; then echo "skipped: a system configuration needs root"; exit 0; fi
birds
rm -rf organization && mkdir -p organization && mv "$config/catalog.d" organization/catalog.d
works authctl providers add birds --client-id c
works authctl providers remove birds
chown 65534 organization/catalog.d/birds.yaml
exits 78 authctl providers add birds --client-id c
err "organization/catalog.d/birds.yaml"
chown 0 organization/catalog.d/birds.yaml
chmod 775 organization/catalog.d
chown 0:65534 organization/catalog.d
exits 78 authctl providers add birds --client-id c
# The user's own entry comes first, so that an organization cannot replace it.
birds
sed 's/tokens.birds/own.birds/' "$config/catalog.d/birds.yaml" >own && entry <own
works authctl providers add birds --client-id c
works authctl providers show birds
out 'https://own.birds.example/token'
