# The shells complete options and existing providers, accounts and profiles; an alias is completed like its command.
bash -n "$ROOT/completions/authctl.bash"
zsh -n "$ROOT/completions/_authctl"
fish --no-execute "$ROOT/completions/authctl.fish"
for shell in bash:authctl.bash zsh:_authctl fish:authctl.fish; do
    works authctl completion "${shell%%:*}"
    cmp stdout "$ROOT/completions/${shell#*:}"
done
exits 64 authctl completion tcsh
signed_in
works authctl profile use work --create
works authctl profile use default
works authctl profile set --profile cloud --directory firebase --api-key k --project-id p
cat >ask.bash <<'B'
. "$ROOT/completions/authctl.bash"
# ask WORD…: prints the completions of the last word.
ask() {
    COMP_WORDS=(authctl "$@"); COMP_CWORD=$#; COMP_LINE="authctl $*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMPREPLY=()
    _authctl authctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "$*:" "${COMPREPLY[@]}" | tr '\n' ' '; echo
}
ask token --provider ''
ask login --provider ''
ask --profile w
ask -q accounts -q switch ''
ask accounts switch ''
ask logout --rev
ask log
ask ''
ask status --profile w
ask token --profile work --provider ''
ask providers show gi
ask signin spot
ask providers add git
ask completion ''
ask use ''
ask use kubectl ''
ask signin --profile cloud --provider ''
ask link --profile cloud --provider ''
ask token --profile cloud --provider ''
B
export ROOT
works bash ask.bash
out '^token --provider : oidc\.test $'
out '^login --provider : oidc\.test $'
out '^--profile w: work $'
out '^-q accounts -q switch : ada@example\.com $'
out '^accounts switch : ada@example\.com $'
out '^logout --rev: --revoke $'
out '^log: login logout $'
# Former commands are not offered.
out '^: .* signin signout '
no_out '^: .*(setup|credential|whoami|pending)'
out '^status --profile w: work $'
out '^token --profile work --provider : *$'
out '^providers show gi: github\.com $'
out '^signin spot: spotify $'
out '^providers add git: github\.com gitea gitlab $'
out '^completion : bash zsh fish $'
out '^use : git docker kubectl aws gcp mcp claude-code codex vscode cursor opencode goose $'
out '^use kubectl : oidc\.test $'
# A project has sign-in methods without a provider.
out '^signin --profile cloud --provider : emailLink anonymous $'
out '^link --profile cloud --provider : emailLink $'
out '^token --profile cloud --provider : *$'
# A zsh and a fish, each in its own terminal, with an authctl that records what was completed.
cat >ask.zsh <<'Z'
zmodload zsh/zpty
lines=('login --provider oid' 'logout --rev' 'logi' 'status --profile wor' 'providers show git' 'accounts switch ad'
    '-q --profile wor' '--json stat' 'accounts -q swi' 'token --config-dir two\ w' '--config-dir two\ w')
zpty child 'zsh -f -i'
zpty -w child "fpath=($ROOT/completions \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w child 'authctl() { if [[ $1 = ---completion ]]; then command authctl "$@"; else print -r -- "$*" >>asked.zsh; fi }'
for line in $lines; do zpty -w child "authctl $line"$'\t'; done
zpty -w child exit
while zpty -r child said; do :; done
zpty -d child
zpty child 'fish --no-config -i'
zpty -w child "source $ROOT/completions/authctl.fish"
zpty -w child 'function authctl; echo $argv >>asked.fish; end'
for line in $lines; do zpty -w child "authctl $line"$'\t'; done
zpty -w child exit
while zpty -r child said; do :; done
Z
mkdir -p 'two words'
works zsh -f ask.zsh
for shell in zsh fish; do
    mv asked.$shell stdout
    out '^login --provider oidc\.test$'
    out '^logout --revoke$'
    out '^login$'
    out '^status --profile work$'
    out '^providers show github\.com$'
    out '^accounts switch ada@example\.com$'
    out '^-q --profile work$'
    out '^--json status$'
    out '^accounts -q switch$'
    out '^token --config-dir two words/?$'
    out '^--config-dir two words/?$'
done
works mandoc -T lint -W warning "$ROOT"/man/*.1
