# Which account a directory or a repository uses. A repository that others wrote does not choose one.

# two_accounts: ada@example.com, the current account, and grace@example.com with the alias work.
two_accounts() {
    emulator
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
    works authctl signin --provider oidc.test --param emulator_user=grace@example.com
    works authctl accounts name work
    works authctl signin --provider oidc.test
    works authctl token --account work
    cp stdout work.token
    works authctl token
    cp stdout ada.token
}

# uses NAME [COMMAND…]: the token of this account is printed, or status and whoami name it.
uses() {
    works authctl token
    cmp -s stdout "$TOKENS/$1.token" || fail "not the token of $1 in $PWD"
    local address=ada
    [ "$1" = ada ] || address=grace
    works authctl whoami --json
    json "d['account']['email'] == '$address@example.com'"
}

# repository DIRECTORY REMOTE: a repository with this remote.
repository() {
    git init -q "$1"
    git -C "$1" config remote.origin.url "$2"
}

export GIT_CONFIG_NOSYSTEM=1 TOKENS=$PWD

#: A rule for a directory chooses the account there and below, and options and the environment come first.
two_accounts
mkdir -p work/inner workshop
works authctl accounts rule add --directory work work
err "added the rule for '$PWD/work'"
works authctl accounts rule add --directory work ada@example.com
err "changed the rule for '$PWD/work'"
works authctl accounts rule add --directory work work
uses ada
(cd workshop && uses ada)
(cd work && uses work)
(cd work/inner && uses work)
cd work
AUTHCTL_ACCOUNT=ada@example.com uses ada
works authctl token --account ada@example.com
cmp -s stdout "$TOKENS/ada.token" || fail "the option does not come first"
works authctl status --why
err "work \(grace@example.com\): chosen by the rule for '$PWD'"
works authctl status --json
json "d['chosenBy'] == 'directory-rule' and d['rule'] == '$PWD' and [a['email'] for a in d['accounts']] == ['grace@example.com']"
works authctl accounts switch ada@example.com
err "authctl: here, commands use another account: chosen by the rule for '$PWD'"
cd ..
works authctl status --why
err 'ada@example.com: the current account'
works authctl status --why --account work
err 'chosen by --account'
AUTHCTL_ACCOUNT=work works authctl status --json
json "d['chosenBy'] == 'environment' and d['rule'] is None"

#: The innermost directory counts, a rule is replaced, listed, limited to its profile, and removed.
two_accounts
mkdir -p work/private
works authctl accounts rule add --directory work work
works authctl accounts rule add --directory work/private ada@example.com
(cd work/private && uses ada)
works authctl accounts rule list
out "^$PWD/work +work \(grace@example.com\)$"
out "^$PWD/work/private +ada@example.com$"
works authctl accounts rule list --json
json "[(r['directory'], r['remote'], r['gitConfig'], r['account']['email']) for r in d['rules']][0] == ('$PWD/work', None, False, 'grace@example.com')"
works authctl accounts rule add --directory work/private work
(cd work/private && uses work)
works authctl accounts rule list --json
json "len(d['rules']) == 2"
# A directory whose name has another Unicode form is another directory.
mkdir caf$'\xc3\xa9' cafe$'\xcc\x81'
works authctl accounts rule add --directory caf$'\xc3\xa9' work
(cd caf$'\xc3\xa9' && uses work)
(cd cafe$'\xcc\x81' && uses ada)
works authctl accounts rule remove --directory caf$'\xc3\xa9'
cd work
exits 4 authctl token --profile other
works authctl accounts rule list --profile other
err 'no account rules'
cd ..
rm -r work/private
works authctl accounts rule remove --directory work/private --json
json "len(d['rules']) == 1"
works authctl accounts rule remove --directory work
exits 64 authctl accounts rule remove --directory work
err 'hint: authctl accounts rule list$'
(cd work && uses ada)
[ "$(stat -c %a "$HOME/.config/authctl/account-rules")" = 600 ] || fail "others can read the rules"

#: Rules that are added at the same time are all kept, and a renamed or removed profile takes its rules along.
two_accounts
mkdir at{1..8}
processes=()
for n in {1..8}; do
    authctl accounts rule add --directory at$n work >out.$n 2>err.$n </dev/null &
    processes+=($!)
done
for process in "${processes[@]}"; do wait "$process" || fail "$(cat err.*)"; done
works authctl accounts rule list --json
json "len(d['rules']) == 8"
works authctl profile rename default private
cd at1
works authctl whoami --json
json "d['account']['email'] == 'grace@example.com'"
works authctl signin --provider oidc.test
err "authctl: here, commands use another account: chosen by the rule for '$PWD'"
works authctl profile remove private --yes
works authctl accounts rule list --profile private
err 'no account rules'

#: Wrong input names what is wrong, and changes nothing.
two_accounts
works authctl accounts rule --json
json "d == {'rules': []}"
exits 64 authctl accounts rule add work
err 'hint: authctl accounts rule --help$'
exits 64 authctl accounts rule add --directory .
err 'hint: authctl accounts rule --help$'
exits 64 authctl accounts rule add --directory missing work
err "'missing' cannot be found: No such file or directory"
exits 64 authctl accounts rule add --directory ada.token work
err "'ada.token' is not a directory"
exits 64 authctl accounts rule add --directory . nobody
for pattern in github.com '*/corp/*' github.com//x /x github.com:22/corp git@github.com/corp github.com/corp/tool.git github.com/../x \
    'github.com/**/x' 'github.com/[x'; do
    exits 64 authctl accounts rule add --remote "$pattern" work
    err 'github.com/corp/\*'
done
exits 64 authctl accounts rule add --remote github.com:22/corp work
err 'a host without a port, and a path'
exits 64 authctl accounts rule add --remote 'github.com/corp/*' --directory . work
exits 64 authctl accounts rule list work
[ ! -e "$HOME/.config/authctl/account-rules" ] || fail "a rule was stored"
echo '{"rules": [{"profile": "default"}]}' >"$HOME/.config/authctl/account-rules"
exits 78 authctl token
err "account-rules' does not contain account rules"

#: If the account of a rule was deleted, the command fails and names the rule.
two_accounts
works authctl accounts rule add --directory . work
works authctl accounts delete work --yes
err "the rule for '$PWD' still names this account; to remove it: authctl accounts rule remove --directory $PWD$"
exits 64 authctl token
err "the account of the rule for '$PWD' does not exist"
err "hint: authctl accounts rule remove --directory $PWD$"
exits 64 authctl status
works authctl accounts rule list
out 'the account does not exist'
works authctl accounts rule remove --directory .
uses ada

#: If the account of a rule for a remote was deleted, the hint removes the rule instead of adding another.
two_accounts
works authctl accounts rule add --remote 'git.example.com/corp/*' work
works authctl accounts delete work --yes
err "the rule for 'git.example.com/corp/\*' still names this account"
repository clone https://git.example.com/corp/tool.git
cd clone
for command in token status whoami; do
    exits 64 authctl $command
    err "the account of the rule for 'git.example.com/corp/\*' does not exist"
    err "hint: authctl accounts rule remove --remote 'git.example.com/corp/\*'$"
done
exits 1 authctl doctor --long
no_out 'is not confirmed'
works authctl accounts rule remove --remote 'git.example.com/corp/*'
uses ada

#: If the account of a rule is signed out, status shows it, and the error names it and the rule.
two_accounts
works authctl accounts rule add --directory . work
works authctl signout --account work
exits 4 authctl status --why
err "work \(grace@example.com\): chosen by the rule for '$PWD'"
out "^In $PWD a rule makes work \(grace@example.com\) the default"
no_err 'authctl: error'
exits 4 authctl token
err "^authctl: error: the account 'work' has no session on this machine; it is chosen by the rule for '$PWD' \(not-signed-in\)$"

#: A link to a directory, a worktree and a submodule use the account of the directory in which they really are.
two_accounts
mkdir work other
works authctl accounts rule add --directory work work
git init -q upstream
git -C upstream -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m first
git clone -q upstream work/clone
git -C work/clone worktree add -q ../../other/tree
git clone -q upstream other/outer
git -C other/outer -c protocol.file.allow=always submodule --quiet add "$PWD/upstream" part
(cd work/clone && uses work)
(cd other/tree && uses ada)
(cd other/outer/part && uses ada)
ln -s "$PWD/other" work/link
(cd work/link && uses ada)
ln -s "$PWD/work" other/link
(cd other/link && uses work)

#: A rule for a remote may name a session, whose account exists.
two_accounts
works authctl accounts rule add --remote 'github.com/corp/*' test/grace@example.com
repository theirs https://github.com/corp/tool.git
cd theirs
exits 7 authctl token
err "the remote 'github.com/corp/tool' has a rule, but this repository is not confirmed"

#: A repository's remote and configuration do not choose an account that the user did not bind to its directory.
two_accounts
works authctl accounts rule add --remote 'github.com/Corp/*' ada@example.com
works authctl accounts rule add --remote 'github.com/corp/*' work
err "changed the rule for 'github.com/corp/\*'"
works authctl accounts rule add --git-config
uses ada
repository theirs https://github.com/corp/tool.git
git -C theirs config authctl.account work
cd theirs
for command in token 'exec -- true' whoami status 'request https://api.example.com'; do
    # shellcheck disable=SC2086
    exits 7 authctl $command
    err "the remote 'github.com/corp/tool' has a rule, but this repository is not confirmed"
done
grep -o 'authctl accounts rule add --directory [^;]*' stderr >hint
works authctl token --account ada@example.com
eval "works $(<hint)"
uses work
works authctl accounts rule remove --directory .
git config remote.origin.url https://github.com/someone/tool.git
uses ada
for remote in 'https://evil.com#@github.com/corp/x' 'https://evil.com?@github.com/corp/x' https://github.com.evil.com/corp/x \
    https://github.com@evil.com/corp/x ssh://github.com:evil/corp/x file://github.com/corp/x https://evil.com/github.com/corp/x; do
    git config remote.origin.url "$remote"
    uses ada
done
git config include.path "$HOME/evil"
git config --file "$HOME/evil" authctl.account work
uses ada

#: All remotes of a repository count, also if it is bare or GIT_DIR names it.
two_accounts
works authctl accounts rule add --remote 'github.com/corp/*' work
repository fork https://github.com/ada/tool.git
(cd fork && uses ada)
git -C fork remote add upstream git@github.com:corp/tool.git
git init -q --bare bare.git
git -C bare.git config remote.other.pushurl ssh://git@github.com/corp/tool
git -C bare.git config remote.other.url https://github.com/ada/tool
for place in fork bare.git bare.git/refs; do
    (cd $place && exits 7 authctl token && err "the remote 'github.com/corp/tool' has a rule")
done
(export GIT_DIR=$PWD/bare.git && mkdir elsewhere && cd elsewhere && exits 7 authctl token && err "accounts rule add --directory $PWD [^;]*;")
# The user's own abbreviations are resolved.
git config --global url.https://github.com/corp/.insteadOf corp:
repository short corp:tool
(cd short && exits 7 authctl token)
works authctl accounts rule add --directory bare.git work
(cd bare.git/refs && uses work)
works authctl accounts rule add --directory fork ada@example.com
(cd fork && uses ada)

#: A repository cannot pretend to be another one for includeIf.
two_accounts
works authctl accounts rule add --git-config
git config --file "$HOME/work.gitconfig" authctl.account work
git config --global "includeIf.gitdir:$PWD/work/.path" "$HOME/work.gitconfig"
git config --global 'includeIf.hasconfig:remote.*.url:https://github.com/corp/**.path' "$HOME/work.gitconfig"
repository work/clone https://github.com/corp/tool.git
git -C work/clone -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m first
git init -q upstream
git -C upstream -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m first
git -C work/clone -c protocol.file.allow=always submodule --quiet add "$PWD/upstream" part
(cd work/clone && uses work)
(cd work/clone/part && uses work)
mkdir -p work/clone/empty/.git
(cd work/clone/empty && uses work)
# A worktree is known to its repository.
git -C work/clone worktree add -q ../../tree
(cd tree && uses work)
mkdir file link moved
echo "gitdir: $PWD/work/clone/.git" >file/.git
ln -s "$PWD/work/clone/.git" link/.git
cp tree/.git moved/.git
repository remote https://github.com/corp/tool.git
for place in file link moved remote; do (cd $place && uses ada); done

#: A repository cannot choose the account by the name of its branch.
two_accounts
works authctl accounts rule add --git-config
git config --file "$HOME/inner.gitconfig" authctl.account work
git config --file "$HOME/work.gitconfig" include.path inner.gitconfig
git config --global 'includeIf.onbranch:work.path' "$HOME/work.gitconfig"
git init -q -b work repository
cd repository
for command in token "status --why"; do
    exits 7 authctl $command
    err "git includes authctl.account by 'onbranch'"
done
git symbolic-ref HEAD refs/heads/main
uses ada
# Also if another file or a condition on the place comes first, and not if the last one counts.
git symbolic-ref HEAD refs/heads/work
git config --global --unset 'includeIf.onbranch:work.path'
git config --global 'includeIf.gitdir:**.path' "$HOME/inner.gitconfig"
uses work
git config --global 'includeIf.onbranch:work.path' "$HOME/work.gitconfig"
exits 7 authctl token
git config --file "$HOME/last.gitconfig" authctl.account ada@example.com
git config --global include.path "$HOME/last.gitconfig"
uses ada
git config --global authctl.account work
uses work

#: direnv chooses the account of a folder, before a rule.
command -v direnv >/dev/null || { echo "no direnv: .ci/install test" >&2; exit 1; }
two_accounts
mkdir -p work/inner
works authctl accounts rule add --directory . ada@example.com
echo 'export AUTHCTL_ACCOUNT=work' >work/.envrc
export XDG_DATA_HOME=$PWD/data DIRENV_LOG_FORMAT=
# What is in the folder counts only after the user allowed it.
exits 1 direnv exec work authctl whoami --field account.email
direnv allow work
works direnv exec work authctl whoami --field account.email
out '^grace@example.com$'
works direnv exec work/inner authctl status --why
err 'chosen by AUTHCTL_ACCOUNT'
# In an interactive shell, it is set and unset on the way.
bash -c 'eval "$(direnv hook bash)"; cd work/inner; _direnv_hook; authctl whoami --field account.email; cd ../..; _direnv_hook; authctl whoami --field account.email' >stdout
[ "$(cat stdout)" = $'grace@example.com\nada@example.com' ] || fail "not the accounts of the folders"
works authctl accounts switch ada@example.com
no_err 'here'
AUTHCTL_ACCOUNT=work works authctl accounts switch ada@example.com
err 'here, commands use another account: chosen by AUTHCTL_ACCOUNT'

#: doctor reports damaged rules, and rules whose account does not exist.
two_accounts
exits 0 authctl doctor --json
json "all(c['name'] != 'rules' for c in d['checks'])"
mkdir work
works authctl accounts rule add --directory work work
works authctl accounts rule add --git-config
works authctl doctor --long
out '^ok +rules +2$'
works authctl accounts delete work --yes
cd work
exits 1 authctl doctor --long
out "^WRONG +rules +the account of the rule for '$PWD' does not exist$"
out "→ authctl accounts rule remove --directory $PWD$"
works authctl accounts rule remove --directory .
echo '{' >"$HOME/.config/authctl/account-rules"
exits 1 authctl doctor --long
out "^WRONG +rules .*account-rules' does not contain account rules"
out 'authctl accounts rule --help'

#: After a conflict in a ruled directory, the link goes to the account of the conflict, first to the current account.
two_accounts
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
provider github.com
works authctl accounts rule add --directory . work
exits 6 authctl signin --provider github.com
err 'hint: authctl link --pending$'
exits 6 authctl signin --provider oidc.other --param emulator_user=grace@example.com
works authctl link --pending
works authctl accounts show ada@example.com --json
json "sorted(p['providerId'] for p in d['account']['providerData']) == ['github.com', 'oidc.test']"

#: authctl.account in the user's own git configuration, also by includeIf, chooses the account if a rule reads it.
two_accounts
repository work/clone https://github.com/corp/tool.git
repository other https://github.com/corp/tool.git
git config --file "$HOME/work.gitconfig" authctl.account work
git config --global "includeIf.gitdir:$PWD/work/.path" "$HOME/work.gitconfig"
(cd work/clone && uses ada)
works authctl accounts rule add --git-config
(cd work/clone && uses work)
(cd other && uses ada)
cd work/clone
works authctl status --json
json "d['chosenBy'] == 'git-config' and d['rule'] == 'authctl.account'"
works authctl status --why
err "chosen by authctl.account in git's global configuration"
cd ../..
works authctl accounts rule remove --git-config
(cd work/clone && uses ada)

#: git gets the token of the rule for the URL that it connects to, and a name in the URL comes first.
two_accounts
host=${ISSUER#http://}
works authctl providers set oidc.test --api-host "$ISSUER"
works authctl accounts rule add --remote "${host%:*}/corp/**" work
# fills PATH [NAME]: asks like git; the answer is in stdout.
fills() { printf 'protocol=http\nhost=%s\npath=%s\n%s\n' "$host" "$1" "${2:+username=$2
}" | authctl credential git get >stdout 2>stderr || fail "$1: $?"; }
fills corp/tool.git
grep -qF "password=$(<work.token)" stdout || fail "not the rule's account"
fills corp/group/tool.git
grep -qF "password=$(<work.token)" stdout || fail "not the rule's account, below"
fills ada/tool.git
grep -qF "password=$(<ada.token)" stdout || fail "not the current account"
fills corp/../ada/tool.git
grep -qF "password=$(<ada.token)" stdout || fail "not the current account, for a path with dots"
fills corp/tool.git ada@example.com
grep -qF "password=$(<ada.token)" stdout || fail "the name in the URL does not come first"
# In the repository too: what counts is where the token is sent.
repository clone "http://$host/corp/tool.git"
cd clone
fills ada/tool.git
grep -qF "password=$(<../ada.token)" stdout || fail "not the current account, in the repository"

#: accounts switch without an account asks with a numbered list.
two_accounts
. "$ROOT/Tests/ScriptTests/terminal.sh"
terminal 80 24 'authctl accounts switch'
shows 'Which account\?'
shows '2 +work \(grace@example.com\)|1 +work \(grace@example.com\)'
types work
shows 'ended with 0'
works authctl whoami --json
json "d['account']['email'] == 'grace@example.com'"
exits 64 authctl accounts switch
err 'hint: authctl accounts switch --help$'

#: If git fails, no other account is used in place of a rule's.
two_accounts
works authctl accounts rule add --git-config
git config --global authctl.account work
repository clone https://github.com/corp/tool.git
(cd clone && uses work)
printf '[broken' >>"$HOME/.gitconfig"
cd clone
for command in token whoami 'status --why'; do
    # shellcheck disable=SC2086
    exits 7 authctl $command
    err 'the rules cannot choose an account, because git failed: .*bad config'
    err 'hint: correct that, or choose an account with --account$'
done
works authctl token --account work
exits 1 authctl doctor --long
out 'WRONG +rules +.*git failed'
sed -i '/broken/d' "$HOME/.gitconfig"
git config --global authctl.account work
cd ..
works authctl accounts rule remove --git-config
works authctl accounts rule add --remote 'github.com/corp/*' work
(cd clone && exits 7 authctl token && err 'has a rule')
printf '[broken' >>clone/.git/config
(cd clone && exits 7 authctl token && err 'git failed')

#: In a working directory that was removed, rules are an error, and no other account is used.
two_accounts
mkdir -p real/inner
works authctl accounts rule add --directory real work
in_removed() { (mkdir -p real/inner && cd real/inner && rmdir ../inner && exec "$@"); }
exits 78 in_removed authctl token
err 'the working directory does not exist any more'
works in_removed authctl token --account work

#: A rule can be removed as it is listed after its directory became a link.
two_accounts
mkdir first
works authctl accounts rule add --directory first work
mv first second
ln -s second first
works authctl accounts rule list
out 'the directory was moved or removed'
works authctl accounts rule remove --directory "$PWD/first"
works authctl accounts rule list --json
json "d['rules'] == []"
