# Tokens with identity assertions of another provider (ID-JAG): the emulator is the company's provider and the tool's server.

EXCHANGE=urn:ietf:params:oauth:grant-type:token-exchange
GRANT=urn:ietf:params:oauth:grant-type:jwt-bearer

# company FAULTS…: the company's provider WORK, where ada is signed in; the tool's server TOOL, with an API; and the command
# for tokens there.
company() {
    emulator --client-secret work-secret "$@"
    WORK=$ISSUER
    emulator --client-secret tool-secret
    TOOL=$ISSUER
    secret_file work-secret work
    secret_file tool-secret tool
    works authctl providers add oidc.work --issuer "$WORK" --client-id emulator-client --client-secret-file "$PWD/work"
    works authctl providers add oidc.tool --issuer "$TOOL" --client-id emulator-client --client-secret-file "$PWD/tool" --assertion-from oidc.work
    works authctl signin --provider oidc.work
    sign_in=(authctl signin --resource "$TOOL/api" --provider oidc.tool --scope notes.read)
    export BROWSER=false
}

#: Gets a token without a browser and without a terminal, and a new assertion for each new token.
company
works "${sign_in[@]}" --no-input --json
json "d['account']['email'] == 'ada@example.com' and not d['isNewUser'] and not d['credential']['hasRefreshToken']"
works authctl request "$TOOL/api/notes"
json "d['user'] == 'ada@example.com' and d['scope'] == 'notes.read'"
works authctl token --resource "$TOOL/api"
mv stdout first
works authctl token --resource "$TOOL/api" --force-refresh
! cmp -s stdout first || fail "the same token came again"
[ "$(requests "token $EXCHANGE" "$WORK")" = 2 ] && [ "$(requests "token $GRANT")" = 2 ] || fail "not one assertion for each token"
works authctl status --long
out "^$TOOL/api +renews itself"
out '^    signed in  .*by oidc.work$'
works authctl providers show oidc.tool
out 'identity assertions +oidc.work'
# Options for a browser are not ignored.
for options in --max-age=60 --acr=two-factors --begin; do
    exits 64 "${sign_in[@]}" $options
    err "'oidc.tool' (does not support ${options%=*}|uses identity assertions)"
done
# An assertion is not an authentication of the user.
exits 7 authctl reauth --provider oidc.tool
[ "$(requests authorize)" = 0 ] || fail "a browser was used"

#: If the API requires more scopes, they are requested with another assertion.
company
works "${sign_in[@]}"
exits 7 authctl request "$TOOL/api/write"
err 'hint: to sign in for it and repeat the request: add --step-up$'
exits 4 authctl request "$TOOL/api/write" --step-up
err "hint: if you trust it: authctl signin --resource $TOOL/api --provider oidc.tool, and name them with --scope$"
works "${sign_in[@]}" --scope notes.write
works authctl request "$TOOL/api/write"
json "d['scope'] == 'notes.read notes.write'"

#: An expired ID token is refreshed first; without a session at the company's provider, no other grant is tried.
company
works "${sign_in[@]}"
session_set tokens.idTokenExpiresAt 1 "provider_id = 'oidc.work'"
works authctl token --resource "$TOOL/api" --force-refresh
[ "$(requests 'token refresh_token' "$WORK")" = 1 ] || fail "not refreshed"
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: db.execute("DELETE FROM session WHERE provider_id = 'oidc.work'")
P
before=$(all_requests)
exits 4 authctl token --resource "$TOOL/api" --force-refresh
err 'authctl signin oidc.work$'
exits 4 "${sign_in[@]}"
[ "$(requests authorize)" = 0 ] && [ "$(requests "token $GRANT")" = 2 ] || fail "another grant was tried"

#: If the company's provider refuses the assertion, the error names it, and nothing else is tried.
while read -r fault code words; do
    company --fault "$fault"
    exits "$code" "${sign_in[@]}"
    err "'oidc.work' returned $words|$words"
    err "identity assertions for $TOOL$"
    [ "$(requests "token $EXCHANGE" "$WORK")" = 1 ] || fail "the exchange was repeated"
    curl -sS "$TOOL/emulator/requests" >stdout
    json "not [k for k in d if k.startswith('token') or k == 'authorize']"
    rm -rf "$HOME/.config"
done <<'FAULTS'
exchange-denied 7 access_denied
exchange-refused 65 invalid_request
exchange-target 78 invalid_target
exchange-unauthorized 78 unauthorized_client
exchange-other-type 65 'issued_token_type'.is.not.an.identity.assertion
FAULTS

#: The tool's server refuses an assertion of another type, client, audience or resource, an expired one, and one that was used before.
for fault in typ audience client expired resource; do
    company --fault "id-jag-$fault"
    code=65
    [ $fault != resource ] || code=78
    exits $code "${sign_in[@]}"
    [ "$(requests "token $GRANT")" = 1 ] && [ "$(requests authorize)" = 0 ] || fail "another request followed"
    rm -rf "$HOME/.config"
done
company --fault id-jag-repeated
works "${sign_in[@]}"
exits 65 authctl token --resource "$TOOL/api" --force-refresh
err 'jti'
# The token that is stored stays valid.
works authctl request "$TOOL/api/notes"

#: Without a resource, the token is for the tool's server; DPoP binds it to a key, which stays the same.
company
works authctl signin --provider oidc.tool --dpop --scope notes.read --json
json "d['credential']['binding'] == 'dpop'"
works authctl token --provider oidc.tool --force-refresh
works authctl signin --provider oidc.tool --json
json "d['credential']['binding'] == 'dpop'"
works authctl request --provider oidc.tool "$TOOL/userinfo"

#: Refuses providers that cannot issue assertions, and never uses another account's session.
company
add=(authctl providers add oidc.loop --issuer "$TOOL" --client-id emulator-client --client-secret-file "$PWD/tool")
exits 78 "${add[@]}" --assertion-from oidc.tool
err "assertion_from: 'oidc.tool' cannot issue identity assertions"
exits 78 authctl providers show oidc.loop
works "${add[@]}"
# Unknown, built in, itself, a cycle, and one that would break another provider.
for source in nonsense oidc.missing github.com oidc.loop oidc.tool; do exits 78 authctl providers set oidc.loop --assertion-from $source; done
exits 78 authctl providers set oidc.loop --assertion-from oidc.missing
err "'oidc.missing' is not configured"
err '^authctl: hint: authctl setup oidc.missing$'
exits 78 authctl providers set oidc.work --assertion-from oidc.tool
exits 78 authctl providers set oidc.work --assertion-from oidc.loop
err "oidc.tool: assertion_from: 'oidc.work' cannot issue"
works authctl providers set oidc.work --scope openid
# A file that was written by hand.
sed -i 's/assertion_from: oidc.work/assertion_from: oidc.loop/' "$HOME/.config/authctl/config.yaml"
works authctl providers set oidc.loop --scope openid
sed -i 's/assertion_from: oidc.loop/assertion_from: oidc.tool/' "$HOME/.config/authctl/config.yaml"
exits 78 authctl signin --provider oidc.tool
err "oidc.tool: assertion_from.*'oidc.tool' cannot issue identity assertions"
sed -i 's/assertion_from: oidc.tool/assertion_from: oidc.work/' "$HOME/.config/authctl/config.yaml"
emulator --user bob
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
BROWSER="curl -sS -L -o /dev/null" works authctl signin --provider oidc.other
exits 4 "${sign_in[@]}"
err "not signed in to 'oidc.work'"

#: An account that already has an identity there, from a browser, does not get tokens that could be of another user.
company
BROWSER="curl -sS -L -o /dev/null" works authctl link --provider oidc.tool --flow browser
exits 6 "${sign_in[@]}"
err "this account is already linked to 'oidc.tool' .provider-already-linked.$"

#: PyPI's server takes the assertions of the company's provider; the bridge gets a new one at each expiry.
[ -x "$ROOT/.build/venv/bin/python" ] || { echo "no $ROOT/.build/venv: make servers" >&2; exit 1; }
emulator --client-secret work-secret --client-id known
WORK=$ISSUER
mkfifo mcp.url
"$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/mcp_server.py" --life 5 --trust "$WORK/jwks" >mcp.url 2>mcp.log &
servers+=("$!")
read -r MCP <mcp.url
secret_file work-secret work
secret_file the-secret tool
works authctl providers add oidc.work --issuer "$WORK" --client-id known --client-secret-file "$PWD/work"
works authctl providers add oidc.tool --issuer "$MCP" --preset oauth --client-id known --client-secret-file "$PWD/tool" --auth-method client_secret_post --assertion-from oidc.work
works authctl signin --provider oidc.work
export BROWSER=false
works authctl signin --resource "$MCP/mcp" --provider oidc.tool --scope notes
"$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/mcp_bridge.py" "$MCP/mcp" legacy until 8 >out 2>log || fail "$(cat log)"
grep -q '^until done$' out || fail "$(cat out)"
[ "$(grep -c '^assertion of ada@example.com$' mcp.log)" -ge 2 ] || fail "$(cat mcp.log)"
! grep -q '^refresh$' mcp.log || fail "a refresh token was used"
