# A refresh that the provider rejects, or whose ID token has another subject.
signed_in --fault refresh-invalid-grant
exits 4 authctl token --force-refresh
err 'rejected the refresh token'
err 'hint: authctl signin oidc.test'
# The access token is still valid, and the account exists.
works authctl token
works authctl whoami
kill "$EMULATOR"

export AUTHCTL_CONFIG_DIR=$PWD/other
signed_in --fault refresh-wrong-sub
before=$(authctl token)
exits 65 authctl token --force-refresh
err 'invalid-id-token'
[ "$(authctl token)" = "$before" ] || fail "the old token is kept"
[ "$(requests 'revoke access_token')" = 1 ] || fail "the new one is given back"
kill "$EMULATOR"

export AUTHCTL_CONFIG_DIR=$PWD/third
signed_in --fault no-refresh-token
err 'did not issue a refresh token'
exits 4 authctl token --force-refresh
err 'cannot be refreshed, because it has no valid refresh token'
