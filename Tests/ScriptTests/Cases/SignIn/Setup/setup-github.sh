# Setup of GitHub, here at a base URL. It requires only a client ID.
. "$ROOT/Tests/ScriptTests/setup.sh"
emulator --as github.com --client-id client-1

#: Shows the page and the values, asks for the client ID, checks it, and signs in by the device flow.
person 0 'Client ID: =client-1' -- authctl setup github --base-url "$ISSUER"
out "^Register an OAuth app at 127.0.0.1, with exactly these values:"
out "^$ISSUER/settings/applications/new"
out 'Application name +authctl'
out 'Authorization callback URL +http://127.0.0.1/callback/github.com'
out 'Enable Device Flow +tick it'
no_out 'Token expiration'
out 'With a personal access token, no client is required:'
out "Added provider 'github.com'"
out 'Enter  [A-Z]{4}-[A-Z]{4}'
out "[Ss]igned in to github.com as ada"
out '^Next: authctl token github.com'
works authctl token
out '^gho_'
works authctl providers show github.com
out 'client ID +client-1'
out 'client secret +none'
works authctl providers check github.com
out '^ok +github.com +client +no secret: it uses the device flow'

#: An app with expiring tokens requires no other setup: its tokens are refreshed.
emulator --as github.com --client-id client-1 --fault github-expiring
person 0 'Client ID: =client-1' -- authctl setup github.com --base-url "$ISSUER"
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
person 2 'Client ID: =wrong' 'rejects this client' 'Client ID: =also wrong' 'it has invalid characters' \
    'Client ID: =' 'the input is empty' 'Client ID: =^D' -- authctl setup github.com --base-url "$ISSUER"
out "'github.com' rejects this client: invalid_client: client_id is unknown"
out '\(user-cancelled\)'
out 'Check the client ID on that page'
no_out 'Enable the device flow on that page'
nothing
person 0 'Client ID: =wrong' 'Client ID: =client-1' -- authctl setup github.com --base-url "$ISSUER"
works authctl token
emulator --as github.com --client-id client-1 --fault device-refused
export AUTHCTL_CONFIG_DIR=$PWD/other config=$PWD/other
person 2 'Client ID: =client-1' 'rejects this client: unauthorized_client' 'Enable the device flow on that page' 'Client ID [client-1]: =^D' \
    -- authctl setup github.com --base-url "$ISSUER"
nothing

#: Cancelling at any prompt stores nothing: Ctrl-D is exit 2, Ctrl-C is exit 130.
for key in 2=^D 130=^C; do
    person ${key%=*} "A number, a name=${key#*=}" -- authctl setup
    nothing
    person ${key%=*} "Client ID: =${key#*=}" -- authctl setup github.com --base-url "$ISSUER"
    nothing
done
out 'authctl: cancelled'

#: There is no hint after Ctrl-D, and none after five invalid answers repeats the command line.
again="authctl setup github.com --base-url $ISSUER --no-signin"
person 2 'Client ID: =^D' -- $again
no_out 'hint: '
wrong='Client ID: =not one'
person 64 "$wrong" "$wrong" "$wrong" "$wrong" "$wrong" -- $again
out 'error: setup failed: five answers were invalid: it has invalid characters for a client ID '
no_out "hint: $again"
nothing

#: If the sign-in fails, the provider stays configured, and the output shows how to continue.
emulator --as github.com --client-id client-1 --fault device-denied
person 7 'Client ID: =client-1' -- authctl setup github.com --base-url "$ISSUER"
out "'github.com' is configured, but signing in failed: .*access_denied.*\(access-denied\)"
out 'hint: authctl signin github.com'
works authctl providers show github.com
exits 4 authctl whoami

#: Keeps an existing configuration unchanged and offers to sign in.
works authctl providers add github.com --base-url "$ISSUER" --client-id client-1 --scope repo
cp "$config/config.yaml" before
person 0 'Sign in with it now? [Y/n]=n' -- authctl setup github.com
out "is already configured, as the client 'client-1', at '$ISSUER'; to change its settings: authctl providers set github.com --help"
person 0 'Sign in with it now? [Y/n]=' -- authctl setup github.com
out "[Ss]igned in to github.com"
cmp before "$config/config.yaml"
works authctl setup github.com
out "is already configured, as the client 'client-1'"
out '^  authctl signin github.com$'

#: Without a terminal, with --no-input, --json or --begin, signin offers nothing.
for flag in --no-input --json '--begin'; do
    code=0
    python3 "$ROOT/Tests/Servers/terminal.py" -- authctl signin --provider github.com $flag >stdout || code=$?
    [ $code = 78 ] || [ $code = 4 ] || fail "$flag: exit $code"
    no_out 'How do you want'
done
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
no_out 'How do you want'
works authctl setup google.com
out "is already configured, by the profile's Firebase project"

#: In a non-interactive run, prints the page, the values and working commands.
works authctl setup github.com --base-url "$ISSUER"
out "^  page +$ISSUER/settings/applications/new$"
out '^  CLIENT_ID  Client ID$'
out "^With a personal access token, no client is required: authctl providers add github.com --base-url $ISSUER\$"
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

#: Without a client secret, refuses a flow whose code GitHub would not redeem, before the browser opens.
works authctl providers add github.com --base-url "$ISSUER" --client-id client-1
exits 78 authctl signin --provider github.com --begin
err 'configured without a client secret and uses the device flow'
err 'hint: if it has a secret: authctl providers set github.com --client-secret-stdin$'
for flow in paste browser; do
    exits 78 authctl signin --provider github.com --flow $flow
    err "uses the device flow, which does not support --flow $flow"
    err 'hint: if it has a secret: authctl providers set github.com --client-secret-stdin$'
done
[ "$(requests authorize)" = 0 ] || fail "a browser was sent off"

#: Offers to link a second provider whose email address belongs to an existing account.
github=$ISSUER
provider google.com
works authctl signin --provider google.com --json
uid=$(field "d['account']['uid']")
person 0 'Client ID: =client-1' "Link github.com/ada to that account? (No keeps them separate.)=y" -- authctl setup github --base-url "$github"
out 'Signed in to github.com as ada, linked to google.com. The default is still google.com.'
out '^Next: authctl token github.com'
works authctl whoami --json
json "d['account']['uid'] == '$uid' and [p['providerId'] for p in d['account']['providerData']] == ['google.com', 'github.com']"
works authctl unlink --provider github.com
works authctl providers remove github.com
person 0 'Client ID: =client-1' "(No keeps them separate.)=n" -- authctl setup github --base-url "$github"
out 'Signed in to github.com as ada, separate from google.com.'

#: An Enter for the screen of a code does not answer the question that appears at that moment.
github=$ISSUER
provider google.com
works authctl signin --provider google.com
TERM=xterm-256color person 0 'Client ID: =client-1' 'Enter this code only' '(No keeps them separate.) [y/N] =' '[y/N] =y' \
    -- authctl setup github --base-url "$github"
out 'Signed in to github.com as ada, linked to google.com.'
