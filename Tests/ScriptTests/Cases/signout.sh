# Sign-out says what the provider was told, and completes whatever it answers.
signed_in
works authctl signout --revoke
err 'confirmed that its tokens are revoked'
[ "$(requests 'revoke refresh_token')" = 1 ] && [ "$(requests 'revoke access_token')" = 1 ] || fail "both tokens"
works authctl signin --provider oidc.test
works authctl signout --end-session
curl -sS "$ISSUER/emulator/requests" >stdout
works authctl signin --provider oidc.test
works authctl signout --all
exits 4 authctl signout
kill "$EMULATOR"

export AUTHCTL_CONFIG_DIR=$PWD/other
signed_in --fault revoke-503
exits 69 authctl signout --revoke
err 'did not confirm'
exits 4 authctl token
