# Account commands.
# Runs on both directories.

#: A password creates an account, failures do not reveal whether an account exists, and a change requires re-authentication.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create --json <<<"correct horse battery"'
json "d['isNewUser'] and d['providerId'] == 'password' and d['account']['emailVerified'] is False"
json "d['credential'] == {'scopes': [], 'expiresAt': None, 'hasRefreshToken': False, 'hasIdToken': False, 'binding': 'bearer'}"
bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"another long phrase"' >stdout 2>stderr && fail "a taken address"
err 'email-already-in-use'
for email in ada@example.com nobody@example.com; do
    code=0
    bash -c "authctl signin --provider password --email $email --password-stdin <<<wrong" >stdout 2>stderr || code=$?
    [ $code = 65 ] || fail "exit $code"
    cp stderr answer.$email
done
cmp answer.ada@example.com answer.nobody@example.com || fail "the answers differ"
works authctl signout
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<"correct horse battery"'
older 301
bash -c 'authctl accounts set-password --password-stdin <<<"another long phrase"' >stdout 2>stderr && fail "no proof"
err 'requires-recent-login'
works bash -c 'authctl reauth --password-stdin <<<"correct horse battery"'
works bash -c 'authctl accounts set-password --password-stdin <<<"another long phrase"'
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<"another long phrase"'
bash -c 'authctl accounts set-password --password-stdin <<<"short"' >stdout 2>stderr && fail "weak"
# A project has its own password policy.
case $DIRECTORY in local) err 'fewer than 10 characters .weak-password' ;; *) err 'at least 6 characters .weak-password' ;; esac
! grep -rqE 'correct horse|another long|scrypt' "$HOME/.config/authctl" || fail "a password is kept"
exits 64 authctl signin --email x@example.com
exits 64 authctl signin --provider password --email no-address --create
exits 4 authctl signin --provider password --email ada@example.com
err 'interaction-required'
# On a terminal, passwords are hidden, and a new one is typed twice.
python3 "$ROOT/Tests/Servers/terminal.py" 'New password:=a third long phrase' 'Repeat the password:=a third long phrase' -- authctl accounts set-password >stdout || fail "$(cat stdout)"
! grep -q 'third long' stdout || fail "the password was shown"
python3 "$ROOT/Tests/Servers/terminal.py" 'Email:=ada@example.com' 'Password:=a third long phrase' -- authctl signin --provider password >stdout || fail "$(cat stdout)"

#: A password account in the local directory has no token.
# Local directory only: a project issues tokens for a password.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery"'
works authctl status --long
out '^password/ada@example.com +no expiry date'
exits 4 authctl token
err 'a sign-in by password does not provide tokens'
exits 4 authctl token --provider password
err 'a sign-in by password does not provide tokens'
err 'hint: .*: authctl link$'

#: A link does not authenticate the user of the account, and requires that the user is signed in to it.
# Local directory only: a project decides itself when its user last authenticated.
emulator
works authctl providers add oidc.own --issuer "$ISSUER" --client-id emulator-client
works authctl signin oidc.own
uid=$(authctl whoami --field account.uid)
emulator --user mallory@example.com
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
older 301
works authctl link oidc.other
exits 5 authctl unlink oidc.own
exits 5 authctl accounts delete --yes
works authctl reauth oidc.own
works authctl unlink oidc.other
# Within five minutes, a link changes nothing about that.
works authctl link oidc.other
works authctl unlink oidc.other
works authctl signout
exits 4 authctl link oidc.other --account "$uid"
err 'this account has no session on this machine .not-signed-in'
err "hint: authctl signin oidc.own --login-hint [^ ]+@example.com$"
exits 4 authctl status

#: After five wrong passwords, the next attempt fails with too-many-requests.
# The clock stands still: the waiting time does not pass while passwords are hashed.
frozen=(env FAKETIME_DONT_FAKE_MONOTONIC=1 faketime -f "$(date '+%F %T')")
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery"'
for _ in 1 2 3 4 5; do exits 65 "${frozen[@]}" bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<wrong'; done
exits 69 "${frozen[@]}" bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<wrong'
err 'too-many-requests'

#: A Google sign-in with the email of a password account is linked to it after a password sign-in.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create --json <<<"correct horse battery"'
uid=$(field "d['account']['uid']")
provider google.com
exits 6 authctl signin --provider google.com --json
failed "e['providers'] == ['password']"
exits 6 authctl signin --provider google.com
err 'hint: authctl link --pending$'
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --link-pending <<<"correct horse battery"'
works authctl signin --provider google.com --json
json "d['account']['uid'] == '$uid' and d['isNewUser'] is False"
works authctl accounts lookup ada@example.com --json
json "d['providers'] == ['password', 'google.com']"
works authctl unlink --provider password
exits 7 authctl unlink --provider google.com
err 'only sign-in method .* .operation-not-allowed'
exits 6 authctl unlink --provider password
err 'no-such-provider'
exits 6 authctl link --provider google.com
err 'provider-already-linked'
no_err 'hint: '

#: On a terminal, sign-in asks for the password of the existing account and links Google.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create --json <<<"correct horse battery"'
uid=$(field "d['account']['uid']")
works authctl signout
provider google.com
python3 "$ROOT/Tests/Servers/terminal.py" 'Sign in with password now to link it?=y' 'Password:=correct horse battery' -- authctl signin --provider google.com >stdout || fail "the offer: $(cat stdout)"
works authctl whoami --json
json "d['account']['uid'] == '$uid' and [p['providerId'] for p in d['account']['providerData']] == ['password', 'google.com']"

#: A pending credential is linked to its account, whichever is the current one.
provider google.com
provider github.com
works authctl signin --provider google.com
works authctl whoami --field account.uid
ada=$(cat stdout)
exits 6 authctl signin --provider github.com
works bash -c 'authctl signin --provider password --email bob@example.com --password-stdin --create <<<"correct horse battery"'
exits 6 authctl link --pending --account bob@example.com
err "identity not linked: the pending credential '[0-9a-f]+' is for another account \(user-mismatch\)"
if [ "$DIRECTORY" = local ]; then works authctl link --pending; else works authctl link --pending --account "$ada"; fi
works authctl accounts show "$ada" --json
json "[p['providerId'] for p in d['account']['providerData']] == ['google.com', 'github.com']"

#: If one account per email is off, sign-ins with the same email create separate accounts.
several_accounts_per_email
provider google.com
works authctl signin --provider google.com
provider github.com
works authctl signin --provider github.com --json
json "d['isNewUser']"
works authctl accounts list --json
json "len(d['accounts']) == 2"
exits 4 authctl accounts switch ada@example.com
err 'is ambiguous'

#: Looking up an address of several accounts prints the providers of all of them.
# Local directory only: a project that allows several accounts for an address does not find one by address.
several_accounts_per_email
works authctl profile list
out '^\* +default +one account per email: off'
provider google.com
works authctl signin --provider google.com
provider github.com
works authctl signin --provider github.com
works authctl accounts lookup ada@example.com --json
json "sorted(d['providers']) == ['github.com', 'google.com']"

#: Profiles have separate accounts, and one of them can be the default.
provider google.com
works authctl signin --provider google.com
exits 64 authctl profile use work
err "profile not found: 'work'; known: default .usage."
err '^authctl: hint: to create it: authctl profile use work --create$'
works authctl profile use work --create
works authctl profile use default
works authctl profile use work
exits 4 authctl whoami
exits 78 authctl signin --provider google.com
works authctl whoami --profile default
works env AUTHCTL_PROFILE=default authctl whoami
works authctl profile list --json
json "[(p['name'], p['current']) for p in d['profiles']] == [('default', False), ('work', True)]"
works authctl profile use default
works authctl whoami
exits 64 authctl profile use ../x
exits 64 authctl profile set

#: Commands report a profile that does not exist; commands that create data create it.
provider google.com
works authctl signin --provider google.com
for command in token whoami status 'request https://api.example.com/'; do
    exits 4 authctl $command --profile zzz
    err "profile 'zzz' is empty; known profiles: default"
    err '^authctl: hint: authctl profile list$'
done
AUTHCTL_PROFILE=zzz exits 78 authctl signin
err "no provider is configured; profile 'zzz', from AUTHCTL_PROFILE, is empty; known profiles: default"
works authctl accounts list --profile zzz
err "profile not found: 'zzz'; known: default"
works authctl providers list --profile zzz
err "profile not found: 'zzz'; known: default"
works authctl providers add google.com --base-url "$ISSUER" --client-id client-1 --profile zzz
exits 4 authctl whoami --profile zzz
no_err known
works authctl profile use zzz

#: An export requires recent authentication, and can be imported on another machine.
# Local directory only: a project has its own export.
provider google.com
works authctl signin --provider google.com
works authctl accounts export
cp stdout export
json "d['version'] == 1 and d['accounts'][0]['email'] == 'ada@example.com' and 'sessions' not in d['accounts'][0]"
works authctl accounts export --with-secrets
grep -q 'ya29\.' stdout || fail "no secrets"
older 301
exits 5 authctl accounts export
works authctl accounts export --reauth
export AUTHCTL_CONFIG_DIR=$PWD/other
works authctl accounts import export --json
json "d == {'imported': 1, 'existing': 0}"
works authctl accounts import export --json
json "d == {'imported': 0, 'existing': 1}"
works authctl accounts import export
err 'imported 0 accounts$'
err '1 already existed, and did not change$'
# The same identity with another uid, as after a sign-in on this machine.
sed 's/"uid":"[^"]*"/"uid":"uid-1"/' export >foreign
exits 65 authctl accounts import foreign
err "belongs to another account"
err 'hint: nothing was changed$'
works authctl accounts import foreign --profile other
works authctl accounts list
out 'ada@example.com'
exits 64 authctl accounts import no-such-file
provider google.com
# This emulator has another issuer, so the sign-in has another identity with the same email.
exits 6 authctl signin --provider google.com

#: A new address is not verified, even if the imported password was of a verified address.
# Local directory only: a project has its own export.
provider google.com
works authctl signin --provider google.com
printf 'a long right password' >password
authctl link --provider password --password-stdin <password >stdout 2>stderr || fail "no password"
works authctl accounts export --with-secrets
sed 's/"emailVerified":false/"emailVerified":true/g' stdout >export
works authctl accounts delete --yes
works authctl accounts import export
works authctl signin --provider google.com
works authctl accounts set-email new@example.com
works authctl signin --provider google.com --json
json "d['account']['email'] == 'new@example.com' and not d['account']['emailVerified']"

#: Status prints expired sessions and pending credentials first.
provider google.com --fault no-refresh-token --access-ttl 1
works authctl signin --provider google.com
next_second
next_second
# A project renews its session without the user.
[ "$DIRECTORY" = local ] && status='exits 4' || status=works
$status authctl status
out '^google.com/ada@example.com +expired( +default)?$'
$status authctl status --long
out '^Sign in again:  authctl signin google.com$'
provider github.com
exits 6 authctl signin --provider github.com
$status authctl status
out '^Waiting for link:  github.com/ada@example.com to (google.com|firebase), until [0-9]{2}:[0-9]{2}: authctl link --pending$'
works authctl pending list
out 'github.com +ada@example.com +[0-9]+ min left +authctl link --pending'
# The command is for the account of the conflict, whichever is the current one.
works authctl signin --provider google.com --param emulator_user=grace@example.com
works authctl pending list
[ "$DIRECTORY" != local ] || out '  authctl link --pending [0-9a-f]{12}$'
works authctl pending discard
works authctl pending list
[ ! -s stdout ] || fail "still there"
exits 65 authctl pending discard nothing

#: --account selects an account for one command without making it current.
provider google.com
works authctl signin --provider google.com
works authctl signin --provider google.com --param emulator_user=grace@example.com
works authctl whoami --account ada@example.com --json
json "d['account']['email'] == 'ada@example.com'"
works authctl whoami --json
json "d['account']['email'] == 'grace@example.com'"
provider github.com --user linus@example.com
works authctl link --provider github.com --account ada@example.com --json
json "d['account']['email'] == 'ada@example.com' and len(d['account']['providerData']) == 2"
works authctl whoami --json
json "d['account']['email'] == 'grace@example.com' and len(d['account']['providerData']) == 1"
works authctl accounts set-email ada@new.example --account ada@example.com
works authctl accounts show ada@new.example
exits 6 authctl accounts set-email grace@example.com --account ada@new.example
err 'email-already-in-use'
exits 64 authctl accounts set-email nonsense

#: A sign-in without the email scope keeps the known address, and whether it is verified.
emulator
works authctl providers add oidc.company --issuer "$ISSUER" --client-id emulator-client --trust-email
works authctl signin --provider oidc.company --json
json "d['account']['email'] == 'ada@example.com' and d['account']['emailVerified']"
works authctl providers set oidc.company --scope openid
works authctl signin --provider oidc.company --json
json "d['account']['email'] == 'ada@example.com' and d['account']['emailVerified']"
json "d['account']['providerData'][0]['email'] == 'ada@example.com'"
