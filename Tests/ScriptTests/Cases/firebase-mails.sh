# Emails of a Firebase project: links that reset a password, verify an address or sign in.
. "$ROOT/Tests/ScriptTests/terminal.sh"
FIREBASE_FLAGS="--mails $PWD/mails"
[ "$DIRECTORY" = firebase ] || firebase

# mailed KIND: the link of the last mail of this kind, in the file link, and its code in the file code.
mailed() {
    python3 - "$1" <<'P'
import json, sys
mail = [m for m in map(json.loads, open("mails")) if m["requestType"] == sys.argv[1]][-1]
print(mail["oobLink"], file=open("link", "w"))
print(mail["oobCode"], file=open("code", "w"))
P
}

# again FLAGS…: restarts the project with these flags and without accounts.
again() {
    kill "${servers[0]}"
    wait "${servers[0]}" || true
    rm firebase.url
    FIREBASE_FLAGS="--mails $PWD/mails $*" firebase
    servers=("${servers[-1]}")
}

created() { works bash -c "authctl signin --provider password --email $1 --password-stdin --create <<<'correct horse battery'"; }

#: After a reset, which removes the account's other providers, the hint is the password, not one of them.
provider github.com
created grace@example.com
works authctl link github.com
works authctl accounts reset-password grace@example.com
mailed PASSWORD_RESET
works bash -c 'authctl accounts reset-password grace@example.com --code code --password-stdin <<<"another long phrase"'
err 'authctl signin password --email grace@example.com$'
exits 4 authctl token
err 'hint: authctl signin password --email grace@example.com$'
works authctl accounts list
out 'grace@example.com .* password$'
works bash -c 'authctl signin --provider password --email grace@example.com --password-stdin <<<"another long phrase"'
works authctl token

#: Resets a password in two steps with the email's link or code, once, and ends the local session.
created ada@example.com
works authctl accounts reset-password ada@example.com --json
json "d == {'sentTo': 'ada@example.com', 'email': None, 'sessionEnded': None}"
err 'authctl accounts reset-password ada@example.com --code - --password-stdin$'
mailed PASSWORD_RESET
works bash -c '{ cat link; echo "another long phrase"; } | authctl accounts reset-password ada@example.com --code - --password-stdin --json'
json "d == {'sentTo': None, 'email': 'ada@example.com', 'sessionEnded': True}"
err 'authctl signin password --email ada@example.com$'
exits 4 authctl token
exits 65 bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<"correct horse battery"'
err 'if you forgot the password: authctl accounts reset-password ADDRESS$'
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<"another long phrase"'
works authctl whoami --json
json "d['account']['emailVerified']"
exits 65 bash -c '{ cat code; echo "another long phrase"; } | authctl accounts reset-password ada@example.com --code - --password-stdin'
err 'invalid-action-code'
works authctl accounts reset-password ada@example.com
mailed PASSWORD_RESET
works bash -c 'authctl accounts reset-password ada@example.com --code code --password-stdin <<<"a third long phrase" --json'
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<"a third long phrase"'

#: Explains why a link or a weak password is refused; the link stays valid.
created ada@example.com
created grace@example.com
works authctl accounts verify-email
mailed VERIFY_EMAIL
exits 65 authctl accounts reset-password grace@example.com --code link --password-stdin
err 'a link that does not reset a password'
works authctl accounts reset-password grace@example.com
mailed PASSWORD_RESET
exits 65 bash -c 'authctl accounts reset-password ada@example.com --code code --password-stdin <<<"another long phrase"'
err "it is for 'grace@example.com'"
exits 65 authctl accounts verify-email --code link
exits 65 bash -c 'echo https://example.com/ | authctl accounts reset-password grace@example.com --code - --password-stdin'
err 'neither a link from the project.s email nor a code'
exits 7 bash -c 'authctl accounts reset-password grace@example.com --code link --password-stdin <<<short'
err 'weak-password'
works bash -c 'authctl accounts reset-password grace@example.com --code link --password-stdin <<<"another long phrase"'
exits 64 authctl accounts reset-password grace@example.com --password-stdin
exits 64 authctl accounts reset-password nobody

#: Reports an unknown address, unless the project has email enumeration protection.
exits 65 authctl accounts reset-password nobody@example.com
err 'user-not-found'
again --fault email-protection
works authctl accounts reset-password nobody@example.com
err 'if an account has that address'

#: Reports the project's rate limit and expired links; the local directory does not send email.
again --fault mail-limit
created ada@example.com
exits 69 authctl accounts reset-password ada@example.com
err 'too-many-requests'
exits 69 authctl accounts verify-email
again --code-ttl 0
created ada@example.com
works authctl accounts reset-password ada@example.com
mailed PASSWORD_RESET
exits 65 authctl accounts reset-password ada@example.com --code link --password-stdin
err 'expired-action-code'
exits 7 authctl accounts reset-password ada@example.com --profile at-home
err 'this requires a Firebase project'

#: Verifies an address with the email's link; the next token has email_verified.
created ada@example.com
works authctl accounts verify-email --json
json "d == {'sentTo': 'ada@example.com', 'account': None}"
mailed VERIFY_EMAIL
works bash -c 'authctl accounts verify-email --code - --json <link'
json "d['account']['emailVerified']"
works authctl whoami --json
json "d['claims']['email_verified'] and d['account']['emailVerified']"
works authctl accounts verify-email
err "the address 'ada@example.com' is verified"
[ "$(wc -l <mails)" = 1 ] || fail "another mail was sent"

#: On a terminal, asks for the hidden link, again if it is invalid, and twice for the new password.
created ada@example.com
works authctl signout
terminal 100 24 "authctl accounts reset-password ada@example.com"
shows 'Link from the email'
types 'https://example.com/?oobCode='
shows 'Invalid input: neither a link'
types abcdef
shows 'Invalid input: the code is invalid'
mailed PASSWORD_RESET
types "$(cat link)"
shows 'New password:'
types 'another long phrase'
shows 'Repeat the password:'
types 'another long phrase'
shows "'ada@example.com' signs in with the new password"
shows 'ended with 0'
shows_not 'long phrase'
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<"another long phrase"'

#: An email link signs in once, in two steps, and also re-authenticates.
exits 4 authctl signin --provider emailLink --email ada@example.com
err 'authctl signin emailLink --email ada@example.com --begin'
[ ! -s mails ] || fail "a mail was sent"
works authctl signin --provider emailLink --email ada@example.com --begin
json "d['sentTo'] == 'ada@example.com' and d['id'] is None"
mailed EMAIL_SIGNIN
works bash -c 'authctl signin --provider emailLink --email ada@example.com --code - --json <link'
json "d['isNewUser'] and d['providerId'] == 'emailLink' and d['account']['emailVerified'] and d['operation'] == 'signIn'"
uid=$(field "d['account']['uid']")
works authctl token
works authctl status --long
out 'by emailLink'
works authctl accounts lookup ada@example.com
out '^emailLink$'
exits 65 bash -c 'authctl signin --provider emailLink --email ada@example.com --code - <link'
err 'invalid-action-code'
older 301
exits 5 authctl accounts delete --yes
exits 4 authctl reauth
err 'authctl reauth emailLink --begin'
works authctl reauth --begin
mailed EMAIL_SIGNIN
works authctl reauth --provider emailLink --code code --json
json "d['account']['uid'] == '$uid' and d['operation'] == 'reauthenticate'"
works authctl signin --provider emailLink --email ada@example.com --begin
mailed EMAIL_SIGNIN
works authctl signin --provider emailLink --email ada@example.com --code link --json
json "d['isNewUser'] is False and d['account']['uid'] == '$uid'"
works authctl signin --provider emailLink --email grace@example.com --begin
mailed EMAIL_SIGNIN
exits 64 authctl signin --provider emailLink --email ada@example.com --code link
err 'does not match'
exits 64 authctl signin --provider google.com --code link
exits 64 authctl signin --provider emailLink --begin
exits 64 authctl signin --provider emailLink --email ada@example.com --begin --code link
exits 64 authctl signin --provider emailLink --email ada@example.com --password-stdin
exits 7 authctl signin --provider emailLink --email ada@example.com --profile at-home --begin
err 'this requires a Firebase project'

#: An account can link its own address for email-link sign-in, but not another address.
emulator --as google.com --client-id client-1 --client-secret client-secret-1 --user ada@gmail.com
works authctl signin --provider google.com --json
uid=$(field "d['account']['uid']")
exits 4 authctl link --provider emailLink
exits 7 authctl link --provider emailLink --email other@gmail.com --begin
err "this account's address is 'ada@gmail.com'; it cannot sign in with another address"
works authctl link --provider emailLink --email Ada@Gmail.com --begin
json "d['sentTo'] == 'ada@gmail.com' and d['id'] is None"
mailed EMAIL_SIGNIN
works authctl link --provider emailLink --code link --json
json "d['account']['uid'] == '$uid' and d['operation'] == 'link'"
works authctl signout
works authctl signin --provider emailLink --email ada@gmail.com --begin
mailed EMAIL_SIGNIN
works authctl signin --provider emailLink --email ada@gmail.com --code link --json
json "d['account']['uid'] == '$uid' and d['isNewUser'] is False"

#: A conflict with an account that only uses email links is resolved by an email-link sign-in with --link-pending.
works authctl signin --provider emailLink --email ada@example.com --begin
mailed EMAIL_SIGNIN
works authctl signin --provider emailLink --email ada@example.com --code link --json
uid=$(field "d['account']['uid']")
works authctl signout
provider github.com
exits 6 authctl signin --provider github.com
err "'ada@example.com' already signs in with 'emailLink'"
err 'authctl signin emailLink --email ada@example.com --link-pending'
works authctl signin --provider emailLink --email ada@example.com --begin
mailed EMAIL_SIGNIN
works authctl signin --provider emailLink --email ada@example.com --code link --link-pending --json
json "d['account']['uid'] == '$uid' and d['providerId'] == 'github.com' and d['operation'] == 'link'"

#: On a terminal, asks for the hidden link and reports one that was sent for another purpose.
created ada@example.com
works authctl accounts verify-email
mailed VERIFY_EMAIL
terminal 100 24 "authctl signin --provider emailLink --email grace@example.com"
shows 'Link from the email'
types "$(cat link)"
shows 'Invalid input: a link from another kind of email'
mailed EMAIL_SIGNIN
types "$(cat link)"
shows '[Ss]igned in with an email link as grace@example.com'
shows 'ended with 0'
