# Setup of GitHub, here at a base URL. It requires only a client ID.
. "$ROOT/Tests/ScriptTests/setup.sh"
emulator --as github.com --client-id client-1

#: Offers to open the page, asks for the client ID, checks it, and signs in by the device flow.
person 0 'Use it for git=n' 'Open the page in the browser? [Y/n]=' 'Client ID: =client-1' -- authctl setup github --base-url "$ISSUER"
out "page +$ISSUER/settings/applications/new"
out 'Application name +authctl'
out 'Authorization callback URL +http://127.0.0.1/callback/github.com'
out 'Enable Device Flow +tick it'
out 'Token expiration +on or off'
out "added provider 'github.com'"
out 'enter  [A-Z]{4}-[A-Z]{4}'
out "signed in to 'github.com' as ada@example.com, a new account"
out 'to get a token in a script: authctl token --provider github.com'
works authctl token
out '^gho_'
works authctl providers show github.com
out 'client ID +client-1'
out 'client secret +none'
works authctl providers check github.com
out '^ok +github.com +client +no secret: it uses the device flow'

#: One command, three questions and twenty keystrokes lead from nothing to a token and a git that can clone.
. "$ROOT/Tests/ScriptTests/documents.sh"
play github.com --client-id client-1
repositories project
resource git github.com/ada repos
export GIT_TERMINAL_PROMPT=0 GIT_CONFIG_GLOBAL=$PWD/gitconfig
code=0; git clone -q https://github.com/ada/project.git without 2>stderr || code=$?
[ $code != 0 ] || fail "the repository is public"
answers=('Use it for git at github.com too (scope repo)? [y/N] =y' 'Open the page=n' 'Client ID: =client-1')
[ ${#answers[@]} -le 3 ] || fail "too many questions"
keys=$(printf '%s\n' "${answers[@]##*=}" | wc -c)
[ "$keys" -le 20 ] || fail "$keys keystrokes"
person 0 "${answers[@]}" -- authctl setup github
out "signed in to 'github.com' as ada@example.com"
out 'git config --global: credential.https://github.com.helper = '
works authctl token
cat stdout >>"$hidden/accepted"
works git clone -q https://github.com/ada/project.git clone
cmp clone/file source/file
works authctl providers show github.com
out '^scopes +read:user user:email repo'

#: An app with expiring tokens requires no other setup: its tokens are refreshed.
emulator --as github.com --client-id client-1 --fault github-expiring
person 0 'Use it for git=n' 'Open the page=n' 'Client ID: =client-1' -- authctl setup github.com --base-url "$ISSUER"
works authctl token --force-refresh
out '^gho_'

#: A configuration without a secret uses the device flow, even if there is a browser.
works authctl providers add github.com --base-url "$ISSUER" --client-id client-1
err 'it uses the device flow'
works authctl signin
err 'enter  [A-Z]{4}-[A-Z]{4}'
works authctl status --long
out 'by device'
works authctl reauth
[ "$(requests authorize)" = 0 ] || fail "opened a browser"

#: Reports a client ID that GitHub does not know, asks again, and does not store it.
person 2 'Use it for git=n' 'Open the page=n' 'Client ID: =wrong' 'rejects this client' 'Client ID [wrong]: =also wrong' 'it has invalid characters' \
    'Client ID [wrong]: =' 'rejects this client' 'Client ID [wrong]: =^D' -- authctl setup github.com --base-url "$ISSUER"
out "'github.com' rejects this client: invalid_client: client_id is unknown"
out '\(user-cancelled\)'
out 'Check the client ID on that page'
no_out 'Enable the device flow on that page'
nothing
person 0 'Use it for git=n' 'Open the page=n' 'Client ID: =wrong' 'Client ID [wrong]: =client-1' -- authctl setup github.com --base-url "$ISSUER"
works authctl token
emulator --as github.com --client-id client-1 --fault device-refused
export AUTHCTL_CONFIG_DIR=$PWD/other config=$PWD/other
person 2 'Use it for git=n' 'Open the page=n' 'Client ID: =client-1' 'rejects this client: unauthorized_client' 'Enable the device flow on that page' 'Client ID [client-1]: =^D' \
    -- authctl setup github.com --base-url "$ISSUER"
nothing

#: Cancelling at any prompt stores nothing: Ctrl-D is exit 2, Ctrl-C is exit 130.
for key in 2=^D 130=^C; do
    person ${key%=*} "A number, a name=${key#*=}" -- authctl setup
    nothing
    person ${key%=*} 'Use it for git=n' "Open the page=${key#*=}" -- authctl setup github.com --base-url "$ISSUER"
    nothing
    person ${key%=*} 'Use it for git=n' 'Open the page=n' "Client ID: =${key#*=}" -- authctl setup github.com --base-url "$ISSUER"
    nothing
done
out 'authctl: cancelled'

#: There is no hint after Ctrl-D, and none after five invalid answers repeats the command line.
again="authctl setup github.com --base-url $ISSUER --no-signin"
person 2 'Open the page=n' 'Client ID: =^D' -- $again
no_out 'hint: '
wrong='Client ID: =not one'
person 64 'Open the page=n' "$wrong" "$wrong" "$wrong" "$wrong" "$wrong" -- $again
out 'error: setup failed: five answers were invalid: it has invalid characters for a client ID '
no_out "hint: $again"
nothing

#: If the sign-in fails, the provider stays configured, and the output shows how to continue.
emulator --as github.com --client-id client-1 --fault device-denied
person 7 'Use it for git=n' 'Open the page=n' 'Client ID: =client-1' -- authctl setup github.com --base-url "$ISSUER"
out "'github.com' is configured, but signing in failed: .*access_denied.*\(access-denied\)"
out 'hint: authctl signin --provider github.com'
works authctl providers show github.com
exits 4 authctl whoami

#: Keeps an existing configuration unchanged and offers to sign in.
works authctl providers add github.com --base-url "$ISSUER" --client-id client-1 --scope repo
cp "$config/config.yaml" before
person 0 'Sign in with it now? [Y/n]=n' -- authctl setup github.com
out "is already configured, as the client 'client-1', at '$ISSUER'; to change its settings: authctl providers set github.com --help"
person 0 'Sign in with it now? [Y/n]=' -- authctl setup github.com
out "signed in to 'github.com'"
cmp before "$config/config.yaml"
works authctl setup github.com
out "is already configured, as the client 'client-1'"
out '^  authctl signin --provider github.com$'

#: On a terminal, signin offers to configure a missing provider.
person 78 'Configure one now? [Y/n]=no' -- authctl signin
nothing
person 2 'Configure one now? [Y/n]=' 'Which provider?' 'a name, or an issuer=gihub.com' 'did you mean' 'a name, or an issuer=99' 'from 1 to' \
    'a name, or an issuer=15x' 'from 1 to' \
    'a name, or an issuer=http://127.0.0.1:1' 'Invalid input' 'a name, or an issuer=1' 'Open the page=n' 'Client ID: =^D' -- authctl signin
nothing
for flag in --no-input --json '--begin'; do
    code=0
    python3 "$ROOT/Tests/Servers/terminal.py" -- authctl signin --provider github.com $flag >stdout || code=$?
    [ $code = 78 ] || [ $code = 4 ] || fail "$flag: exit $code"
    no_out 'Configure it now'
done
person 78 'Configure it now? [Y/n]=n' -- authctl signin --provider github.com
out "'github.com' is not configured."
[ ! -e "$config/config.yaml" ]
CI=1 exits 78 authctl signin
err 'hint: authctl signin --ci auto$'

#: Reports a configuration that cannot be written before it asks for input.
mkdir -p "$config" && chmod 700 "$config"
code=0
(ulimit -f 0; exec python3 "$ROOT/Tests/Servers/terminal.py" -- authctl setup github.com --base-url "$ISSUER") | cat >stdout || code=$?
[ $code = 74 ] || fail "exit $code: $(cat stdout)"
out 'store-unavailable'
no_out 'Client ID'

#: In a profile with a Firebase project, setup is not required and not offered.
firebase
person 0 'Sign in with it now? [Y/n]=n' -- authctl setup google.com
out 'requires no setup: the Firebase project of this profile is its client'
person 2 'Which provider?' '> =^D' -- authctl signin
no_out 'Configure one now'
works authctl setup google.com
out "is already configured, by the profile's Firebase project"

#: In a non-interactive run, prints the page, the values and working commands.
works authctl setup github.com --base-url "$ISSUER"
out "^  page +$ISSUER/settings/applications/new$"
out '^  CLIENT_ID  Client ID$'
grep -E '^  authctl' stdout >commands
works authctl setup github.com --base-url "$ISSUER" --json
json "d['providerId'] == 'github.com' and d['page'] == '$ISSUER/settings/applications/new' and not d['isConfigured']"
json "{'label': 'Enable Device Flow', 'value': 'tick it'} in d['values'] and d['needs'] == [{'variable': 'CLIENT_ID', 'label': 'Client ID'}]"
field "'\n'.join('  ' + c for c in d['commands'])" | cmp - commands
nothing
works env CLIENT_ID=client-1 sh -e commands
works authctl token
works authctl setup
out 'authctl setup google.com'
works authctl setup --json
json "{p['providerId'] for p in d['providers']} >= {'github.com', 'apple.com'} and all(p['page'] for p in d['providers'])"
exits 78 authctl setup gihub.com

#: Refuses a two-step sign-in without a client secret, because GitHub requires it to redeem the code.
works authctl providers add github.com --base-url "$ISSUER" --client-id client-1
exits 78 authctl signin --provider github.com --begin
err 'configured without a client secret and uses the device flow'
err 'hint: omit --begin$'
[ "$(requests authorize)" = 0 ] || fail "a browser was sent off"

#: Offers to link a second provider whose email address belongs to an existing account.
github=$ISSUER
provider google.com
works authctl signin --provider google.com --json
uid=$(field "d['account']['uid']")
person 0 'Use it for git=n' 'Open the page=n' 'Client ID: =client-1' "link the new identity? [y/N]=y" -- authctl setup github --base-url "$github"
out "'github.com' is linked to ada@example.com"
out 'to get a token in a script: authctl token --provider github.com'
works authctl whoami --json
json "d['account']['uid'] == '$uid' and [p['providerId'] for p in d['account']['providerData']] == ['google.com', 'github.com']"
works authctl unlink --provider github.com
works authctl providers remove github.com
person 6 'Use it for git=n' 'Open the page=n' 'Client ID: =client-1' "link the new identity? [y/N]=n" -- authctl setup github --base-url "$github"
out "'github.com' is configured, but signing in failed"
