# GitHub Apps: tokens of an installation, for one repository. The app has the ID 12345.

# key [QUERY]: a new key of the app, in app.pem.
key() {
    (umask 077 && curl -sSf "$ISSUER/emulator/app-key?repositories=ada/project,ada/other,eve/tools&permissions=contents:write,issues:read&${1:-}" >app.pem)
}

# app [EMULATOR-FLAGS…]: starts an emulator with an app, and adds it.
app() {
    emulator --as github.com "$@"
    key
    works authctl providers add github.com --base-url "$ISSUER" --app-id 12345 --private-key app.pem
}

# status TOKEN-FILE REPOSITORY: prints the status of the API's response.
status() { curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $(cat "$1")" "$ISSUER/api/v3/repos/$2"; }

#: Prints a token for one repository, valid for one hour, and stores nothing.
app
err 'to get a token: authctl token --repository OWNER/REPO'
works authctl token --repository ada/project --json
json "d['token_type'] == 'Bearer' and 3500 < d['expires_in'] <= 3600 and d['scope'] == 'contents=write issues=read metadata=read'"
works authctl token --repository ada/project
out '^ghs_'
cp stdout token
[ "$(status token ada/project)/$(status token ada/other)/$(status token eve/tools)" = 200/404/404 ] || fail "not for this repository alone"
works authctl token --repository ADA/Project --provider github
! cmp -s stdout token || fail "the token was stored"
works authctl token --repository eve/tools --header
out '^Authorization: Bearer ghs_'
[ "$(requests 'installation token')" = 4 ] || fail "not one request for each token"
python3 - "$HOME/.config/authctl/authctl.db" <<'END' || fail "a token was stored"
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
sys.exit(any(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ["session", "account"]))
END
exits 4 authctl whoami
works authctl exec --repository ada/project --as GITHUB_TOKEN -- sh -c 'echo "$GITHUB_TOKEN"'
out '^ghs_'

#: The token has only the requested permissions.
app
works authctl token --repository ada/project --permission contents=read --json
json "d['scope'] == 'contents=read metadata=read'"
works authctl token --repository ada/project --permission issues=read
cp stdout token
[ "$(status token ada/project)" = 403 ] || fail "it can read the contents"
works authctl token --repository ada/project --permission contents=write --permission issues=read --json
json "d['scope'] == 'contents=write issues=read metadata=read'"

#: PyJWT accepts the app's JWTs, and githubkit the token.
app
works authctl token --repository ada/project
cp stdout token
python=$ROOT/.build/venv/bin/python
"$python" "$ROOT/Tests/Servers/github_app.py" jwt secrets app.pem 12345 || fail "PyJWT does not accept them"
"$python" "$ROOT/Tests/Servers/github_app.py" client "$ISSUER/api/v3" ada/project ada/other <token || fail "githubkit"
"$python" "$ROOT/Tests/Servers/github_app.py" app "$ISSUER/api/v3" app.pem 12345 ada/project || fail "the emulator is not like GitHub"

#: A repository without an installation, and one of another owner, are exit 7, and the hint shows where to install the app.
app
for repository in ada/none mallory/project; do
    exits 7 authctl token --repository $repository
    err "error: no token: the GitHub App is not installed on '$repository', or there is no such repository .access-denied"
    err 'hint: for the page where it can be installed: authctl providers check github.com$'
done
works authctl providers check github.com
out "^ok +github.com +app +'emulated', which can be installed at '$ISSUER/apps/emulated'$"
no_out 'client'

#: A permission that the installation does not have is exit 7.
app
exits 7 authctl token --repository ada/project --permission issues=write
err "no token: the installation on 'ada/project' does not have the permission 'issues=write': The permissions requested are not granted"
err 'insufficient-scope'
err 'hint: for the page of the GitHub App: authctl providers check github.com$'
exits 7 authctl token --repository ada/project --permission pull-requests=read --permission contents=read
err "the permissions 'pull_requests=read', 'contents=read'"

#: A wrong key, a wrong app ID and an incomplete configuration are exit 78.
app
key id=777
exits 78 authctl token --repository ada/project
err "'github.com' rejects the app ID with this private key: A JSON web token could not be decoded .invalid-configuration"
err 'hint: compare both with the page of the GitHub App: authctl providers show github.com$'
works authctl providers show github.com
out '^app ID +12345$'
out '^private key +file .*/app.pem$'
exits 78 authctl providers check github.com
works authctl providers set github.com --app-id 777
works authctl token --repository ada/project
works authctl providers set github.com --app-id 99999
exits 78 authctl token --repository ada/project
err 'rejects the app ID with this private key: Integration not found'
echo nothing >app.pem
exits 78 authctl token --repository ada/project
err "app.pem' does not contain a private key in PEM format"
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out app.pem
exits 78 authctl token --repository ada/project
err 'github.com: private_key: it is not an RSA key'
exits 78 authctl providers set github.com --app-id abc
err "app-id: 'abc' is not a number"
exits 64 authctl providers add oidc.test --issuer "$ISSUER" --client-id c --app-id 12345 --private-key app.pem
err "'oidc.test' does not issue installation tokens"
exits 64 authctl providers add github.com --app-id 12345 --replace
err '--app-id requires --private-key'
works authctl providers remove github.com
exits 78 authctl token --repository ada/project
err "'github.com' is not configured as a GitHub App"
err 'hint: authctl providers add github.com --app-id ID --private-key FILE$'
works authctl providers add github.com --base-url "$ISSUER" --client-id client-1
exits 78 authctl token --repository ada/project
err 'hint: authctl providers set github.com --app-id ID --private-key FILE$'
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 78 authctl token --repository ada/project --provider oidc.test
err "'oidc.test' does not issue installation tokens"

#: Refuses malformed repositories and permissions, and options of sessions.
app
for repository in project ada/project/x https://github.com/ada/project ada/.. /project 'ada/pro ject' ada/pro%2fject; do
    exits 64 authctl token --repository "$repository"
    err "The value '$repository' is invalid for '--repository <owner/repo>'"
done
for permission in contents contents=all =read 'contents = read'; do
    exits 64 authctl token --repository ada/project --permission "$permission"
    err "The value '$permission' is invalid for '--permission <name=level>'"
done
exits 64 authctl token --permission contents=read
err '--permission requires --repository'
exits 64 authctl token --repository ada/project --repository ada/other
err 'repository can be given only once'
exits 64 authctl token --repository ada/project --permission contents=read --permission contents=write
err 'permission contents is given twice'
for flags in '--type id' '--resource https://api.example.com' '--exchange oidc.work' '--proof GET https://api.example.com' '--account ada'; do
    exits 64 authctl token --repository ada/project $flags
    err '--repository cannot be used with'
done
exits 64 authctl exec --repository ada/project --account ada -- true
[ "$(requests installation)" = 0 ] || fail "a request was sent"

#: Rejects a token that is valid for other repositories too.
app --fault github-other-repositories
exits 65 authctl token --repository ada/project
err 'installation token endpoint'

#: The private key of an exported app is added by each user.
app
works authctl providers export github.com
out 'github.com:'
out '12345'
no_out 'private_key|BEGIN|app\.pem'
if [ "$(id -u)" != 0 ]; then echo "skipped: a system configuration needs root"; exit 0; fi
mkdir "$AUTHCTL_SYSTEM_CONFIG_DIR"
cp stdout "$AUTHCTL_SYSTEM_CONFIG_DIR/config.yaml"
works authctl providers remove github.com
exits 78 authctl token --repository ada/project
err 'hint: authctl providers set github.com --private-key FILE$'
works authctl providers set github.com --private-key app.pem
works authctl token --repository ada/project
cp stdout token
[ "$(status token ada/project)/$(status token ada/other)" = 200/404 ] || fail "the token is not for this repository"

#: Neither form of the token, nor the JWT, is in a trace, an error or a file.
for form in '' 'github-long-tokens'; do
    app ${form:+--fault "$form"}
    works authctl token --repository ada/project --verbose
    cp stdout token
    [ -z "$form" ] || { [ "$(wc -c <token)" -gt 500 ] && grep -q '\..*\.' token; } || fail "not the long form"
    works authctl exec --repository ada/project --verbose -- true
    grep -q 'POST .*/access_tokens' stderr || fail "no trace"
    grep -rqaF -f token "$HOME" && fail "in a file"
    code=0; authctl signin --provider github.com --with-token --verbose <token >stdout 2>stderr || code=$?
    record authctl signin
    [ $code = 7 ] || fail "exit $code"
    works authctl providers remove github.com
done

#: exec --renew gets a new token before the old one expires.
app --access-ttl 2
works authctl exec --renew --min-ttl 1 --repository ada/project --permission contents=read -- \
    sh -c 'first=$(cat "$AUTHCTL_TOKEN_FILE"); while [ "$(cat "$AUTHCTL_TOKEN_FILE")" = "$first" ]; do :; done; cat "$AUTHCTL_TOKEN_FILE"'
out '^ghs_'
[ "$(requests 'installation token')" -ge 2 ] || fail "not renewed"

#: The real git clones one repository with a token for it, and is refused another one.
. "$ROOT/Tests/ScriptTests/documents.sh"
play github.com
ISSUER=$EMULATOR_URL key
repositories project secret
resource git_of_app github.com/ada repos "$EMULATOR_URL/repos/ada"
works authctl providers add github.com --app-id 12345 --private-key app.pem
export GIT_TERMINAL_PROMPT=0 GIT_CONFIG_GLOBAL=$PWD/gitconfig
works authctl credential install git --host github.com
code=0; git clone -q https://github.com/ada/project.git without 2>stderr || code=$?
[ $code != 0 ] || fail "cloned without the path"
err 'git did not send the path of the repository'
err 'hint: git config --global credential.https://github.com.useHttpPath true'
git config --global credential.https://github.com.useHttpPath true
works git clone -q https://github.com/ada/project.git clone
cmp clone/file source/file
works git -C clone fetch
code=0; git clone -q https://github.com/ada/secret.git other 2>stderr || code=$?
[ $code != 0 ] && [ ! -e other ] || fail "cloned a repository without an installation"
err "the GitHub App is not installed on 'ada/secret'"
printf 'protocol=https\nhost=github.com\npath=ada/project.git\n\n' | authctl credential git get --permission contents=read >stdout
out '^username=x-access-token$'
out '^password_expiry_utc='
code=0; git -c "http.extraHeader=Authorization: Basic $(printf 'x:%s' "$(sed -n s/^password=//p stdout)" | base64 -w0)" -c credential.helper= \
    clone -q https://github.com/ada/secret.git other 2>stderr || code=$?
[ $code != 0 ] && [ ! -e other ] || fail "the token is valid for another repository"
AUTHCTL_GITHUB_COM_TOKEN=ghp_of-the-environment-000000 authctl credential git get >stdout < <(printf 'protocol=https\nhost=github.com\npath=ada/project.git\n\n')
out '^password=ghp_of-the-environment'

#: An app can have users and installations: the client ID is for sign-ins, the app ID for installation tokens.
app --client-id client-1 --fault github-app
exits 78 authctl signin --provider github.com
err "'github.com' is configured as a GitHub App, which cannot sign users in"
for command in "signin" "token" "status" "setup github.com"; do
    authctl $command >stdout 2>stderr </dev/null && fail "$command"
    err 'hint: for a token of the app: authctl token --repository OWNER/REPO; to sign users in: authctl providers set github.com --client-id ID$'
done
works authctl providers set github.com --client-id client-1
works authctl signin --flow device
works authctl token
out '^ghu_'
works authctl token --force-refresh
works authctl token --repository ada/project
out '^ghs_'
works authctl providers check github.com
out '^ok +github.com +app '
out '^ok +github.com +client '
works authctl providers show github.com --json
json "d['appId'] == '12345' and d['privateKey'].endswith('app.pem') and d['clientId'] == 'client-1'"
works authctl providers set github.com --unset app-id --unset private-key
works authctl token --force-refresh
