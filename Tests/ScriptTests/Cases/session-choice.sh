# The user chooses which stored session is used, with an account, a provider or a URL.

# two: ada and bob are signed in with oidc.test, and grace, the current account, with oidc.other.
two() {
    emulator
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --api-host http://127.0.0.1:1
    works authctl signin --provider oidc.test
    ada=$(authctl token)
    works authctl signin --provider oidc.test --param emulator_user=bob@example.com
    first=$ISSUER
    emulator
    works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
    works authctl signin --provider oidc.other --param emulator_user=grace@example.com
    grace=$(authctl token)
}

#: Uses the only account that has a session with the provider, and prints a note.
two
works authctl signout --account bob@example.com
note="authctl: using the session of 'ada@example.com': the current account is not linked to 'oidc.test'"
works authctl token --provider oidc.test
[ "$(cat stdout)" = "$ada" ] || fail "another token"
err "$note"
works authctl exec --provider oidc.test -- printenv AUTHCTL_TOKEN
[ "$(cat stdout)" = "$ada" ] || fail "another token"
err "$note"
works authctl request --provider oidc.test "$first/userinfo"
json "d['email'] == 'ada@example.com'"
err "$note"
works authctl credential kubectl --provider oidc.test
err "$note"
works authctl credential netrc 127.0.0.1:1
err "$note"
# Only a named provider selects another account: a command without a provider, a URL or an account does not.
works authctl token
[ "$(cat stdout)" = "$grace" ] && [ ! -s stderr ] || fail "not the current account's"
exits 7 authctl request "$first/userinfo"
err 'hint: add --account ada@example.com --provider oidc.test'
exits 4 authctl token --provider oidc.test --account grace@example.com
err "is not signed in to 'oidc.test'"

#: Names the accounts if several have a session with the provider, and prints no token.
two
for command in token "exec -- true" "request $first/userinfo" "credential kubectl" "credential netrc 127.0.0.1:1"; do
    named="--provider oidc.test"
    case $command in exec*) command="exec $named -- true"; named= ;; esac
    # shellcheck disable=SC2086
    exits 4 authctl $command $named
    err "choose one .(ada@example.com, bob|bob@example.com, ada)@example.com"
    err 'hint: add --account (ada|bob)@example.com'
    [[ $command = *kubectl* && $(field "d['kind']") = Status ]] || [ ! -s stdout ] || fail "something was printed"
done
code=0; printf 'protocol=http\nhost=127.0.0.1:1\n' | authctl credential git get >stdout 2>stderr || code=$?
[ $code = 4 ] && [ ! -s stdout ] || fail "git: exit $code"
works authctl token --provider oidc.test --account ada@example.com
[ "$(cat stdout)" = "$ada" ] && [ ! -s stderr ] || fail "not ada's"

#: An unknown account is account-not-found, not an error that makes scripts start a sign-in.
two
for command in token whoami status "request $first/userinfo" "credential kubectl" "accounts show" reauth; do
    # shellcheck disable=SC2086
    exits 64 authctl $command --account typo
    err "no account on this machine matches 'typo' .account-not-found.$"
    err 'hint: authctl accounts list$'
done
exits 64 authctl accounts switch typo
err '.account-not-found.$'
exits 64 authctl token --account typo --json
failed "e['code'] == 'account-not-found' and e['hint'] == 'authctl accounts list'"

#: For a host of another provider, the hint is to sign in with that provider, not to allow the host.
provider microsoft.com
works authctl signin --provider microsoft.com
for host in https://api.github.com/user https://github.com/x https://www.googleapis.com/drive https://ghcr.io/v2/; do
    exits 7 authctl request "$host"
    err "the token of 'microsoft.com' is not allowed for .*, which requires a token from '(github|google).com'"
    err 'hint: authctl signin (github|google).com'
    no_err api-host
done
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --api-host https://api.example.com
for host in "$ISSUER/userinfo" https://api.example.com/x; do
    exits 7 authctl request "$host"
    err 'hint: authctl signin oidc.test'
done

#: If no provider of the account allows the URL, the error does not ask to choose one.
provider microsoft.com
works authctl signin --provider microsoft.com
for id in oidc.a oidc.b; do
    emulator
    works authctl providers add $id --issuer "$ISSUER" --client-id emulator-client
    works authctl link --provider $id
done
works authctl signout --provider microsoft.com
exits 64 authctl token
err 'choose one'
exits 7 authctl request https://elsewhere.example/
err "the token of 'oidc.a' is not allowed for 'https://elsewhere.example"

#: If only another account is signed in to the provider, the error names it, also for a sign-out.
two
works authctl signout --account bob@example.com
exits 4 authctl token --provider oidc.test --account grace@example.com
err "'grace@example.com' is not signed in to 'oidc.test', but ada@example.com is"
err 'hint: authctl token oidc.test --account ada@example.com|add --account ada@example.com'
exits 4 authctl signout --provider oidc.test
err "'grace@example.com' is not signed in to 'oidc.test', but ada@example.com is"
no_err 'authctl signin'
works authctl signout --provider oidc.test --account ada@example.com

#: A variable that chooses an account or a profile that does not exist is named.
two
AUTHCTL_ACCOUNT=zed exits 64 authctl token
err "the account of AUTHCTL_ACCOUNT does not exist on this machine: 'zed'"
err 'hint: unset AUTHCTL_ACCOUNT'
AUTHCTL_PROFILE=typo exits 4 authctl token
err "profile 'typo', from AUTHCTL_PROFILE, is empty"
err 'hint: unset AUTHCTL_PROFILE'

#: providers show names the variables that replace settings of the file.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
AUTHCTL_OIDC_TEST_CLIENT_ID=other works authctl providers show oidc.test
out 'config.yaml, AUTHCTL_OIDC_TEST_CLIENT_ID$'
works authctl providers show oidc.test
no_out 'AUTHCTL_OIDC_TEST_CLIENT_ID'
