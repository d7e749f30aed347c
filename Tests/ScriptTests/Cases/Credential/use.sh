# `use` lets other tools get tokens. `credential install`, `list` and `uninstall` do the same.

#: use lists what is configured, by the name that a user types, and how to add and remove it.
cat >how <<'U'
Add:     authctl use aws|docker|gcp|git|kubectl [NAME]
         authctl use claude-code|codex|cursor|goose|mcp|opencode|vscode URL
U
works authctl use
cmp how stdout || fail "another list"
[ ! -s stderr ] && [ -z "$(ls -A home)" ] || fail "a note was printed, or a file created"
works authctl use --json
json "d == {'installed': []}"
public_client github.com
export KUBECONFIG=$PWD/kubeconfig GIT_CONFIG_GLOBAL=$PWD/gitconfig
emulator
works authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client
works authctl providers add github.com --replace --client-id client-1
works authctl use git github.com
out '^git config --global: credential.https://github.com.helper = '
err '^authctl: Sign in first: authctl signin github.com$'
works authctl use kubectl work
out "^$PWD/kubeconfig: user 'authctl' runs .* --provider oidc.work "
out '^use it: kubectl config set-context CONTEXT --cluster=CLUSTER --user=authctl$'
err '^authctl: Sign in first: authctl signin work$'
{
    printf 'git      gist.github.com\ngit      github.com\nkubectl  work\n\n'
    cat how
    printf 'Remove:  authctl use --remove git\n'
} >expected
works authctl use
cmp expected stdout || fail "another list"
works authctl use --json
cp stdout listed
works authctl credential list --json
cmp listed stdout || fail "use and credential list differ"
works authctl use --remove kubectl
out "^$PWD/kubeconfig: .* removed$"
works authctl use --remove git --json
json "d['tool'] == 'git' and len(d['changed']) == 2"
works authctl use
cmp how stdout || fail "something is left"
works authctl signin work
works kubectl config set-context test --cluster=test
works kubectl config use-context test
works authctl use kubectl work
out '^use it: kubectl config set-context --current --user=authctl$'
no_err 'Sign in first'
works authctl use --remove kubectl
works authctl use kubectl work/ada@example.com
out ' --provider oidc.work .*--account work/ada@example.com'
works authctl use
out '^kubectl  work/ada@example.com$'

#: An entry with a name of its own is listed with the name, and removed without it if there is no other.
export KUBECONFIG=$PWD/kubeconfig AWS_CONFIG_FILE=$PWD/aws
emulator
works authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client
works authctl use kubectl work --name ada
works authctl use aws work --role-arn arn:aws:iam::1:role/ci --name ci
works authctl use
out '^kubectl  work  --name ada$'
out '^aws      work  --name ci$'
works authctl use kubectl work --name grace
exits 64 authctl use --remove kubectl
err "authctl is installed for 'ada', 'grace': choose one"
err '^authctl: hint: authctl use --remove kubectl --name ada$'
works authctl use --remove kubectl --name ada
works authctl use --remove kubectl
out "user 'grace' was removed"
works authctl use --remove aws
out 'profile ci. credential_process was removed'
works authctl use --json
json "d == {'installed': []}"
# With the default name, the others stay.
works authctl use kubectl work --name ada
works authctl use kubectl work
works authctl use --remove kubectl
works authctl use
out '^kubectl  work  --name ada$'

#: The list names the configuration directory of an entry, and so does the removal of another one's.
signed_in
works authctl providers set oidc.test --api-host git.example.com
works authctl use git
works authctl use
out '^git +git.example.com$'
AUTHCTL_CONFIG_DIR=$PWD/other works authctl use
cp -a "$HOME/.config/authctl" other
works authctl --config-dir "$PWD/other" use git
works authctl use
out "^git +git.example.com  --config-dir $PWD/other\$"
works authctl use --remove git
err "'git.example.com' had the tokens of $PWD/other\$"
works authctl use git
works authctl --config-dir "$PWD/other" use --remove git
err "'git.example.com' had the tokens of the default configuration directory\$"
works authctl use git
works authctl use --remove git
no_err 'had the tokens'

#: A tool that requires ID tokens is not configured for a provider without them, and nothing is changed.
export KUBECONFIG=$PWD/kubeconfig AWS_CONFIG_FILE=$PWD/aws
for line in 'use kubectl github.com' 'use kubectl twitter.com' 'use kubectl --provider github.com' 'credential install kubectl --provider github.com'; do
    # shellcheck disable=SC2086
    exits 78 authctl $line
    err '^authctl: error: (github|twitter).com has no ID tokens, which kubectl requires \(unsupported\)$'
done
exits 78 authctl use aws github.com --role-arn arn:aws:iam::1:role/ci
err 'github.com has no ID tokens, which aws requires'
provider github.com
exits 78 authctl use kubectl
exits 78 authctl use aws --role-arn arn:aws:iam::1:role/ci
[ ! -e kubeconfig ] && [ ! -e aws ] || fail "something was changed"

#: A name in place of a tool, and words that do not belong together, are errors with the right command.
exits 64 authctl use work
err '^authctl: hint: authctl use --help$'
emulator
works authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client
works authctl signin work
exits 64 authctl use work
err "^authctl: error: 'work' is not a tool: git, docker, "
err '^authctl: hint: authctl accounts switch work$'
exits 64 authctl use kubect
err '^authctl: hint: authctl use kubectl$'
exits 64 authctl use git github.com --provider github.com
err 'the provider is given twice'
exits 64 authctl use codex github.com
err "'github.com' is not an http or https URL"
exits 64 authctl use --remove git github.com
exits 64 authctl use --remove aws --role-arn arn:aws:iam::1:role/ci
err '--role-arn cannot be used with --remove'
exits 64 authctl use --remove
err 'requires a tool'
exits 64 authctl use --host github.com
exits 64 authctl credential uninstall

#: A directory that install made is removed with the file, and one of the user stays.
works authctl use codex https://mcp.example.com/mcp
[ -s home/.codex/config.toml ] || fail "not installed"
works authctl use --remove codex
[ ! -e home/.codex ] || fail "an empty directory stays"
mkdir home/.codex
works authctl use codex https://mcp.example.com/mcp
works authctl use --remove codex
[ -d home/.codex ] && [ -z "$(ls -A home/.codex)" ] || fail "the user's directory was removed"

#: use git says where a personal access token gets the scope of a push, and reads the scopes again.
public_client github.com
export GIT_CONFIG_GLOBAL=$PWD/gitconfig
curl -sSf "$ISSUER/emulator/personal-token?scope=user:email" >token
authctl signin github.com --with-token <token >stdout 2>stderr || fail "no sign-in"
works authctl use git --host "$ISSUER"
err "^authctl: the token lacks 'repo' for private repositories; tick it on this page: $ISSUER/settings/tokens$"
curl -sSf "$ISSUER/emulator/personal-token?scope=repo,user:email" >token
authctl signin github.com --with-token <token >stdout 2>stderr || fail "no sign-in"
works authctl use git --host "$ISSUER"
no_err 'repo'

#: On a terminal, use git waits until the user has ticked the scope, and reads the scopes again.
. "$ROOT/Tests/ScriptTests/terminal.sh"
public_client github.com
export GIT_CONFIG_GLOBAL=$PWD/gitconfig
curl -sSf "$ISSUER/emulator/personal-token?scope=user:email" >token
authctl signin github.com --with-token <token >stdout 2>stderr || fail "no sign-in"
terminal 100 24 "authctl use git --host $ISSUER"
shows 'Press Enter when it is done'
types yes
shows 'press Enter alone'
presses Enter
shows 'ended with 0'
[ "$(grep -c "lacks 'repo'" screen)" = 2 ] || fail "the scopes were not read again"
works authctl use --remove git
for key in C-c=130 C-d=2; do
    terminal 100 24 "authctl use git --host $ISSUER"
    shows 'git is configured already; to undo it: authctl use --remove git$'
    shows 'Press Enter when it is done'
    presses ${key%=*}
    shows "ended with ${key#*=}"
done

#: use git alone is enough for a personal access token, which requires no configuration.
. "$ROOT/Tests/ScriptTests/documents.sh"
play github.com
export GIT_CONFIG_GLOBAL=$PWD/gitconfig
curl -sSf "$EMULATOR_URL/emulator/personal-token?scope=repo,user:email" >token
authctl signin github.com --with-token <token >stdout 2>stderr || fail "no sign-in"
works authctl use git
out 'credential.https://github.com.helper'
no_err 'Sign in first'
printf 'protocol=https\nhost=github.com\n\n' | GIT_TERMINAL_PROMPT=0 git credential fill >stdout 2>stderr || fail "git was given nothing"
grep -qxF "password=$(<token)" stdout || fail "not the personal access token"
