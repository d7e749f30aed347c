# A provider of OAuth 2.0 without OpenID Connect and without metadata (oauth.NAME). The emulator of X is one, at other names.

# plain FLAGS…: adds it as oauth.birds.
plain() {
    local callback
    callback=http://127.0.0.1:$(free_port)/callback/oauth.birds
    emulator --as twitter.com --client-id client-1 --client-secret client-secret-1 --redirect-uri "$callback"
    secret_file client-secret-1
    works authctl providers add oauth.birds --authorization-endpoint "$ISSUER/i/oauth2/authorize" \
        --token-endpoint "$ISSUER/2/oauth2/token" --client-id client-1 --client-secret-file "$PWD/secret" \
        --redirect-uri "$callback" --scope 'tweet.read users.read offline.access' "$@"
}

#: Signs in, and reads the user from the API by paths.
plain
works authctl providers set birds --userinfo-endpoint "$ISSUER/2/users/me" --uid-path data.id --name-path data.username
works authctl signin birds --json
json "d['providerId'] == 'oauth.birds' and d['session'].startswith('birds')"
json "d['account']['providerData'][0]['federatedId'].isdigit() and d['account']['providerData'][0]['displayName'] == 'ada'"
works authctl token birds
works authctl token oauth.birds --force-refresh
works authctl request "$ISSUER/2/users/me"
json "d['data']['username'] == 'ada'"
works authctl signout birds
exits 4 authctl token birds

#: Without the API, the tokens name no user.
plain
works authctl signin oauth.birds
works authctl token birds
exits 7 authctl reauth birds

#: The settings that only oauth.NAME has are refused elsewhere, and one without the other.
emulator
exits 78 authctl providers add oidc.birds --issuer "$ISSUER" --client-id c --uid-path id
err "uid_path: only 'oauth.NAME' supports it"
exits 64 authctl providers add oauth.birds --client-id c
exits 78 authctl providers add oauth.birds --client-id c --token-endpoint "$ISSUER/token"
err "oauth.birds: 'authorization_endpoint' is required"
exits 78 authctl providers add oauth.birds --client-id c --token-endpoint http://bad.example/token --authorization-endpoint "$ISSUER/authorize"

#: An invented service is one file, and its tokens are used in every way.
callback=http://127.0.0.1:$(free_port)/callback
emulator --as spotify --client-id client-1 --redirect-uri "$callback"
mkdir -p "$HOME/.config/authctl/catalog.d"
chmod 700 "$HOME/.config" "$HOME/.config/authctl" "$HOME/.config/authctl/catalog.d"
cat >"$HOME/.config/authctl/catalog.d/birds.yaml" <<LINES
title: Birds
id: oauth.birds
authorization_endpoint: $ISSUER/authorize
token_endpoint: $ISSUER/api/token
userinfo_endpoint: $ISSUER/v1/me
uid_path: id
name_path: display_name
scopes: [user-read-email]
LINES
works authctl providers add birds --client-id client-1 --redirect-uri "$callback"
works authctl signin birds
works authctl status
out '^birds '
works authctl token birds --force-refresh
token=$(tail -n 1 stdout)
works authctl exec --provider birds --as TOKEN -- sh -c 'echo "$TOKEN"'
out "^$token$"
works authctl request "$ISSUER/v1/me"
json "d['display_name'] == 'Ada Example'"
mkdir -m 700 run
authctl serve --allow provider=birds --socket "$PWD/run/s" 2>serve.err &
servers+=("$!")
awaits serve.err '^authctl: serving ' >/dev/null
works env AUTHCTL_SOCKET="$PWD/run/s" authctl token birds
out "^$token$"
