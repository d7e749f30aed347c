# Finds the authorization server of a resource and prints the steps, without storing anything.

#: Follows the resource's challenge to its metadata and its authorization server; stores nothing and requests no token.
emulator
works authctl providers discover "$ISSUER/api/notes" --json
json "d['resource'] == '$ISSUER/api' and d['metadata'] == '$ISSUER/.well-known/oauth-protected-resource/api'"
json "d['authorizationServers'] == ['$ISSUER'] and d['issuer'] == '$ISSUER' and d['scopes'] == ['notes.read', 'notes.write']"
json "d['dpop'] == 'supported' and d['client'] == 'registration'"
works authctl providers discover "$ISSUER/api"
out '^client +registers itself'
works authctl providers discover "$ISSUER/api" --field issuer
out "^$ISSUER\$"
[ ! -e "$HOME/.config/authctl" ] || fail "something was kept"
! curl -sS "$ISSUER/emulator/requests" | grep -q 'token\|register' || fail "more was asked than documents"

#: A configured provider with that issuer is the client.
emulator
works authctl providers add oidc.work --issuer "$ISSUER" --client-id client-1
works authctl providers discover "$ISSUER/api" --json
json "d['client'] == 'configured' and d['providerId'] == 'oidc.work'"

#: If the challenge does not name the metadata, tries the well-known URL of the path, then of the host.
emulator --fault resource-unnamed --fault challenge-scope
works authctl providers discover "$ISSUER/api/notes" --json
json "d['metadata'] == None and d['client'] == 'none'"
works authctl providers discover "$ISSUER/api" --json
json "d['metadata'] == '$ISSUER/.well-known/oauth-protected-resource/api' and d['scopes'] == ['notes.read']"
emulator --fault resource-at-root
works authctl providers discover "$ISSUER/api" --json
json "d['metadata'] == '$ISSUER/.well-known/oauth-protected-resource' and d['resource'] == '$ISSUER'"
err "its metadata is for '$ISSUER'"

#: Supports an authorization server without OpenID Connect.
emulator --fault oauth-alone
works authctl providers discover "$ISSUER/api" --json
json "d['issuer'] == '$ISSUER' and d['client'] == 'registration'"

#: Refuses metadata of another resource, and a server whose metadata has another issuer.
emulator --fault resource-mismatch
exits 65 authctl providers discover "$ISSUER/api"
err 'names another resource'
emulator --fault oauth-document-wrong-issuer
exits 78 authctl providers discover "$ISSUER/api"
err 'issuer-mismatch'

#: Refuses redirects to other hosts, ten megabytes of metadata and fifty servers; a configured provider selects one of two.
while IFS='|' read -r fault reason; do
    emulator --fault "$fault"
    exits 65 authctl providers discover "$ISSUER/api"
    err "$reason"
done <<'ROWS'
resource-redirect|redirects to 'http://169.254.169.254/latest/meta-data', but authctl follows at most three redirects, within one origin
resource-large|the response of '.*' is too long
resource-many-servers|names too many authorization servers: 50
ROWS
emulator --fault resource-several-servers
works authctl providers discover "$ISSUER/api" --json
json "d['issuer'] == None and len(d['authorizationServers']) == 2"
works authctl providers add oidc.work --issuer "$ISSUER" --client-id client-1
works authctl providers discover "$ISSUER/api" --field issuer
out "^$ISSUER\$"

#: Refuses an invalid resource URL as wrong usage.
exits 64 authctl providers discover api.example.com
exits 64 authctl providers discover "https://api.example.com/#part"
