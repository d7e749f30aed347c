# Accounts are selected by alias, uid prefix or email address.
# Runs on both directories.

#: Every command that accepts an account also accepts its alias, until the alias is removed.
provider google.com
works authctl signin --provider google.com --json
uid=$(field "d['account']['uid']")
email=$(field "d['account']['email']")
works authctl accounts name work
err "the account's alias is work \($email\)"
works authctl whoami --json
json "d['account']['name'] == 'work' and d['account']['uid'] == '$uid'"
works authctl whoami
out "^account +work \($email\)$"
works authctl status
out '^google.com/work +(renews itself|valid for [0-9]+ min)( +default)?$'
works authctl accounts list
out "^[*] work \($email\) +$uid"
works authctl accounts list --json
json "[a['name'] for a in d['accounts']] == ['work']"
for name in work "$email" "$uid" "${uid:0:6}"; do
    works authctl token --account "$name"
    AUTHCTL_ACCOUNT=$name works authctl token --header
    works authctl status --account "$name"
    works authctl accounts show "$name"
    works authctl accounts switch "$name"
done
for name in wor "${uid:0:3}" work2 nobody@example.com; do
    exits 64 authctl token --account "$name"
    exits 64 authctl status --account "$name"
    err '.account-not-found.$'
    exits 64 authctl accounts switch "$name"
done
works authctl signout --account work
works authctl signin --provider google.com
err 'work'
works authctl accounts name home "${uid:0:8}"
exits 64 authctl accounts show work
works authctl accounts show home --json
json "d['account']['name'] == 'home'"
works authctl accounts name --remove home --json
json "d['account']['name'] is None"
exits 64 authctl accounts name --remove
err 'has no alias'
exits 64 authctl accounts show home

#: An alias belongs to one account, cannot look like an address or a uid, and is removed with its account.
provider google.com
several_accounts_per_email
works authctl signin --provider google.com --json
first=$(field "d['account']['uid']")
works authctl accounts name mine
for name in 'a b' ada@example.com -- '' -x .x "$(printf 'x%.0s' {1..65})" 'ä'; do exits 64 authctl accounts name -- "$name"; done
exits 64 authctl accounts name "$first"
err 'is already the uid of an account'
exits 64 authctl accounts name
exits 64 authctl accounts name --remove mine other
provider github.com
works authctl signin --provider github.com --json
second=$(field "d['account']['uid']")
[ "$first" != "$second" ] || fail "one account"
exits 64 authctl accounts name mine
err "'mine' is already the alias of"
err 'hint: .*authctl accounts name mine --remove'
works authctl accounts name other
works authctl accounts list
out '^[*] other '
out '^  mine '
works authctl accounts delete other --yes
works authctl accounts name other mine
works authctl accounts show other --json
json "d['account']['uid'] == '$first'"

#: The name of an account is not a provider's: the hint signs in to the account.
signed_in
works authctl accounts name work
exits 78 authctl signin work
err "'work' is an account, not a provider"
err 'hint: authctl signin oidc.test --login-hint ada@example.com$'

#: Reports an ambiguous uid prefix with the accounts that it matches.
# Local directory only: a project chooses its uids.
provider google.com
works authctl signin --provider google.com
works authctl accounts export
python3 - <<'P'
import json
d = json.load(open('stdout'))
one = d['accounts'][0]
for n in 1, 2:
    one['uid'] = f'sameuid{n}' + 20 * '0'
    one['name'] = 'copy' if n == 1 else 'google work'
    one['email'] = f'{n}@example.com'
    one['providerData'][0]['federatedId'] = f'{n}'
    json.dump(d, open(f'export.{n}', 'w'))
P
for n in 1 2; do works authctl accounts import export.$n; done
exits 64 authctl accounts show sameuid
err "'sameuid' could be sameuid10{20} \(copy\) or sameuid20{20} \(2@example.com\)"
exits 64 authctl status --account same
works authctl accounts show sameuid2
works authctl accounts show copy --json
json "d['account']['uid'] == 'sameuid1' + 20 * '0'"
# An existing alias wins over a uid prefix.
works authctl accounts name same
works authctl accounts show same --json
json "d['account']['uid'] not in ('sameuid1' + 20 * '0', 'sameuid2' + 20 * '0')"
works authctl reauth
works authctl accounts export
json "sorted(a.get('name', '') for a in d['accounts']) == ['', 'copy', 'same']"

#: The address of a linked identity selects the account, unless it is the address of another account.
provider google.com
works authctl signin --provider google.com
provider github.com
works authctl link --provider github.com --param emulator_user=grace@example.com
works authctl whoami --account grace@example.com --field account.email
out '^ada@example.com$'
provider google.com
works authctl signin --provider google.com --param emulator_user=grace@example.com
works authctl whoami --account grace@example.com --field account.email
out '^grace@example.com$'
exits 64 authctl whoami --account linus@example.com
err 'no account on this machine matches'

#: An account that gets an alias while a pager has not read the list yet is listed with it.
# Local directory only: it is imported.
python3 - >export <<'P'
import json
print(json.dumps({"version": 1, "accounts": [
    {"uid": f"user{number:04}", "email": f"{number:04}{'x' * 240}@example.com", "createdAt": "2026-01-01T00:00:00Z",
     "providerData": [{"providerId": "google.com", "authority": "https://accounts.google.com", "federatedId": str(number)}]}
    for number in range(600)]}))
P
works authctl accounts import export
mkfifo list
authctl accounts list >list 2>list.err &
listing=$!
exec 7<list
read -r first <&7
works authctl accounts name late user0599
cat <&7 >rest
wait "$listing" || fail "$first … $(cat list.err)"
grep -q '^  late (0599x' rest || fail "no alias: $(tail -n 1 rest)"
