# Glewlwyd with resource indicators (RFC 8707), and a server with metadata of protected resources.

# protected PATH…: starts a server, RESOURCE, whose metadata names Glewlwyd as the authorization server of each path. Glewlwyd
# knows all of them except `unknown`.
protected() {
    mkdir -p site/.well-known/oauth-protected-resource
    (cd site && exec python3 -u -m http.server --bind 127.0.0.1 0 >../serving 2>&1) &
    servers+=($!)
    RESOURCE=http://127.0.0.1:$(awaits serving 'port [0-9]+' | grep -oE '[0-9]+')
    local path known=""
    for path in "$@"; do [ "$path" = unknown ] || known+=" $RESOURCE/$path"; done
    RESOURCES=$known server glewlwyd
    for path in "$@"; do
        echo "{\"resource\": \"$RESOURCE/$path\", \"authorization_servers\": [\"$ISSUER\"], \"scopes_supported\": [\"openid\"]}" \
            >"site/.well-known/oauth-protected-resource/${path//%20/ }"
    done
    # The browser writes the URL into the file opened.
    printf '#!/bin/sh\necho "$1" >>opened\nexec %s "$1"\n' "$BROWSER" >browser
    chmod +x browser
    export BROWSER=$PWD/browser
    secret_file "$CLIENT_SECRET"
    works authctl providers add oidc.work --issuer "$ISSUER" --client-id "$CLIENT_ID" --client-secret-file "$PWD/secret" --redirect-uri "http://127.0.0.1:$REDIRECT_PORT/callback"
}

# is_for URL: the token on standard output names this audience.
is_for() {
    python3 - "$1" <<'P' || fail "the token is not for $1"
import base64, json, sys
claims = open("stdout").read().split(".")[1]
sys.exit(json.loads(base64.urlsafe_b64decode(claims + "=="))["aud"] != sys.argv[1])
P
}

# opened URL…: checks that the browser opened requests for exactly these resources.
opened() {
    python3 - "$@" <<'P' || fail "the browser was shown: $(cat opened)"
import sys, urllib.parse
resources = [urllib.parse.parse_qs(urllib.parse.urlsplit(line.strip()).query).get("resource") for line in open("opened")]
sys.exit(resources != [[resource] for resource in sys.argv[1:]])
P
}

#: Sends the same resource, byte for byte, in the authorization request, the token request and each refresh (R5).
protected notes 'a%20b'
for path in notes 'a%20b'; do
    works authctl signin --provider oidc.work --resource "$RESOURCE/$path" -v
    err "grant_type=authorization_code.* resource=$RESOURCE/$path\]"
    works authctl token --resource "$RESOURCE/$path"
    is_for "$RESOURCE/$path"
    works authctl token --resource "$RESOURCE/$path" --force-refresh -v
    err "grant_type=refresh_token.* resource=$RESOURCE/$path\]"
    is_for "$RESOURCE/$path"
done
opened "$RESOURCE/notes" "$RESOURCE/a%20b"
works authctl status --long
out "^$RESOURCE/notes "
out "^$RESOURCE/a%20b "
works authctl token --resource "$RESOURCE/notes"
is_for "$RESOURCE/notes"

#: A pushed request contains the resource, and the browser's URL does not (R5).
protected notes
works authctl signin --provider oidc.work --resource "$RESOURCE/notes" --par -v
err "code_challenge=.* resource=$RESOURCE/notes"
grep -q resource= opened && fail "the browser was shown: $(cat opened)"
works authctl token --resource "$RESOURCE/notes"
is_for "$RESOURCE/notes"

#: Reports a resource that Glewlwyd does not know with its URL, and stores nothing (R5).
protected notes unknown
exits 78 authctl signin --provider oidc.work --resource "$RESOURCE/unknown"
err "invalid_target.*the resource was '$RESOURCE/unknown'"
exits 4 authctl status
