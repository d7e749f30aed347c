# The first sign-in: the ways that need no registration, and what is asked.
. "$ROOT/Tests/ScriptTests/setup.sh"
. "$ROOT/Tests/ScriptTests/documents.sh"

# token [QUERY]: a new personal access token, in the variable token.
token() { token=$(curl -sSf "$EMULATOR_URL/emulator/personal-token?${1:-}"); }

# keys ANSWER…: how many keys the answers to questions are, without pasted values.
keys() { printf '%s\n' "$@" | wc -c; }

#: One command and two answers lead from nothing to a token of GitHub, and nothing is asked after it.
play github.com
token 'expires-in=8000000'
person 0 'Choose [1]: =' 'Token (not shown): ='"$token" -- authctl signin github.com
out '^How do you want to sign in to github.com[?]'
out '^  1  paste a personal access token'
out '^  2  register an OAuth app of your own [(]3 minutes; for teams[)]'
out "^Create a token on this page. Also tick 'repo' for private repositories."
out '^https://github.com/settings/tokens/new[?]description=authctl&scopes=user:email.$'
out '^Press Enter to open the page'
out "^Signed in to github.com as ada. The token is valid until [0-9]+ [A-Z][a-z][a-z] 20[0-9][0-9][.].$"
out '^Tokens are stored encrypted; the key is in ~/.config/authctl/key.'
out '^Next: authctl token github.com     For git: authctl use git'
no_out 'authctl: '
no_out "$token"
works authctl token github.com
[ "$(cat stdout)" = "$token" ] || fail "another token"
works authctl signout
token
person 0 'Choose [1]: =1' 'Token (not shown): ='"$token" -- authctl signin github.com
out 'as ada. The token has no expiry date'
no_out 'the key is in'

#: A wrong token is asked for again, Enter opens the page, and --scope repo selects the scope on it.
play github.com
token
echo ghp_wrong-0000000000000000000000000000 >>secrets
printf '#!/bin/sh\necho "$1" >>%s/opened\n' "$PWD" >browser && chmod +x browser
BROWSER=$PWD/browser person 0 'Choose [1]: =1' 'Token (not shown): =' 'Token (not shown): =ghp_wrong-0000000000000000000000000000' \
    'GitHub does not accept this token. Paste another token:' 'Token (not shown): =ghs_of-an-installation' 'Paste another token:' \
    'Token (not shown): ='"$token" -- authctl signin github.com --scope repo
no_out 'Also tick'
awaits opened 'settings/tokens/new[?]description=authctl&scopes=user:email,repo$' >/dev/null
[ "$(wc -l <opened)" = 1 ] || fail "opened more than once"
SSH_CONNECTION=x BROWSER= person 2 'Choose [1]: =1' 'Token (not shown): =^D' -- authctl signin github.com
no_out 'Press Enter'
no_out 'hint: '

#: If the provider cannot be reached, Enter tries again with the same token or client ID.
. "$ROOT/Tests/ScriptTests/terminal.sh"
play github.com --client-id Iv1
token
mv "$hidden/places" "$hidden/no-places" && : >"$hidden/places"
terminal 80 24 'authctl signin github.com'
shows '^Choose \[1\]: $'
shows '^  1  paste a personal access token$'
shows '^  2  register an OAuth app of your own [(]3 minutes; for teams[)]$'
types 1
shows '^Token [(]not shown[)]: $'
types "$token"
shows '^Cannot reach github.com. Press Enter to try again[.]'
cp "$hidden/no-places" "$hidden/places"
presses Enter
shows '^Signed in to github.com as ada'
shows 'ended with 0'
: >"$hidden/places"
works authctl signout
terminal 80 24 'authctl signin github.com'
shows '^Choose'
types 2
shows '^Client ID: $'
types Iv1
shows '^Cannot reach github.com. Press Enter to try again[.]'
cp "$hidden/no-places" "$hidden/places"
presses Enter
shows 'Signed in to|signed in to'
shows 'ended with 0'

#: An app of one's own: three questions, at most 13 keys besides what is pasted; the table fits 24 lines.
play github.com --client-id client-1
answers=('Choose [1]: =2' 'Client ID: =client-1')
[ ${#answers[@]} -le 3 ] && [ "$(keys 2 '')" -le 13 ] || fail "too much to type"
person 0 "${answers[@]}" -- authctl signin github.com
out '^Register an OAuth app at GitHub, with exactly these values:'
out '^https://github.com/settings/applications/new.$'
out '^  Application name            authctl'
out '^  Homepage URL                http://127.0.0.1'
out '^  Authorization callback URL  http://127.0.0.1/callback/github.com'
out '^  Enable Device Flow          tick it'
no_out 'Token expiration|\[y/N\]|\[Y/n\]'
out '^Sign in to github.com on any device:'
out '^Next: authctl token github.com'
works authctl token
works authctl signout
person 0 -- authctl signin github.com
no_out 'How do you want'

#: A flow with a redirect requires the client secret of GitHub, which is asked for only then.
play github.com --client-id client-1 --client-secret client-secret-1
person 2 'Client ID: =client-1' 'Client secret, hidden: =' 'the input is empty' 'Client secret, hidden: =^D' -- authctl signin github.com --flow browser
nothing
person 0 'Client ID: =client-1' 'Client secret, hidden: =client-secret-1' -- authctl signin github.com --flow browser
out '^Signed in to github.com as ada'
no_out 'client-secret-1'
works authctl providers show github.com --json
json "d['clientSecret'] == 'encrypted in the store'"
works authctl signout
works authctl providers remove github.com
person 0 'Client ID: =client-1' -- authctl signin github.com --flow device
no_out 'Client secret'

#: The token of gh is copied after the answer; signing out does not sign gh out, and --revoke is refused.
play github.com --client-id client-1
AUTHCTL_CONFIG_DIR=$PWD/other works authctl providers add github.com --client-id client-1
AUTHCTL_CONFIG_DIR=$PWD/other works authctl signin --provider github.com
AUTHCTL_CONFIG_DIR=$PWD/other works authctl token
token=$(cat stdout)
[[ $token = gho_* ]] || fail "not a token of an app"
mkdir -p bin "$HOME/.config/gh"
cat >"$HOME/.config/gh/hosts.yml" <<E
github.com:
    users:
        ada:
        grace:
    git_protocol: https
    user: ada
E
printf '#!/bin/sh\necho "$*" >>%s/calls\ncat %s/gh-token\n' "$PWD" "$PWD" >bin/gh && chmod +x bin/gh
export PATH=$PWD/bin:$PATH
person 2 'Choose [1]: =^D' -- authctl signin github.com
[ ! -e calls ] || fail "gh ran before the answer"
echo "$token" >gh-token
person 0 'Choose [1]: =' -- authctl signin github.com
out '^  1  use the token of gh, which is signed in as ada'
out '^  3  register'
out '^Signed in to github.com as ada. The token has no expiry date'
out '^Signing out here does not sign gh out.'
[ "$(cat calls)" = 'auth token --hostname github.com --user ada' ] || fail "$(cat calls)"
works authctl token github.com
[ "$(cat stdout)" = "$token" ]
works authctl status --json
json "d['accounts'][0]['sessions'][0]['source'] == 'gh'"
exits 7 authctl signout --revoke
err "the token of 'github.com' is the token of gh: revoking it would sign gh out"
err 'hint: without revoking it: authctl signout --provider github.com$'
works authctl token github.com
# If GitHub rejects the copy, gh is asked once more for the same user's token.
AUTHCTL_CONFIG_DIR=$PWD/other works authctl signin --provider github.com
AUTHCTL_CONFIG_DIR=$PWD/other works authctl token
cp stdout new-token
curl -sSf -X POST -H 'Content-Type: application/json' -d "{\"credentials\": [\"$token\"]}" "$EMULATOR_URL/credentials/revoke" >/dev/null
printf 'protocol=https\nhost=github.com\nusername=x-access-token\npassword=%s\n\n' "$token" >rejected
asked=$(requests user "$EMULATOR_URL")
authctl credential git erase <rejected
[ "$(requests user "$EMULATOR_URL")" = $((asked + 1)) ] || fail "GitHub was asked twice about one token"
exits 4 authctl token github.com
cp new-token gh-token
authctl credential git erase <rejected
works authctl token github.com
cmp stdout gh-token
[ "$(wc -l <calls)" = 3 ] || fail "gh ran $(wc -l <calls) times"
rm bin/gh
works authctl signout
no_err 'to delete it'
printf '#!/bin/sh\necho x >>%s/calls\necho gho_rejected-by-github-00000000000000\n' "$PWD" >bin/gh && chmod +x bin/gh
: >calls
token
person 0 'Choose [1]: =' 'GitHub does not accept the token of gh.' 'Token (not shown): ='"$token" -- authctl signin github.com
[ "$(wc -l <calls)" = 2 ] || fail "gh did not run once more"

#: With an option of OAuth, and for providers without personal tokens, nothing is asked about the way.
play github.com --client-id client-1
person 0 'Client ID: =client-1' -- authctl signin github.com --flow device
no_out 'How do you want'
person 2 'Client ID: =^D' -- authctl signin google.com
out '^Register a client at Google, with exactly these values:'
no_out 'How do you want'

#: An OpenID Provider by its URL: one question, for the name; the second time, nothing is asked.
emulator
port=$(free_port)
person 0 'You will type it in commands: authctl token local' 'Name for this provider [local]: =work' \
    -- authctl signin "$ISSUER" --port "$port"
out "^Sign in to work in your browser"
out '^Next: authctl token work'
works authctl token work
person 0 -- authctl signin "$ISSUER" --port "$port"
no_out 'Name for|already configured'
exits 78 authctl signin "$ISSUER/api"

#: signin alone asks for a provider if none is configured; a misspelled name is an error.
play github.com
person 2 'Which provider?' 'an issuer=gihub.com' 'did you mean' 'an issuer=99' 'from 1 to' 'an issuer=github.com' 'How do you want' 'Choose [1]: =^D' -- authctl signin
nothing
person 78 -- authctl signin githb.com
out "did you mean 'github.com'"
[ ! -e "$config/config.yaml" ] || fail "configured"

#: signin alone offers the configured providers, if there are several, and another one.
play github.com --client-id client-1
emulator --user grace@example.com
port=$(free_port)
works authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client --redirect-uri "http://127.0.0.1:$port/callback"
person 0 -- authctl signin
no_out 'Which provider'
works authctl providers add oidc.home --issuer "$ISSUER" --client-id emulator-client
person 0 'Which provider?' '  1  oidc.work' '  2  oidc.home' '  3  another provider' 'or service: =1' -- authctl signin
out '^Sign in to work'
person 2 'or service: =3' 'an issuer=github.com' 'How do you want' 'Choose [1]: =^D' -- authctl signin
works authctl providers add github.com --client-id client-1
person 0 '  4  another provider' 'or service: =github.com' -- authctl signin
out '[Ss]igned in to github.com as ada'
no_out 'How do you want|already configured'

#: Before the first question, reports a home that cannot be written; without a terminal nothing is asked.
chmod 500 "$HOME"
plain=()
[ "$(id -u)" != 0 ] || plain=(setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search)
code=0; "${plain[@]}" python3 "$ROOT/Tests/Servers/terminal.py" -- authctl signin github.com >stdout || code=$?
[ $code = 74 ] || fail "exit $code"
no_out 'How do you want'
chmod 700 "$HOME"
exits 78 authctl signin github.com
person 4 -- authctl signin github.com --no-input
out 'hint: authctl signin github.com --with-token'
CI=1 person 4 -- authctl signin github.com
out 'hint: authctl signin github.com --with-token'
no_out 'How do you want'
[ ! -e "$config/config.yaml" ] || fail "configured"
