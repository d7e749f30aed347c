# Nothing secret is printed, not even with --verbose, but for what was asked for on standard output.
emulator --client-secret client-secret-of-the-test
printf 'client-secret-of-the-test' >client-secret
authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-stdin <client-secret >stdout 2>stderr
works authctl providers show oidc.test
out 'client secret +sealed in the store'
authctl signin --verbose --json >signin.out 2>signin.err </dev/null
authctl token --verbose --force-refresh >token.out 2>token.err
authctl token --type id >id.out
authctl signout --revoke --verbose >signout.out 2>signout.err
cat signin.out signin.err token.err signout.out signout.err >printed
grep -q 'POST http' signin.err || fail "--verbose traces"
for secret in client-secret-of-the-test "$(cat token.out)" "$(cat id.out)"; do
    ! grep -qF -- "$secret" printed || fail "a secret was printed"
done
! grep -qE 'code=[A-Za-z0-9_-]{20}|code_verifier=[A-Za-z0-9]|refresh_token=[A-Za-z0-9_-]{20}' printed || fail "a parameter's value was printed"
! grep -rqF client-secret-of-the-test "$HOME/.config/authctl" || fail "the secret is sealed"
! grep -rqF "$(cat token.out)" "$HOME/.config/authctl" || fail "the token is sealed"
exits 64 authctl verify "$(cat id.out)" --issuer "$ISSUER" --audience emulator-client
err 'must not stand in an argument'
no_err "$(cut -c1-40 id.out)"
