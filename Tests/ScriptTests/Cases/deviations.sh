# What services do differently from the standards (the faults of the emulator that name them): the client works, or it says
# what differs, and the session before it stays. Each story lists the deviations that are not played, with the reason.

# before [SERVICE]: signs in without a deviation at oidc.test or a service of the catalog, with a secret if SECRET is set.
before() {
    local place
    SERVICE=${1:-}
    FLAGS=(${SERVICE:+--as "$SERVICE"} --client-id client-1 ${SECRET:+--client-secret "$SECRET"})
    emulator "${FLAGS[@]}"
    PORT=${ISSUER##*:}
    secret_file "${SECRET:-none}"
    place=(--issuer "$ISSUER")
    [ -z "$SERVICE" ] || place=(--base-url "$ISSUER")
    works authctl providers add "${SERVICE:-oidc.test}" --client-id client-1 \
        ${SECRET:+--client-secret-file "$PWD/secret"} "${place[@]}"
    works authctl signin
    TOKEN=$(authctl token "${SERVICE:-oidc.test}")
    cp -a "$HOME/.config/authctl" clean
}

# again FLAG…: starts the provider again with these flags, at the stored session of `before`.
again() {
    rm -rf "$HOME/.config/authctl"
    cp -a clean "$HOME/.config/authctl"
    kill "$EMULATOR" && wait "$EMULATOR" || true
    emulator --port "$PORT" "${FLAGS[@]}" "$@"
}

# stays: the session before is still the only one.
stays() { [ "$(authctl token "${SERVICE:-oidc.test}" --account ada@example.com)" = "$TOKEN" ] || fail "the session before is gone"; }

# table [COMMAND]: for each line 'FAULT [EMULATOR-FLAG…]|CODE|PATTERN|FLAG…|EXPRESSION' of standard input, signs in with these
# flags. If it works, the expression must be true of the JSON of authctl COMMAND, and the new session is refreshed. With code 3,
# the browser must have reached the provider.
table() {
    local faults code pattern flags expression
    while IFS='|' read -r faults code pattern flags expression; do
        # shellcheck disable=SC2086
        again --fault $faults
        # shellcheck disable=SC2086
        exits "$code" authctl signin $flags
        [ -z "$pattern" ] || err "$pattern"
        [ "$code" != 3 ] || [ "$(requests authorize)" = 1 ] || fail "$faults: the browser opened nothing"
        if [ "$code" = 0 ]; then
            if [ -n "$expression" ]; then
                works authctl "$1" --json
                json "$expression"
            fi
            [[ $faults = *-refresh-token ]] || works authctl token --force-refresh
        else
            [ "$(grep -c '^authctl: error: ' stderr)" = 1 ] || fail "$faults: not one error"
            stays
        fi
    done
}

#: Metadata that differs can be used, or the provider is not added.
# Not played: the client ID in the issuer (Duo, Kanidm, Descope), because the entry asks for it; endpoints of another
# environment or client in the metadata (PayPal, Figma, Strava), because the entry has the endpoints.
before
while IFS='|' read -r fault code pattern path flags; do
    again --fault "$fault" --user grace@example.com
    # shellcheck disable=SC2086
    exits "$code" authctl providers add oidc.other --replace --issuer "$ISSUER$path" --client-id client-1 $flags
    [ -z "$pattern" ] || err "$pattern"
    if [ "$code" = 0 ]; then
        works authctl signin oidc.other
        works authctl token oidc.other --force-refresh
        works authctl signout oidc.other --revoke
    fi
    stays
done <<'ROWS'
issuer-no-url|78|hint: to add it without metadata: authctl providers add oauth.other 
discovery-wrong-issuer|78|issuer-mismatch
discovery-400|65|status 400
discovery-html|78|but the issuer has the document of RFC 8414
issuer-path|78|no discovery document|/tenant
issuer-path|0||/tenant|--discovery openid-inserted
oauth-document-403|0|
revocation-renamed|0|
device-metadata|0|
scopes-cased|0|
no-lists|0|
web-message|0|
issuer-slash|0||/
ROWS

#: A callback that differs can be used, or the error says what it lacks or reports; without a callback, the sign-in times out.
# Not played: other request parameters (client_key of TikTok, appid of WeChat, user_scope of Slack, no response_type of
# monday.com, type=web_server of Basecamp) and a PKCE challenge in hexadecimal (TikTok), because no entry has them. Separators,
# parameters and redirect rules are those of the entries (catalog.sh), and no request has '+' (CatalogTests). POST callbacks
# are in apple.sh, codes of 30 seconds in twitter.sh.
before
table <<'ROWS'
openid-refused|78|invalid_scope: openid is not allowed
callback-extras|0|
scope-in-callback|0|did not grant the scope 'email'
access-denied|7|access_denied
denied-cancelled|2|user_cancelled_authorize
denied-reason|65|neither a code nor an error
denied-number|65|failed: 1101
denied-no-state|3|timed out|--timeout 1
denied-page|3|timed out|--timeout 1
ROWS

#: A token response that differs can be used, or the error names the member.
# Not played: twenty years or ten minutes of validity (ORCID, Snowflake), because it is --access-ttl; token requests as JSON
# or GET (Trovo, WeChat) and type=refresh (Basecamp), because no entry has them. A form is in github.sh.
before spotify
table token <<'ROWS'
json-as-html|0|||d['expires_in'] > 3500
token-challenge|0|||d['expires_in'] > 3500
token-list|0|||d['expires_in'] > 3500
scopes-member|0|||d['scope'] == 'user-read-email'
scope-commas|0|||d['scope'] == 'user-read-email'
scope-commas --fault fewer-scopes|7|did not grant the scope 'user-top-read' |--scope user-read-email --scope user-read-private --scope user-top-read
scope-list|0|||d['scope'] == 'user-read-email'
scope-list --fault fewer-scopes|7|did not grant the scope 'user-top-read' |--scope user-read-email --scope user-read-private --scope user-top-read
no-expires-in|0|||d['expires_in'] is None
text-expires-in|0|||d['expires_in'] > 3500
expires-at|0|||d['expires_in'] is None
extra-members|0|||d['expires_in'] > 3500
byte-order-mark|0|||d['expires_in'] > 3500
refresh-no-rotation|0|
no-refresh-token|0|this session cannot be refreshed
null-refresh-token|0|this session cannot be refreshed
false-id-token|65|'id_token' is not a token
nested-token|65|'access_token' is missing
no-token-type|65|'token_type' is not 'Bearer'
other-token-type|65|'token_type' is not 'Bearer'
ROWS

#: An error of the token endpoint that differs is printed.
before spotify
table <<'ROWS'
errors-200 --fault token-error-echoes-code|65|failed: invalid_grant: code
errors-not-ok --fault token-error-echoes-code|65|failed: invalid_grant
errors-errcode --fault token-error-echoes-code|65|'access_token' is missing
errors-message --fault token-error-echoes-code|65|failed: code <redacted>
errors-object --fault token-error-echoes-code|65|failed: OAuthException: code
errors-number --fault token-error-echoes-code|65|failed: 1101
ROWS
# Twitch rejects a refresh token with a message: the session ends, and a sign-in is the hint.
again --fault errors-message --fault refresh-invalid-grant
works authctl signin
exits 4 authctl token --force-refresh
err 'rejected the refresh token; sign in again'
again --fault errors-200 --fault refresh-invalid-grant
works authctl signin
exits 4 authctl token --force-refresh

#: A client authentication that differs is an error which names it.
before
table <<'ROWS'
basic-always|78|invalid_client
redirect-uri-refused|65|redirect_uri is not allowed
ROWS
rm -rf clean "$HOME/.config/authctl"
kill "$EMULATOR"
SECRET=client-secret-1 before
table <<'ROWS'
pkce-refused|65|code_verifier is not allowed
secret-refused|78|invalid_client
secret-in-body|78|invalid_client
device-no-basic|78|HTTP Basic is not allowed|--flow device
ROWS

#: An ID token or userinfo that differs can be used, or the error names the claim.
# The session before is ada's; a user of these rows has no account yet.
before
table whoami <<'ROWS'
bare-id-token --user grace@example.com|0|||(d['account']['email'], d['account']['displayName']) == ('grace@example.com', 'Grace Example')
userinfo-403 --user grace@example.com|0|||d['account']['email'] == 'grace@example.com'
userinfo-403 --fault bare-id-token --user grace@example.com|0|only the ID token's claims are used||d['account']['email'] is None
email-verified-text --user grace@example.com|0|||d['account']['email'] == 'grace@example.com'
email-verified-number --user grace@example.com|0|||d['account']['email'] == 'grace@example.com'
email-list --user grace@example.com|0|||(d['account']['email'], d['account']['displayName']) == (None, 'Grace Example')
odd-claims --user grace@example.com|0|||(d['account']['email'], d['account']['displayName']) == ('grace@example.com', None)
url-sub --user grace@example.com|0|||[i['federatedId'] for i in d['account']['providerData']] == ['https://login.example.com/id/00D00/00500']
numeric-sub|65|its claim 'sub' is missing or invalid
missing-nonce|65|it has no nonce
iss-without-scheme|65|its issuer is '127.0.0.1
hs256-id-token|65|its algorithm 'HS256' is not accepted
further-audiences|65|its audience also has clients that are not trusted: '998877', 'sibling@project' 
no-id-token|65|'id_token' is missing
ROWS

#: A device endpoint that differs can be used, or the error names what differs.
# Not played: user_code in polls (Amazon), the parameter scopes (Twitch), the client ID in the query (Zoom), because no entry
# has such an endpoint.
before
table <<'ROWS'
errors-message|0||--flow device
verification-url|65|'verification_uri' is missing|--flow device
device-grant|78|unsupported_grant_type|--flow device
ROWS

#: An API or a revocation that differs can be used, or the error names what differs.
# Not played: POST requests, wrapped responses and the token in the path (HubSpot), because they are the entries' own.
before spotify
table whoami <<'ROWS'
numeric-id --user grace@example.com|0|||[i['federatedId'] for i in d['account']['providerData']] == ['44634639']
no-user-id|65|'id' is missing
api-401|65|status 401
api-not-ok|65|failed: missing_scope
revoke-empty-json|0|
ROWS
works authctl signout --revoke

#: The list of faults has a title for each place.
works authctl-emulator --fault list
for title in Metadata 'Authorization response' 'Token endpoint' 'Device endpoint' 'ID token' API Revocation; do out "^$title\$"; done
out '^  errors-message: .*[(]Twitch[)]'
out '^  api-errors: .*[(]every service[)]$'
