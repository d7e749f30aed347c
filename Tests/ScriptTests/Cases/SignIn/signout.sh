# Sign-out reports what was revoked, and completes whether or not the provider accepts.
signed_in
works authctl signout --revoke
err 'confirmed that its tokens are revoked'
[ "$(requests 'revoke refresh_token')" = 1 ] && [ "$(requests 'revoke access_token')" = 1 ] || fail "both tokens"
works authctl signin --provider oidc.test
works authctl token --type id
idtoken=$(cat stdout)
# A browser that records the visible page, and whether it was sent to the right one.
cat >browser <<'P'
#!/bin/sh
tr '\0' ' ' </proc/$$/cmdline >arguments
curl -sS -L -o page -w '%{url_effective}' "$1" >ended.part
mv ended.part ended
P
chmod +x browser
BROWSER=$PWD/browser works authctl signout --end-session
no_err 'no browser opened'
awaits ended "^$ISSUER/logout[?]" >/dev/null
grep -qF "id_token_hint=$idtoken" ended || fail "another hint"
grep -qE '127.0.0.1:[0-9]+/[A-Za-z0-9_-]{32}' arguments || fail "$(cat arguments)"
! grep -qE 'eyJ|logout' arguments || fail "the ID token is in an argument"
[ "$(requests logout)" = 1 ] || fail "the logout page"
works authctl signin --provider oidc.test
works authctl signout --all
exits 4 authctl signout
kill "$EMULATOR"

export AUTHCTL_CONFIG_DIR=$PWD/other
signed_in --fault revoke-503
exits 69 authctl signout --revoke
err 'did not confirm'
exits 4 authctl token
