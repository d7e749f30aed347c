# signin --link-pending: signs in to the account of a conflict, and links the pending credential.

# conflict: ada has an account with google.com, and github.com has the same address.
conflict() {
    provider google.com
    works authctl signin --provider google.com
    provider github.com
    exits 6 authctl signin --provider github.com
}

#: Without a provider, uses that of the account that the credential is for.
conflict
works authctl signin --link-pending --json
json "sorted(p['providerId'] for p in d['account']['providerData']) == ['github.com', 'google.com']"

#: Links all pending credentials of the account.
conflict
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 6 authctl signin --provider oidc.test
works authctl signin --link-pending --json
json "sorted(p['providerId'] for p in d['account']['providerData']) == ['github.com', 'google.com', 'oidc.test']"
err "'github.com' is linked to ada@example.com$"
json "d['providerId'] == 'oidc.test'"
works authctl pending list --json
json "d['pending'] == []"

#: If the credential is for another account, the error says that the user is signed in.
conflict
emulator --user grace@example.com
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
exits 6 authctl signin --provider oidc.other --link-pending
err 'error: signed in, but the pending credential was not linked: .*user-mismatch'
err 'hint: authctl link --pending [^ ]+$'
works authctl whoami --field account.email
out 'grace@example.com'
works authctl signout --account ada@example.com
exits 6 authctl signin --provider oidc.other --link-pending
err 'hint: authctl signin google.com --login-hint ada@example.com --link-pending$'

#: A pending credential is only linked to an account whose user is signed in.
# Local directory only: in a project, it is the project that refuses.
conflict
id=$(authctl pending list --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["pending"][0]["id"])')
uid=$(authctl accounts list --field accounts.0.uid)
works authctl signout
works authctl pending list
out '  authctl signin google.com --login-hint ada@example.com --link-pending$'
exits 4 authctl link --pending "$id" --account "$uid"
err 'this account has no session on this machine .not-signed-in'
err 'hint: authctl signin google.com .*--link-pending$'
works authctl accounts list --json
json "[p['providerId'] for p in d['accounts'][0]['providerData']] == ['google.com']"
provider google.com
works authctl signin --provider google.com --param emulator_user=grace@example.com
works authctl status
out '^Waiting for link:  github.com/ada@example.com to .*: authctl signin google.com --login-hint ada@example.com --link-pending$'

