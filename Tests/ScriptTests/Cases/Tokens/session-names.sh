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
out '^work/boss  renews itself  default$'
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

#: A sign-in names the session that was the default before, if there was one, and a session that has ended is not chosen.
two
emulator
works authctl providers add oidc.third --issuer "$ISSUER" --client-id emulator-client
works authctl link oidc.third
works authctl accounts switch work/ada@example.com
works authctl signout work/ada@example.com
exits 4 authctl accounts switch work/ada@example.com
err "not signed in to 'oidc.work'"
exits 64 authctl token
works authctl signin oidc.work
no_err 'Back: '

#: A rule and --account keep the session that they name, and a tool's sign-in does not change the default.
two
works authctl accounts switch work/ada@example.com
works authctl accounts rule add --directory . home/ada@example.com
prints "$home"
works authctl status
out "^In .* a rule makes home the default; elsewhere it is work/ada@example.com.$"
works authctl accounts rule list
works authctl doctor --long
out '^ok +rules +1$'
works authctl accounts rule remove --directory .
prints "$work"
prints "$home" --account home/ada@example.com

#: The name of a session that has ended suggests its user.
two
works authctl signout work/ada@example.com
works authctl signin work/ada@example.com
err '[?&]login_hint=ada'

#: If the named user's session has ended, no command uses another user's session, and the hint signs in again.
two
host=${ISSUER#http://}
printf 'protocol=http\nhost=%s\n' "$host" >asked
git_gets() { authctl credential git get "$@" <asked; }
serves() { authctl serve --upstream "$ISSUER" --port 0 --allow 'GET /userinfo' "$@"; }
works authctl signout work/grace@example.com
for command in "authctl token work/WHO" "authctl exec --provider work/WHO -- true" "authctl signout work/WHO" \
    "authctl request --provider work/WHO $ISSUER/userinfo" "authctl credential kubectl --provider work/WHO" \
    "authctl credential aws --provider work/WHO --role-arn arn:aws:iam::123456789012:role/deploy" \
    "authctl credential gcp --provider work/WHO" "authctl credential netrc $host --provider work/WHO" \
    "git_gets --provider work/WHO" "serves --provider work/WHO"; do
    # shellcheck disable=SC2086
    exits 4 ${command/WHO/grace@example.com}
    err "not signed in to 'oidc.work' as 'grace@example.com' .not-signed-in.$"
    err 'hint: authctl signin oidc.work/grace@example.com$'
    # The responses to Google's libraries and to kubectl say why.
    [ ! -s stdout ] || [[ $command = *gcp* && $(<stdout) = *'"success":false'* ]] \
        || [[ $command = *kubectl* && $(<stdout) = *'"reason":"Unauthorized"'* ]] || fail "something was printed"
done
exits 4 authctl accounts switch work/grace@example.com
err "not signed in to 'oidc.work'"
err 'hint: authctl signin oidc.work$'
prints "$work"
# Without a session of another user at the provider, the provider's name is enough.
works authctl signout work/ada@example.com
for command in "token work/WHO" "credential kubectl --provider work/WHO" "status work/WHO"; do
    # shellcheck disable=SC2086
    exits 4 authctl ${command/WHO/grace@example.com}
    err "error: not signed in to 'oidc.work' .not-signed-in.$"
    err 'hint: authctl signin oidc.work$'
done

#: A credential helper and a proxy use the session that --provider names, which is not the default one.
two
host=${ISSUER#http://}
# kubectl, aws and gcp use the ID token.
for user in grace ada; do
    works authctl token "work/$user@example.com" --type id
    id=$(cat stdout)
    works authctl credential kubectl --provider "work/$user@example.com"
    json "d['status']['token'] == '$id'"
    works authctl credential gcp --provider "work/$user@example.com"
    json "d['id_token'] == '$id'"
    [ "$user" = grace ] && token=$grace || token=$work
    works authctl credential kubectl --provider "work/$user@example.com" --type access
    json "d['status']['token'] == '$token'"
    works authctl credential netrc "$host" --provider "work/$user@example.com"
    out " password $token$"
    printf 'protocol=http\nhost=%s\n' "$host" | authctl credential git get --provider "work/$user@example.com" >stdout 2>stderr
    out "^password=$token$"
    : >serving
    authctl serve --upstream "$ISSUER" --socket "$PWD/s" --allow 'GET /userinfo' --provider "work/$user@example.com" 2>serving &
    servers+=("$!")
    awaits serving '^authctl: serving ' >/dev/null
    curl -sSf --unix-socket s http://api/userinfo >stdout
    json "d['email'] == '$user@example.com'"
    kill "${servers[-1]}" && wait "${servers[-1]}" || true
done
exits 64 authctl credential kubectl --provider work/grace@example.com --account ada@example.com
err 'error: --account cannot be used with a name such as github.com/ada .usage.$'

#: The alias of an account is not the name of a session, and cannot be that of a built-in provider.
two
works authctl accounts name boss grace@example.com
for command in "token boss" "token --provider boss" "signout boss" "status boss"; do
    # shellcheck disable=SC2086
    exits 4 authctl $command
    err 'hint: use --account boss$'
done
for name in github.com google; do
    exits 64 authctl accounts name "$name"
    err "error: '$name' is the name of a provider: choose another alias .usage.$"
done

#: An account without an address is named by its session everywhere, and every command accepts the name.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
works authctl signin oidc.other --separate
separate=$(authctl token)
works authctl accounts list
out '^[*] oidc.other/ada@example.com +[0-9a-f]{28}  oidc.other$'
works authctl status
out '^other/ada@example.com '
for name in oidc.other/ada@example.com other/ada@example.com; do
    prints "$separate" "$name"
    prints "$separate" --account "$name"
    works authctl accounts switch ada@example.com
    works authctl token other
    [ "$(cat stdout)" = "$separate" ] || fail "not the other account's"
    err "using the session of 'oidc.other/ada@example.com'"
    works authctl accounts switch "$name"
done

#: A sign-in with the name of a session says so if another user is signed in at the provider.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin test/grace@example.com --param emulator_user=grace@example.com
no_err 'this is not'
works authctl signin test/grace@example.com --param emulator_user=ada@example.com
err "this is not 'test/grace@example.com': another user is signed in at the provider$"

#: `link` with the name of a session suggests its user, and says so if another user is signed in at the provider.
signed_in
emulator
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
works authctl link other/grace@example.com --begin --json
out '"authorizationURL":"[^"]*[?&]login_hint=grace%40example.com'
works authctl link other/grace@example.com --param emulator_user=heidi@example.com
err "this is not 'other/grace@example.com': another user is signed in at the provider$"
works authctl unlink other --reauth
works authctl link other/grace@example.com --param emulator_user=grace@example.com
no_err 'this is not'
works authctl token other/grace@example.com

#: A provider that was removed still has a short name, and its session is not shown as one that renews itself.
signed_in --access-ttl 500
works authctl providers remove oidc.test
works authctl status
out '^test/ada@example.com +valid for 8 min'
works authctl token test
works authctl signout test
err "signed out of 'oidc.test'"
exits 4 authctl token test

#: The URL of an issuer means its provider.
signed_in
works authctl token "$ISSUER"
exits 78 authctl use git
err 'sign in first, or name the host with --host'
exits 78 authctl use git test
err "the settings of 'oidc.test' name no host for its tokens"
err 'hint: to allow one: authctl providers set oidc.test --api-host HOST$'
works authctl providers set oidc.test --api-host git.example.com
works authctl use git test

#: Without a current account, a provider that only one account has still means its session.
signed_in
first=$ISSUER
emulator --as spotify --client-id client-1
works authctl providers add spotify --base-url "$ISSUER" --client-id client-1
works authctl signin spotify --param emulator_user=grace@example.com
works authctl signout spotify
works authctl token test
works authctl request --provider test "$first/userinfo"
works authctl signout test
exits 4 authctl token test
