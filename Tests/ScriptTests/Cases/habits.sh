# Options and commands of other programs.

#: Accepts the sign-in options of other programs, and does not list them in the help.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl login --web --json
works authctl login --use-device-code --json
works authctl status --long
out 'by device'
rm -f stderr && : >stderr
authctl signin --skip-open-browser >stdout 2>stderr &
curl -sSL -o /dev/null "$(awaits stderr 'http://[^ ]+/authorize[^ ]*')"
wait $!
exits 64 authctl signin --flow device --web
err 'cannot be used with --flow'
exits 64 authctl signin --web --use-device-code
works authctl signin --help
no_out '--web|--use-device-code|--skip-open-browser|--access-token'
works authctl logout

#: --web shows a code if the provider requires one, as in gh.
public_client github.com
works authctl login --web
works authctl status --long
out 'by device'

#: --with-token signs in with an access token from standard input, like --access-token.
provider github.com
works authctl signin
works authctl token
cp stdout token
works authctl signout
authctl signin --with-token --json <token >stdout 2>stderr || fail "exit $?"
record authctl signin --json
json "d['providerId'] == 'github.com'"
exits 64 authctl signin --with-token --access-token token
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
authctl signin --provider oidc.test --with-token <token >stdout 2>stderr && fail "an access token that is for nobody signed in" || [ $? = 7 ]
err 'operation-not-allowed'
exits 64 authctl signin oidc.test --with-token --scope x
err 'error: --scope cannot be used with --with-token'

#: Reports a command of another program with the matching command of authctl.
for pair in 'auth=signin' 'auth login=signin' 'auth status=status' 'auth refresh=token --force-refresh' 'api=request' \
    'get-token=credential kubectl' 'config=profile' 'configure=setup' 'revoke=signout --revoke' 'version=--version'; do
    exits 64 authctl ${pair%%=*}
    err "did you mean '${pair#*=}'\?"
done
exits 64 authctl auth token --header
err 'hint: authctl token --header$'
exits 64 authctl auth token -h github.com
err 'hint: authctl token --provider github.com$'
exits 64 authctl api user
err 'hint: authctl request https://api.github.com/user$'
exits 64 authctl auth refresh -h github.com -s repo
err 'hint: authctl signin --provider github.com --scope repo$'

#: The provider needs no option, and common options may come first.
emulator
works authctl --json providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl -q --timeout 60 signin oidc.test --scope email
works authctl reauth oidc.test
works authctl accounts --json show
json "d['account']['uid']"
exits 64 authctl signin oidc.test --provider oidc.test
err 'the provider is given twice'
works authctl -V
cp stdout version
works authctl --version
cmp version stdout
works authctl -q exec -- sh -c '[ -n "$AUTHCTL_TOKEN" ] && [ "$1" = -v ]' sh -v

#: Addresses of accounts may be typed in any letter case.
signed_in
works authctl token --account ADA@Example.Com
works authctl whoami --account Ada@example.com --field account.email
out '^ada@example.com$'

#: Names of built-in providers may be typed in any letter case.
signed_in
works authctl providers add GitHub.com --client-id Ov23liEXAMPLE
works authctl providers show GITHUB
out Ov23liEXAMPLE
exits 4 authctl token --provider GitHub.Com
err "not signed in to 'github.com'"

#: doctor names entries of NO_PROXY that never match, and variables of other tools that are not followed.
export NO_PROXY='*.corp, host:443, .fine.example' CURL_CA_BUNDLE=/x
authctl doctor --long >stdout 2>stderr </dev/null || true
out "'\\*.corp' in NO_PROXY never matches"
out "'host:443' in NO_PROXY never matches"
no_out "fine.example"
out 'CURL_CA_BUNDLE is ignored'
