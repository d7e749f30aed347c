# A user with a Google account signs in with GitHub, which has the same address, and links the two.
# Runs on both directories.
provider google.com
works authctl signin --provider google.com --json
uid=$(field "d['account']['uid']")
works authctl signout
provider github.com

exits 6 authctl signin --provider github.com
err "'ada@example.com' already signs in with 'google.com' .account-exists-with-different-credential"
err "hint: authctl signin google.com --login-hint ada@example.com --link-pending$"
exits 6 authctl signin --provider github.com --json
failed "e['code'] == 'account-exists-with-different-credential' and e['email'] == 'ada@example.com' and e['providers'] == ['google.com'] and e['pendingId']"
failed "e['hint'] == 'authctl signin google.com --login-hint ada@example.com --link-pending'"
works authctl pending list --json
json "len(d['pending']) == 1 and d['pending'][0]['providerId'] == 'github.com' and d['pending'][0]['reason'] == 'account-exists-with-different-credential'"
cp stdout listed
works authctl link --list --json
cmp stdout listed || fail "link --list and pending list differ"
works authctl link --discard --json
json "len(d['discarded']) == 1"
works authctl link --list
err 'no credential is pending'
exits 64 authctl link --list github.com
exits 6 authctl signin --provider github.com
works authctl accounts lookup ada@example.com --json
json "d == {'email': 'ada@example.com', 'registered': True, 'providers': ['google.com']}"

# In two commands; the second one does not contact GitHub.
works authctl signin --provider google.com
works authctl link --pending --json
json "d['operation'] == 'link' and d['account']['uid'] == '$uid'"
works authctl signin --provider github.com --json
json "d['account']['uid'] == '$uid' and d['isNewUser'] is False"

# In one command.
works authctl unlink --provider github.com
exits 6 authctl signin --provider github.com
err 'hint: authctl link --pending$'
works authctl signin --provider google.com --link-pending
works authctl whoami --json
json "[p['providerId'] for p in d['account']['providerData']] == ['google.com', 'github.com']"
works authctl accounts lookup ada@example.com
[ "$(cat stdout)" = "$(printf 'google.com\ngithub.com')" ] || fail "lookup"

# On a terminal, sign-in offers it immediately.
works authctl unlink --provider github.com
works authctl signout
python3 "$ROOT/Tests/Servers/terminal.py" "Sign in to google.com now to link it?=y" -- authctl signin --provider github.com >stdout || fail "the offer: $(cat stdout)"
works authctl whoami --json
json "d['account']['uid'] == '$uid' and len(d['account']['providerData']) == 2"
