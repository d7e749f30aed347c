# Signing in to a URL: finds its authorization server, chooses or registers a client, and gets tokens for this URL only.

# resource SCOPES [PATH]: a resource whose metadata has these scopes, and the emulator, or a path there, as issuer.
resource() {
    rm -rf site && mkdir -p site/.well-known/oauth-protected-resource
    (cd site && exec python3 -u -m http.server --bind 127.0.0.1 0 >../serving 2>&1) &
    servers+=($!)
    RESOURCE=http://127.0.0.1:$(awaits serving 'port [0-9]+' | grep -oE 'port [0-9]+' | grep -oE '[0-9]+')
    echo "{\"resource\": \"$RESOURCE/mcp\", \"authorization_servers\": [\"$ISSUER${2:-}\"], \"scopes_supported\": $1}" \
        >site/.well-known/oauth-protected-resource/mcp
}

#: A request whose token is not for the resource is refused with the sign-in to the resource.
signed_in
exits 4 authctl request "$ISSUER/api/notes"
err "'$ISSUER/api/notes' requires a token"
err "hint: authctl signin --resource $ISSUER/api/notes"

#: The hint for a resource's URL in the place of a provider signs in to the resource.
emulator
exits 78 authctl signin "$ISSUER/api"
err "hint: to set up a provider: authctl setup $ISSUER/api; for an API or MCP server: authctl signin --resource $ISSUER/api$"
exits 78 authctl setup "$ISSUER/api"
err "hint: for an API or MCP server: authctl signin --resource $ISSUER/api\$"
exits 4 authctl token "$ISSUER/api"
err "hint: authctl signin --resource $ISSUER/api\$"

#: Given only a URL, registers a client, and sends the same resource, byte for byte, in each request.
emulator --access-ttl 5
works authctl signin --resource "$ISSUER/api"
err 'registered a client'
signed_in_at=$EPOCHSECONDS
while [ $EPOCHSECONDS -lt $((signed_in_at + 5)) ]; do next_second; done
id=$(authctl providers list --field providers.0.providerId)
works authctl providers show "$id" --json
json "d['issuer'] == '$ISSUER' and d['providerId'].startswith('oidc.127.0.0.1')"
works authctl request "$ISSUER/api/notes"
json "d['resource'] == '$ISSUER/api' and d['user'] == 'ada@example.com' and 'notes.write' in d['scope']"
curl -sS "$ISSUER/emulator/requests" >stdout
json "d['token for $ISSUER/api'] == 2 and d['token refresh_token'] == 1 and d['register'] == 1"
works authctl status --json
json "d['accounts'][0]['sessions'][0]['resource'] == '$ISSUER/api'"
works authctl token --resource "$ISSUER/api/deep/down"
# A second sign-in uses the existing client.
works authctl signin --resource "$ISSUER/api"
# The token would be valid for more than this URL, so the user must name the whole resource.
exits 4 authctl signin --resource "$ISSUER/api/notes"
err "authctl signin --resource $ISSUER/api\$"
curl -sS "$ISSUER/emulator/requests" >stdout
json "d['register'] == 1"

#: Signs in if the resource's issuer lacks the trailing slash of its metadata, and stores the metadata's spelling.
emulator --fault issuer-slash
works authctl providers discover "$ISSUER/api" --field issuer
out "^$ISSUER/$"
works authctl signin --resource "$ISSUER/api"
works authctl providers list --json
json "d['providers'][0]['issuer'] == '$ISSUER/'"
works authctl token --resource "$ISSUER/api" --force-refresh
# A configuration by the user can also omit the slash.
sed -i "s|issuer: $ISSUER/\$|issuer: $ISSUER|" "$HOME/.config/authctl/config.yaml"
works authctl providers list --json
json "d['providers'][0]['issuer'] == '$ISSUER'"
works authctl token --resource "$ISSUER/api" --force-refresh
works authctl signin --resource "$ISSUER/api"
curl -sS "$ISSUER/emulator/requests" >stdout
json "d['register'] == 1"
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
works authctl providers show oidc.other --json
json "d['issuer'] == '$ISSUER/'"
works authctl providers set oidc.other --issuer "$ISSUER"
works authctl providers show oidc.other --json
json "d['issuer'] == '$ISSUER/'"

#: Each of two resources has its own session, whose token is not sent to the other.
emulator
works authctl signin --resource "$ISSUER/api"
first=$(authctl token --resource "$ISSUER/api")
works authctl signin --resource "$ISSUER/api2"
second=$(authctl token --resource "$ISSUER/api2")
[ "$first" != "$second" ] && [ "$first" = "$(authctl token --resource "$ISSUER/api")" ] || fail "one session took the other's place"
for api in api api2; do
    works authctl request "$ISSUER/$api"
    json "d['resource'] == '$ISSUER/$api'"
done
exits 4 authctl token --resource "$ISSUER/api3"
err "authctl signin --resource $ISSUER/api3"
exits 64 authctl token
err 'choose one'
exits 7 authctl request "$ISSUER/api3"
err "hint: authctl signin --resource $ISSUER/api3"
works authctl status --long
out "^$ISSUER/api2 "
works authctl signout --revoke --json
json "sorted((e['resource'], e['revoked']) for e in d['signedOut']) == [('$ISSUER/api', 'confirmed'), ('$ISSUER/api2', 'confirmed')]"
curl -sS "$ISSUER/emulator/requests" >stdout
json "d['revoke refresh_token'] == 2"

#: A resource's token is not sent to its issuer or to other paths, or given to tools that only know hosts.
emulator
works authctl signin --resource "$ISSUER/api"
id=$(authctl providers list --field providers.0.providerId)
for named in '' "--provider $id"; do
    # shellcheck disable=SC2086
    exits 64 authctl token $named
    err "choose one .$ISSUER/api."
    # shellcheck disable=SC2086
    exits 64 authctl exec $named -- true
done
exits 7 authctl request "$ISSUER/userinfo"
exits 7 authctl request "$ISSUER/api/../api2"
exits 7 authctl request "$ISSUER/api/%2e%2e/api2"
exits 7 authctl request "$ISSUER/api3"
printf 'protocol=http\nhost=%s\n\n' "${ISSUER#http://}" | authctl credential git get >stdout 2>stderr || true
no_out password

#: A session without a resource is stored separately, and is the default if no resource is named.
signed_in
plain=$(authctl token)
exits 4 authctl signin --provider oidc.test --resource "$ISSUER/api"
err 'hint: if you trust it: name them with --scope$'
works authctl signin --provider oidc.test --resource "$ISSUER/api" --scope notes.read
[ "$plain" = "$(authctl token)" ] || fail "another token"
works authctl request "$ISSUER/userinfo"
works authctl request "$ISSUER/api"
json "d['client'] == 'emulator-client'"

#: A server without OpenID Connect does not identify the user: the tokens belong to the current account and do not re-authenticate.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
uid=$(authctl whoami --field account.uid)
emulator --fault oauth-alone
works authctl signin --resource "$ISSUER/api"
[ "$uid" = "$(authctl whoami --field account.uid)" ] || fail "another account"
works authctl request "$ISSUER/api"
works authctl status --json
json "[s['lastProvenAt'] for s in d['accounts'][0]['sessions'] if s['resource']] == [None]"
works authctl signin --resource "$ISSUER/api"
id=$(authctl providers list --field providers.1.providerId)
exits 7 authctl reauth --provider "$id"

#: A sign-in at a server without OpenID Connect creates an account if there is none.
emulator --fault oauth-alone
works authctl signin --resource "$ISSUER/api"
works authctl request "$ISSUER/api"

#: Requires consent, before the browser opens, to store an unidentified user's tokens in an account with an Apple identity.
. "$ROOT/Tests/ScriptTests/apple.sh"
apple
raw=a-nonce-of-the-app-0001
curl -sS "$ISSUER/emulator/id-token?nonce=$(printf %s "$raw" | sha256sum | cut -d' ' -f1)" >token
works authctl signin --provider apple.com --id-token token --nonce="$raw"
uid=$(authctl whoami --field account.uid)
emulator --fault oauth-alone
exits 7 authctl signin --resource "$ISSUER/api"
err 'consent-required'
[ "$(requests 'token authorization_code')" = 0 ] || fail "somebody was sent there"
works authctl signin --resource "$ISSUER/api" --consent
works authctl request "$ISSUER/api"
[ "$uid" = "$(authctl whoami --field account.uid)" ] || fail "another account"
# A second sign-in does not require consent.
works authctl signin --resource "$ISSUER/api"
exits 64 authctl signin --provider apple.com --consent
err '--resource'
# Also in a two-step sign-in.
emulator --fault oauth-alone
exits 7 authctl signin --resource "$ISSUER/api" --begin
works authctl signin --resource "$ISSUER/api" --consent --begin
id=$(field "d['id']")
location=$(curl -sS -o /dev/null -w '%{redirect_url}' "$(field "d['authorizationURL']")")
authctl signin --complete "$id" <<<"$location" >stdout 2>stderr || fail "not completed"
works authctl request "$ISSUER/api"

#: A client metadata document's URL is the client ID, if the server supports it and the document contains its own URL.
mkdir site
certificate
serves_site
export SSL_CERT_FILE=$PWD/cert.pem
me=https://localhost:$PORT/client.json
echo "{\"client_id\": \"$me\", \"redirect_uris\": [\"http://127.0.0.1/callback\"], \"client_name\": \"authctl\"}" >site/client.json
sed "s|/client.json|/other.json|" site/client.json >site/wrong.json
emulator --fault metadata-documents
exits 78 authctl signin --resource "$ISSUER/api" --client-metadata "https://localhost:$PORT/wrong.json"
err 'instead of its own URL'
exits 78 authctl signin --resource "$ISSUER/api" --client-metadata "http://localhost:$PORT/client.json"
works authctl signin --resource "$ISSUER/api" --client-metadata "$me"
works authctl request "$ISSUER/api"
json "d['client'] == '$me'"
# A server that does not declare support does not get the URL.
emulator --user bob@example.com
works authctl signin --resource "$ISSUER/api" --client-metadata "$me"
works authctl request "$ISSUER/api"
json "d['client'] != '$me'"

#: Without dynamic registration, the hint is the setup command.
emulator --fault no-registration
exits 78 authctl signin --resource "$ISSUER/api"
err 'authctl setup oidc.127.0.0.1'

#: Reports a resource without metadata, with several authorization servers, or with another issuer than --provider's.
emulator --fault resource-unnamed
exits 78 authctl signin --resource "$ISSUER/elsewhere"
err 'no protected resource metadata found for'
emulator --fault resource-several-servers
exits 4 authctl signin --resource "$ISSUER/api"
err 'interaction-required'
emulator
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
emulator
exits 78 authctl signin --resource "$ISSUER/api" --provider oidc.other
err 'issuer-mismatch'

#: Reports a resource that the server does not know with its URL; a URL with a fragment is wrong usage.
emulator --fault invalid-target
exits 78 authctl signin --resource "$ISSUER/api"
err "the resource was '$ISSUER/api'"
exits 64 authctl signin --resource "$ISSUER/api#part"
exits 64 authctl signin --resource "$ISSUER/api" --param resource=x
exits 64 authctl signin --client-metadata https://app.example.com/client.json

#: Resources of two servers have separate providers and clients.
emulator
old=$ISSUER
works authctl signin --resource "$old/api"
before=$(authctl providers list --field providers.0.clientId)
emulator --user bob@example.com
works authctl signin --resource "$ISSUER/api"
works authctl providers list --json
json "len(d['providers']) == 2 and d['providers'][1]['issuer'] == '$ISSUER' and d['providers'][1]['clientId'] != '$before'"

#: The device flow and a two-step sign-in request a token for the resource too.
emulator
works authctl signin --resource "$ISSUER/api" --flow device
works authctl request "$ISSUER/api"
works authctl signin --resource "$ISSUER/api2" --begin
url=$(python3 -c "import json; print(json.load(open('stdout'))['authorizationURL'])")
begun=$(python3 -c "import json; print(json.load(open('stdout'))['id'])")
curl -sS -o /dev/null -w '%{redirect_url}' "$url" >answer
authctl signin --complete "$begun" <answer >stdout 2>stderr || fail "not completed"
works authctl request "$ISSUER/api2"
json "d['resource'] == '$ISSUER/api2'"

#: A resource that names a built-in provider gets its token only if the user names the provider and the scopes.
provider google.com
resource '["https://www.googleapis.com/auth/cloud-platform"]'
exits 4 authctl signin --resource "$RESOURCE/mcp"
err 'interaction-required'
err 'hint: if you trust it: add --provider google.com;'
curl -sS "$ISSUER/emulator/requests" >stdout
json "'authorize' not in d"
exits 4 authctl signin --resource "$RESOURCE/mcp" --provider google.com
err 'scopes of .google.com. that you did not name'
scope=https://www.googleapis.com/auth/cloud-platform
works authctl signin --resource "$RESOURCE/mcp" --provider google.com --scope $scope
err "requesting a token for '$RESOURCE/mcp' from '$ISSUER', with the scopes .*'https://www.googleapis.com/auth/cloud-platform'"
works authctl signout
works authctl providers set google.com --api-host "$RESOURCE"
works authctl signin --resource "$RESOURCE/mcp" --scope $scope

#: A resource that names a configured provider gets its token only if the user names the provider and the scopes.
emulator
works authctl providers add oidc.corp --issuer "$ISSUER" --client-id emulator-client
resource '["notes.write"]'
exits 4 authctl signin --resource "$RESOURCE/mcp"
err "would receive a token of 'oidc.corp'"
err 'hint: if you trust it: add --provider oidc.corp;'
exits 4 authctl signin --resource "$RESOURCE/mcp" --scope notes.write
err 'hint: if you trust it: add --provider oidc.corp;'
exits 4 authctl signin --resource "$RESOURCE/mcp" --provider oidc.corp
err 'scopes of .oidc.corp. that you did not name: .notes.write'
curl -sS "$ISSUER/emulator/requests" >stdout
json "'authorize' not in d"
works authctl signin --resource "$RESOURCE/mcp" --provider oidc.corp --scope notes.write
# The user's consent is remembered for the next sign-in.
works authctl signin --resource "$RESOURCE/mcp"

#: On a terminal, asks before a resource gets a token of a configured provider, or of all that its metadata covers.
emulator
works authctl providers add oidc.corp --issuer "$ISSUER" --client-id emulator-client
resource '["notes.write"]'
at_terminal() { python3 "$ROOT/Tests/Servers/terminal.py" "$1" -- authctl signin --resource "$2" >stdout; }
question="Send a token of 'oidc.corp' with the scopes 'notes.write' to '$RESOURCE/mcp'? [y/N]"
code=0
at_terminal "$question=^D" "$RESOURCE/mcp" || code=$?
[ $code = 2 ] || fail "exit $code, not user-cancelled"
out '^authctl: error: .*cancelled \(user-cancelled\)'
code=0
at_terminal "$question=n" "$RESOURCE/mcp" || code=$?
[ $code = 2 ] || fail "exit $code, not user-cancelled"
curl -sS "$ISSUER/emulator/requests" >stdout
json "'authorize' not in d"
at_terminal "$question=y" "$RESOURCE/mcp" || fail "$(cat stdout)"
works authctl token --resource "$RESOURCE/mcp"
question="The metadata of '$ISSUER/api/notes' covers all of '$ISSUER/api'. Sign in for all of it? [y/N]"
! at_terminal "$question=n" "$ISSUER/api/notes" || fail "no was taken for yes"
exits 4 authctl token --resource "$ISSUER/api"
exits 4 authctl signin --resource "$ISSUER/api/notes" --provider oidc.corp --no-browser
err "hint: to sign in for all of it: authctl signin --resource $ISSUER/api$"
works authctl signout
err "signed out of 'oidc.corp' for '$RESOURCE/mcp'; "

#: An account that signs in for a resource does not become current if there is a current one.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
ada=$(authctl whoami --field account.uid)
works authctl signin --provider oidc.test --resource "$ISSUER/api" --scope notes.read --param emulator_user=bob@example.com
err 'the current account stays'
[ "$ada" = "$(authctl whoami --field account.uid)" ] || fail "another account is current"
works authctl request "$ISSUER/api" --account bob@example.com
json "d['user'] == 'bob@example.com'"

#: After the sign-out from a resource, a sign-in without its URL says how to sign in to it, before a browser opens.
emulator
works authctl signin --resource "$ISSUER/api"
works authctl signout
exits 64 authctl signin
err "was added for resources of '$ISSUER' .usage"
err "hint: authctl signin --resource $ISSUER/PATH"
exits 64 authctl signin --provider "$(authctl providers list --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["providers"][0]["providerId"])')"
err "hint: authctl signin --resource $ISSUER/PATH"
# Beside another provider, that one is meant, and its session is not for the resource.
url=$ISSUER/api
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin
err "[Ss]igned in to test"
exits 4 authctl request "$url?q=1"
err "hint: authctl signin --resource $url$"
works authctl signin --resource "$url"
works authctl request "$url"

#: Refuses a Microsoft token for another API than the resource.
provider microsoft.com
resource '["https://graph.microsoft.com/Mail.Read"]' /common/v2.0
exits 65 authctl signin --resource "$RESOURCE/mcp" --provider microsoft.com
err 'that is for another API'
curl -sS "$ISSUER/emulator/requests" >stdout
json "'authorize' not in d"

#: At a server that does not identify users, the sign-in of a second account does not replace the first one's session.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
ada=$(authctl whoami --field account.uid)
works authctl signin --provider oidc.test --param emulator_user=bob@example.com
bob=$(authctl whoami --field account.uid)
emulator --fault oauth-alone
works authctl accounts switch "$ada"
works authctl signin --resource "$ISSUER/api"
hers=$(authctl token --resource "$ISSUER/api")
works authctl accounts switch "$bob"
exits 4 authctl token --resource "$ISSUER/api"
for again in 1 2; do
    works authctl signin --resource "$ISSUER/api"
    [ "$bob" = "$(authctl whoami --field account.uid)" ] || fail "another account"
done
[ "$hers" != "$(authctl token --resource "$ISSUER/api")" ] || fail "one token for both"
[ "$hers" = "$(authctl token --resource "$ISSUER/api" --account "$ada")" ] || fail "hers is gone"

#: A provider that was added for a resource does not use environment variables.
emulator
other=$ISSUER
emulator
name=oidc.127.0.0.1-${ISSUER##*:}
variable=AUTHCTL_$(tr a-z.- A-Z__ <<<"$name")
works authctl providers add "oidc.127-0-0-1-${ISSUER##*:}" --issuer "$other" --client-id emulator-client
env "${variable}_CLIENT_SECRET=mine" "${variable}_TOKEN=mine" authctl signin --resource "$ISSUER/api" >stdout 2>stderr </dev/null
works authctl providers show "$name-2" --json
json "d['issuer'] == '$ISSUER' and d['madeFor'] == '$ISSUER'"
env "AUTHCTL_$(tr a-z.- A-Z__ <<<"$name-2")_TOKEN=mine" authctl token --resource "$ISSUER/api" >stdout 2>stderr
! grep -q mine stdout || fail "the environment's token"

#: An account that only has a resource's tokens cannot re-authenticate, and can be deleted without that.
emulator
works authctl signin --resource "$ISSUER/api"
exits 7 authctl reauth
err "a sign-in at the provider does not say who the user is"
err 'hint: to add another sign-in method: authctl link; to remove the account: authctl accounts delete$'
works authctl accounts delete --yes
works authctl accounts list --json
json "d['accounts'] == []"

#: An account that is signed out is deleted after a confirmation, whether its provider is configured or not.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl providers remove oidc.test
older 301
exits 5 authctl accounts delete --yes
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signout
exits 64 authctl accounts delete ada@example.com
works authctl accounts delete ada@example.com --yes
err 'ada@example.com is deleted$'
works authctl accounts list --json
json "d['accounts'] == []"

#: A client that the server has forgotten is registered again by the sign-in that the errors name.
port=$(free_port)
emulator --port "$port"
works authctl signin --resource "$ISSUER/api"
id=$(authctl providers list --field providers.0.providerId)
before=$(authctl providers show "$id" --field clientId)
kill "$EMULATOR"
wait "$EMULATOR" || true
# The server has lost its clients and tokens.
emulator --port "$port"
exits 4 authctl token --resource "$ISSUER/api" --force-refresh
err "'$id' does not know the client any more that authctl registered"
err "hint: authctl signin --resource $ISSUER/api$"
exits 4 authctl request "$ISSUER/api/notes"
err "hint: authctl signin --resource $ISSUER/api$"
works bash -c "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}' | authctl credential mcp --stdio $ISSUER/api"
json "d['error']['code'] == 4 and d['error']['data']['hint'] == 'authctl signin --resource $ISSUER/api'"
works authctl signin --resource "$ISSUER/api"
err "registered a client at its authorization server, as the provider '$id'"
works authctl request "$ISSUER/api"
works authctl token --resource "$ISSUER/api" --force-refresh
[ "$(requests register)" = 1 ] || fail "$(requests register) registrations"
[ "$before" != "$(authctl providers show "$id" --field clientId)" ] || fail "the old client"
works authctl providers list --json
json "len(d['providers']) == 1"
# The new client is known.
works authctl signin --resource "$ISSUER/api"
[ "$(requests register)" = 1 ] || fail "$(requests register) registrations"

#: A client that the user configured is never registered again.
port=$(free_port)
emulator --port "$port"
works authctl signin --resource "$ISSUER/api"
id=$(authctl providers list --field providers.0.providerId)
works authctl providers set "$id" --client-id emulator-client
works authctl signin --resource "$ISSUER/api"
kill "$EMULATOR"
wait "$EMULATOR" || true
emulator --port "$port" --client-id another-client
BROWSER=true exits 124 timeout 5 authctl signin --resource "$ISSUER/api"
[ "$(requests register)" = 0 ] || fail "registered"

#: Hints for a resource's session name the resource, and lead to a token.
emulator --fault refresh-invalid-grant
works authctl signin --resource "$ISSUER/api"
for command in "token --force-refresh --resource $ISSUER/api/notes" "request $ISSUER/api/notes"; do
    session_set tokens.expiresAt 1
    # shellcheck disable=SC2086
    exits 4 authctl $command
    err "hint: authctl signin --resource $ISSUER/api$"
    signin=$(sed -n 's/^authctl: hint: //p' stderr)
    for report in status doctor; do
        authctl $report >stdout 2>stderr || true
        grep -qE "authctl signin --resource $ISSUER/api$" stdout stderr || fail "$report names another command"
    done
    works bash -c "$signin"
    works authctl token --resource "$ISSUER/api"
done

#: For a resource of another account's session, request names that account, and no command that allows the host.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test --resource "$ISSUER/api" --scope notes.read
server=$ISSUER
emulator
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.other --param emulator_user=bob@example.com
exits 4 authctl request "$server/api/notes?q=1"
err "this account has no token for the resource '$server/api/notes', but another account has one \(ada@example.com\)"
err 'hint: add --account ada@example.com$'
no_err api-host
works authctl request "$server/api/notes?q=1" --account ada@example.com
# Also if the account has only tokens for other resources.
works authctl signin --provider oidc.other --resource "$ISSUER/api" --scope notes.read --param emulator_user=bob@example.com
session_set resource "'$ISSUER/api2'" "resource IS NULL AND provider_id = 'oidc.other'" || true
exits 4 authctl request "$server/api/notes"
err 'but another account has one \(ada@example.com\)'

#: The hint for a resource that requires a token has none of the scopes that its challenge names; they require consent.
emulator --fault challenge-scope
exits 4 authctl request "$ISSUER/api"
err "hint: authctl signin --resource $ISSUER/api$"
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 4 authctl signin --resource "$ISSUER/api"
err 'hint: if you trust it: name them with --scope$'

#: A resource that names another authorization server than before gets a token only with consent.
emulator
resource '["notes.read"]'
works authctl signin --resource "$RESOURCE/mcp"
old=$ISSUER
id=$(authctl providers list --field providers.0.providerId)
emulator
sed -i "s,$old,$ISSUER," site/.well-known/oauth-protected-resource/mcp
exits 4 authctl signin --resource "$RESOURCE/mcp"
err "'$RESOURCE/mcp' now names the authorization server '$ISSUER' instead of '$old'"
err "hint: if you trust it: authctl signout $id --account [^ ]+, then: authctl signin --resource $RESOURCE/mcp$"
[ "$(requests register)$(requests authorize)" = 00 ] || fail "a request was sent"
works bash -c "$(sed -n 's/^authctl: hint: if you trust it: //; s/, then: / \&\& /p' stderr)"
works authctl token --resource "$RESOURCE/mcp"
# A server that the user names requires no consent.
sed -i "s,$ISSUER,$old," site/.well-known/oauth-protected-resource/mcp
works authctl signin --resource "$RESOURCE/mcp" --provider "$id" --scope notes.read

#: After the consent to another authorization server, the session of another account with the old one asks for no more.
emulator
resource '["notes.read"]'
works authctl signin --resource "$RESOURCE/mcp"
old=$ISSUER
emulator --user bob@example.com
sed -i "s,$old,$ISSUER," site/.well-known/oauth-protected-resource/mcp
works authctl providers add oidc.new --issuer "$ISSUER" --client-id emulator-client
exits 4 authctl signin --resource "$RESOURCE/mcp"
err "now names the authorization server '$ISSUER' instead of '$old'"
works authctl signin --resource "$RESOURCE/mcp" --provider oidc.new --scope notes.read
authctl status --json >stdout || true
json "sorted(s['resource'] for a in d['accounts'] for s in a['sessions']) == ['$RESOURCE/mcp'] * 2"
works authctl signin --resource "$RESOURCE/mcp"

#: Metadata that is not JSON is reported with its URL.
emulator
resource '['
exits 65 authctl signin --resource "$RESOURCE/mcp"
err "the resource's metadata at '$RESOURCE/.well-known/oauth-protected-resource/mcp' is invalid JSON"
