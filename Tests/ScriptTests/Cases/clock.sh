# A clock that was wrong for a while.
ahead=(faketime -f +400d)

#: A sign-in made while the clock was ahead does not count as recent; re-authentication is required.
printf 'a long right password' >right
signin=(authctl signin --provider password --email ada@example.com --password-stdin)
"${signin[@]}" --create <right >stdout 2>stderr || fail create
"${ahead[@]}" "${signin[@]}" <right >stdout 2>stderr || fail "signed in then"
exits 5 authctl accounts set-email new@example.com
"${signin[@]}" <right >stdout 2>stderr || fail "signed in now"
works authctl accounts set-email new@example.com

#: Failed passwords recorded while the clock was ahead do not lock the account.
printf 'a long right password' >right
printf 'a long wrong password' >wrong
authctl signin --provider password --email ada@example.com --create --password-stdin <right >stdout 2>stderr || fail create
for _ in 1 2 3 4 5 6; do "${ahead[@]}" authctl signin --provider password --email ada@example.com --password-stdin <wrong >stdout 2>stderr || true; done
# The lock ends after a few seconds, not after the recorded year.
for _ in $(seq 100); do
    code=0
    authctl signin --provider password --email ada@example.com --password-stdin <right >stdout 2>stderr || code=$?
    [ $code != 0 ] || break
    pause 0.2
done
[ $code = 0 ] || fail "locked out"

#: Signs a request again with the server's time if it was rejected because of the clock (RFC 7523, RFC 9449).
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem
emulator --client-key "$PWD/key.pem"
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/key.pem" --dpop
for offset in -400 +400; do
    works faketime -f "${offset}s" authctl signin --provider oidc.test --flow client-credentials --scope deploy
    err "authctl: this clock is 7 min (ahead of|behind) that of '$ISSUER'.*signed again with the server.s time"
    works faketime -f "${offset}s" authctl request "$ISSUER/userinfo"
    err 'signed again with the server.s time'
    works authctl signout --all
done
works authctl signin --provider oidc.test --flow client-credentials --scope deploy
no_err 'signed again'

#: A token issued while the clock was 400 days ahead is refreshed or requires a sign-in, instead of being used.
emulator --client-secret client-secret-1
secret_file client-secret-1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
works "${ahead[@]}" authctl signin --flow client-credentials --scope deploy
works authctl status --json
json "d['accounts'][0]['sessions'][0]['state'] == 'renews'"
works authctl token --json
json "d['expires_in'] <= 3600"
works authctl status --json
json "d['accounts'][0]['sessions'][0]['state'] == 'fresh'"
# Without a refresh token.
works authctl signout --all
works authctl signin
session_set tokens.refreshToken NULL
session_set tokens.expiresAt 'old + 400 * 86400'
exits 4 authctl token
exits 4 authctl status --json
json "d['accounts'][0]['sessions'][0]['state'] == 'needs-sign-in'"

#: A re-authentication while the clock is ahead names the difference, and does not blame the provider.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin
exits 65 faketime -f +360s authctl reauth
err "'auth_time' is missing or older than requested; this clock is 6 min ahead of '127.0.0.1'"
err 'hint: the clock of this machine may be wrong$'
works authctl reauth

#: The file of exec --renew has a new token soon after the clock was set forward.
signed_in
echo +0 >offset
FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 faketime -f +0 env -u FAKETIME FAKETIME_TIMESTAMP_FILE="$PWD/offset" \
    authctl exec --renew -- bash -c 'first=$(<"$AUTHCTL_TOKEN_FILE"); echo ready
        while [ "$(<"$AUTHCTL_TOKEN_FILE")" = "$first" ]; do read -rt 0.2 <>"$NEVER" || :; done' >ran 2>notes &
running=$!
servers+=("$running")
awaits ran ready
echo +2h >offset
wait "$running" || fail "exit $?: $(cat notes)"
