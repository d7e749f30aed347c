# A session is named as the user types it: PROVIDER, or PROVIDER/WHO.

# two: ada, with the user name ada, and grace are signed in with oidc.work; ada is also signed in with oidc.home.
two() {
    emulator
    works authctl providers add oidc.home --issuer "$ISSUER" --client-id emulator-client
    emulator
    works authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client
    works authctl signin oidc.work --param emulator_user=grace@example.com
    grace=$(authctl token)
    works authctl signin oidc.work
    work=$(authctl token)
    works authctl link oidc.home
    home=$(authctl token --provider oidc.home)
}
# prints TOKEN ARGUMENT...: authctl token with these arguments prints this token, without a note.
prints() {
    works authctl token "${@:2}"
    [ "$(cat stdout)" = "$1" ] && [ ! -s stderr ] || fail "another token"
}

#: A provider, a user or a session names the token.
two
prints "$home" oidc.home
prints "$home" home
prints "$home" home/ada@example.com
prints "$grace" work/grace@example.com
prints "$grace" --provider oidc.work/grace@example.com
prints "$work" --account work/ada@example.com --provider work
works authctl accounts name boss grace@example.com
prints "$grace" work/boss
prints "$grace" work/grace@example.com
works authctl status work/grace@example.com
out grace
no_out ada
works authctl exec --provider work/boss -- printenv AUTHCTL_TOKEN
[ "$(cat stdout)" = "$grace" ] || fail "not grace's"
exits 64 authctl token work/bob
err "no account on this machine matches 'work/bob' .account-not-found.$"
exits 64 authctl token home/boss
exits 64 authctl token work/boss --account boss
err "error: --account cannot be used with a name such as github.com/ada .usage.$"
works authctl signout work/boss
exits 4 authctl token work/boss

#: Without a name, the token is that of the session that was signed in to last, and linking does not change it.
two
prints "$work"
works authctl token --force-refresh
work=$(cat stdout)
prints "$work"
works authctl accounts switch home/ada@example.com
prints "$home"
works authctl reauth oidc.work
prints "$home"
works authctl accounts switch work/grace@example.com
prints "$grace"
works authctl accounts switch ada@example.com
prints "$home"
works authctl signin oidc.work
exits 0 authctl token
[ "$(cat stdout)" != "$home" ] || fail "still the other session"
works authctl signout work
prints "$home"
