# The shells read the completions, and complete providers and accounts that exist.
bash -n "$ROOT/completions/authctl.bash"
zsh -n "$ROOT/completions/_authctl"
fish --no-execute "$ROOT/completions/authctl.fish"
signed_in
cat >ask.bash <<'B'
. "$ROOT/completions/authctl.bash"
COMP_WORDS=(authctl token --provider ''); COMP_CWORD=3; COMP_LINE='authctl token --provider '; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
_authctl authctl '' --provider; printf '%s\n' "${COMPREPLY[@]}"
COMP_WORDS=(authctl accounts switch ''); COMP_CWORD=3; COMP_LINE='authctl accounts switch '; COMP_POINT=${#COMP_LINE}
_authctl authctl '' switch; printf '%s\n' "${COMPREPLY[@]}"
B
export ROOT
works bash ask.bash
out '^oidc\.test$'
out '^ada@example\.com$'
works mandoc -T lint -W warning "$ROOT/man/authctl.1" "$ROOT/man/authctl-emulator.1"
