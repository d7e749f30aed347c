# Sign in with Apple, re-authenticate, and link GitHub to the account with the user's consent.
# Runs on both directories.
. "$ROOT/Tests/ScriptTests/apple.sh"
apple
reverse_proxy
browser=$BROWSER

works authctl signin --provider apple.com --port "$port" --json
json "d['operation'] == 'signIn' and d['isNewUser'] and d['account']['displayName'] == 'Ada Example'"
uid=$(field "d['account']['uid']")

# An hour later, a sensitive operation requires re-authentication.
older 3600
exits 5 authctl accounts set-email new@example.com
err 'requires-recent-login'
works authctl reauth --provider apple.com --port "$port" --json
json "d['operation'] == 'reauthenticate' and d['account']['uid'] == '$uid' and d['isNewUser'] is False"
works authctl accounts set-email new@example.com

# Apple requires the user's consent before its identity is linked.
provider github.com --user grace@example.com
export BROWSER=$browser
exits 7 authctl link --provider github.com
err "'apple.com' requires the user's consent .consent-required"
# Also before a password is linked, and before it is asked for.
authctl link --provider password --password-stdin <<<'correct horse battery staple' >stdout 2>stderr && fail "no consent was enough" || [ $? = 7 ] || fail "exit"
err "'apple.com' requires the user's consent .consent-required"
works authctl link --provider github.com --consent --json
json "d['operation'] == 'link' and [p['providerId'] for p in d['account']['providerData']] == ['apple.com', 'github.com']"
works authctl signout

# Both providers sign in to the same account now.
works authctl signin --provider github.com --json
json "d['account']['uid'] == '$uid' and d['isNewUser'] is False and d['account']['email'] == 'new@example.com'"

# On a terminal, asks for consent.
works authctl unlink --provider github.com
works authctl signin --provider apple.com --port "$port"
python3 "$ROOT/Tests/Servers/terminal.py" 'Continue? [y/N]=n' -- authctl link --provider github.com >stdout && fail "no consent was enough"
grep -q "lets users hide their identity" stdout || fail "the question"
python3 "$ROOT/Tests/Servers/terminal.py" 'Continue? [y/N]=y' -- authctl link --provider github.com >stdout || fail "consent was not enough: $(cat stdout)"
