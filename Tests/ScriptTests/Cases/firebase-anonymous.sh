# Anonymous accounts of a Firebase project, until an identity is linked.
[ "$DIRECTORY" = firebase ] || firebase

google() { emulator --as google.com --client-id client-1 --client-secret client-secret-1; }

#: An anonymous account keeps its uid when a provider is linked.
works authctl signin --provider anonymous --json
json "d['isNewUser'] and d['providerId'] == 'anonymous' and d['account']['isAnonymous'] and d['account']['email'] is None"
uid=$(field "d['account']['uid']")
works authctl token
python3 - <<'P'
import base64, json
claims = json.loads(base64.urlsafe_b64decode(open("stdout").read().split(".")[1] + "=="))
assert claims["firebase"]["sign_in_provider"] == "anonymous", claims
P
works authctl token --force-refresh
# A second anonymous sign-in returns the same account.
works authctl signin --provider anonymous --json
json "d['account']['uid'] == '$uid' and not d['isNewUser']"
works authctl whoami
out '^kind +anonymous'
works authctl whoami --json
json "d['account']['isAnonymous']"
works authctl accounts list
out "$uid +anonymous$"
works authctl status --long
out "^    account +$uid$"
out '^    signed in  .*by anonymous'
works authctl accounts set-name 'Somebody'
works authctl accounts reload --json
json "d['account']['isAnonymous'] and d['account']['displayName'] == 'Somebody'"
google
works authctl link --provider google.com --json
json "d['account']['uid'] == '$uid' and [p['providerId'] for p in d['account']['providerData']] == ['google.com']"
json "not d['account']['isAnonymous']"
works authctl whoami
no_out 'anonymous'
works authctl token
works authctl signout
works authctl signin --provider google.com --json
json "d['account']['uid'] == '$uid' and not d['isNewUser']"

#: Twelve parallel anonymous sign-ins create one account.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery"'
processes=()
for i in $(seq 12); do
    authctl signin --provider anonymous --json >"out.$i" 2>"err.$i" </dev/null &
    processes+=("$!")
done
for i in $(seq 12); do
    wait "${processes[i - 1]}" || fail "process $i: $(cat "err.$i")"
    record_files "out.$i" "err.$i" authctl signin --json
done
python3 - <<'P'
import json
results = [json.load(open(f"out.{i}")) for i in range(1, 13)]
assert len({r["account"]["uid"] for r in results}) == 1, results
assert [r["isNewUser"] for r in results].count(True) == 1, results
P
works authctl accounts list --json
json "len(d['accounts']) == 2"

#: Links a password with an unused address.
works authctl signin --provider anonymous --json
uid=$(field "d['account']['uid']")
exits 64 authctl link --provider password --password-stdin --no-input
err '--email is required'
exits 7 bash -c 'authctl link --provider password --email ada@example.com --password-stdin <<<"short"'
works authctl whoami --json
json "d['account']['isAnonymous']"
# The user of an anonymous account cannot re-authenticate.
older 301
works bash -c 'authctl link --provider password --email ada@example.com --password-stdin --json <<<"correct horse battery"'
json "d['operation'] == 'link' and d['account']['uid'] == '$uid' and d['account']['email'] == 'ada@example.com'"
exits 6 bash -c 'authctl link --provider password --password-stdin <<<"correct horse battery"'
err 'provider-already-linked'
works authctl token
works authctl signout
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --json <<<"correct horse battery"'
json "d['account']['uid'] == '$uid'"
works authctl signin --provider anonymous --json
other=$(field "d['account']['uid']")
[ "$other" != "$uid" ] || fail "somebody's account was taken for nobody's"
exits 6 bash -c 'authctl link --provider password --email ada@example.com --password-stdin <<<"another long phrase"'
err 'email-already-in-use'
works authctl whoami --json
json "d['account']['uid'] == '$other' and d['account']['isAnonymous']"
exits 64 authctl link --provider google.com --email ada@example.com

#: Links an email link to an anonymous account.
works authctl signin --provider anonymous --json
uid=$(field "d['account']['uid']")
exits 64 authctl link --provider emailLink --begin
err '--email is required'
works authctl link --provider emailLink --email lin@example.com --begin
err 'authctl link emailLink --email lin@example.com --code -'
curl -sS "http://$FIREBASE_AUTH_EMULATOR_HOST/emulator/v1/projects/demo-project/oobCodes" | python3 -c "import json,sys; print(json.load(sys.stdin)['oobCodes'][-1]['oobLink'])" >link
works bash -c 'authctl link --provider emailLink --email lin@example.com --code - --json <link'
json "d['operation'] == 'link' and d['account']['uid'] == '$uid' and d['account']['email'] == 'lin@example.com'"
works authctl whoami --json
json "not d['account']['isAnonymous']"

#: Linking an identity of another account fails, and the anonymous account stays current.
google
works authctl signin --provider google.com --json
known=$(field "d['account']['uid']")
works authctl signin --provider anonymous --json
uid=$(field "d['account']['uid']")
exits 6 authctl link --provider google.com
err 'credential-already-in-use'
works authctl whoami --json
json "d['account']['uid'] == '$uid' and d['account']['isAnonymous']"
works authctl signin --pending --json
json "d['account']['uid'] == '$known'"

#: Signing out of an anonymous account is final and requires --yes.
works authctl signin --provider anonymous --json
uid=$(field "d['account']['uid']")
exits 64 authctl signout
err "the anonymous account $uid cannot be recovered afterwards; pass --yes to confirm"
err "hint: .*authctl link password --account $uid --email ADDRESS"
exits 64 authctl signout --all --no-input
exits 64 authctl accounts delete --here
err "the anonymous account $uid .*cannot be recovered afterwards; pass --yes to confirm"
works authctl token
exits 2 python3 "$ROOT/Tests/Servers/terminal.py" '[y/N]=n' -- authctl signout
out 'Sign out anyway\?'
works authctl token
works authctl signout --yes
works authctl accounts list --json
json "d == {'accounts': []}"
works authctl signin --provider anonymous
works python3 "$ROOT/Tests/Servers/terminal.py" '[y/N]=y' -- authctl signout
exits 4 authctl token

#: An anonymous account cannot re-authenticate, and can be deleted without it.
works authctl signin --provider anonymous --json
uid=$(field "d['account']['uid']")
exits 7 authctl reauth
err 'an anonymous account cannot re-authenticate'
err "authctl link password; to remove it from this machine only: authctl accounts delete $uid --here --yes"
older 301
exits 7 authctl accounts set-email ada@example.com
err 'an anonymous account cannot re-authenticate'
works bash -c 'authctl signin --provider anonymous && authctl token'
exits 7 bash -c 'authctl accounts set-password --password-stdin <<<"correct horse battery"'
err 'an anonymous account cannot re-authenticate|authctl link password'
works authctl accounts delete --yes
works authctl accounts list --json
json "d == {'accounts': []}"

#: Reports that the project does not allow anonymous accounts, or that the local directory does not support them.
kill "${servers[0]}"
rm firebase.url
FIREBASE_FLAGS="--fault anonymous-off" firebase
exits 7 authctl signin --provider anonymous
err 'admin-restricted-operation'
works authctl profile set --directory local
exits 7 authctl signin --provider anonymous
err 'this requires a Firebase project'
exits 64 authctl signin --provider anonymous --id-token /dev/null

#: On the local directory, links a password to an account without one after re-authentication.
works authctl profile set --directory local
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test --json
address=$(field "d['account']['email']")
exits 7 bash -c 'authctl link --provider password --email other@example.com --password-stdin <<<"correct horse battery"'
err "this account's address is '$address'"
older 301
exits 5 bash -c 'authctl link --provider password --password-stdin <<<"correct horse battery"'
works authctl reauth
works bash -c 'authctl link --provider password --password-stdin --json <<<"correct horse battery"'
json "[p['providerId'] for p in d['account']['providerData']] == ['oidc.test', 'password']"
