# Two-step sign-ins, for programs that cannot wait: --begin prints the URL, --complete reads the callback URL.

export CI=true

# begun COMMAND FLAGS…: begins a two-step sign-in; BEGUN is its ID.
begun() {
    works authctl "$@" --begin
    json "{name for name in d if d[name] is not None} == {'id', 'authorizationURL', 'redirectURI', 'expiresAt'} and d['expiresAt'].endswith('Z')"
    BEGUN=$(field "d['id']")
    field "d['authorizationURL']" >url
}

# answer: the browser's final URL, in the file callback.
answer() { curl -sS -o /dev/null -w '%{redirect_url}' "$(cat url)" >callback; }

# completes CODE COMMAND…: completes the sign-in with the file callback; the exit code must be CODE.
completes() {
    local code=0
    authctl "${@:2}" --complete "$BEGUN" <callback >stdout 2>stderr || code=$?
    [ $code = "$1" ] || fail "exit $code, not $1, from: ${*:2}"
    record authctl "${@:2}"
}

#: A two-step sign-in prints only JSON, and can be completed once.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
begun signin --scope offline_access --timeout 900
no_err .
answer
completes 0 signin --json
json "d['isNewUser'] and 'offline_access' in d['credential']['scopes']"
works authctl token
completes 65 signin
err "pending sign-in not found: '$BEGUN'"

#: Refuses the callback of another sign-in and stays pending; its own callback ends it, even if access was denied.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
begun signin
first=$BEGUN
answer
cp callback other
begun signin
cp other callback
completes 65 signin
err 'unexpected input: the callback URL of another sign-in; the callback URL begins with http://127.0.0.1:8400/callback/oidc.test[?]'
err "hint: the sign-in is still pending: authctl signin --complete $BEGUN"
echo hello >callback
completes 65 signin
err 'unexpected input: not a callback URL'
answer
cp callback whole
sed 's/&iss=.*//' whole >callback
completes 65 signin
err 'unexpected input: the end of the callback URL is missing'
err 'hint: the sign-in is still pending'
sed 's/&state=.*//' whole >callback
completes 65 signin
err 'unexpected input: the end of the callback URL is missing'
cp whole callback
completes 0 signin
BEGUN=$first
cp other callback
completes 0 signin
emulator --fault access-denied
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
begun signin
answer
completes 7 signin
completes 65 signin

#: --complete refuses a code that was used, and does not sign in.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
begun signin
answer
used=$(grep -oE '[?&]code=[^&]+' callback | cut -d= -f2)
completes 0 signin
works authctl signout
begun signin
answer
sed -i -E "s/([?&]code=)[^&]+/\\1$used/" callback
grep -qF "code=$used" callback || fail "the callback has another code"
completes 65 signin
err 'invalid_grant'
exits 4 authctl whoami
# It is no longer pending.
completes 65 signin
err "pending sign-in not found: '$BEGUN'"

#: --complete refuses a wrong nonce, a wrong iss and a wrong at_hash.
for fault in wrong-nonce wrong-response-iss wrong-at-hash; do
    emulator --fault $fault
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
    begun signin
    answer
    completes 65 signin
done
exits 4 authctl whoami

#: Two-step links and re-authentications are completed only for their own account and by their own command.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
begun signin; answer; completes 0 signin --json
ADA=$(field "d['account']['uid']")
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
begun link --provider oidc.other
answer
completes 64 signin
err 'started by authctl link'
completes 0 link --json
json "d['account']['uid'] == '$ADA' and len(d['account']['providerData']) == 2"
older 600
begun reauth --provider oidc.test
grep -q 'prompt=login' url || fail "no fresh sign-in was asked for"
answer
completes 0 reauth
works authctl unlink --provider oidc.other
begun reauth
sed -i 's/$/\&emulator_user=mallory/' url
answer
completes 6 reauth

#: --complete refuses another --account than the one that the sign-in was started for, and stays pending.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
begun signin --provider oidc.test; answer; completes 0 signin
begun signin --provider oidc.test; sed -i 's/$/\&emulator_user=grace@example.com/' url; answer; completes 0 signin
begun link --provider oidc.other --account ada@example.com
answer
completes 64 link --account grace@example.com
err "'$BEGUN' was started for another account than 'grace@example.com'"
works authctl signout
completes 0 link --account ada@example.com --json
json "d['account']['email'] == 'ada@example.com'"
begun reauth --provider oidc.test --account ada@example.com
answer
completes 64 reauth --account unknown@example.com
completes 0 reauth

#: A pending sign-in is encrypted in the store, and expires at the printed time.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
begun signin
state=$(grep -oE 'state=[^&]+' url | cut -d= -f2)
! grep -qF -e "$state" "$HOME/.config/authctl/authctl.db" || fail "the state stands in the store as it is"
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: db.execute("UPDATE begun_sign_in SET expires_at = expires_at - 301")
P
answer
completes 65 signin

#: Refuses options that cannot be combined.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 64 authctl signin --begin --complete x
exits 64 authctl signin --begin --flow device
exits 64 authctl signin --provider oidc.test --complete x
exits 64 authctl signin --provider password --begin
exits 65 authctl signin --complete 'x;y'
