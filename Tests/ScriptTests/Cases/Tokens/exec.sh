# exec runs a command with the token in its environment, and otherwise unchanged.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl token
token=$(cat stdout)

#: The token is in AUTHCTL_TOKEN, or in the variables that --as names.
works authctl exec -- sh -c 'echo "$AUTHCTL_TOKEN"'
[ "$(cat stdout)" = "$token" ] || fail "another token"
works authctl exec --as GITHUB_TOKEN --as GH_TOKEN -- sh -c 'echo "$GITHUB_TOKEN $GH_TOKEN ${AUTHCTL_TOKEN-none}"'
[ "$(cat stdout)" = "$token $token none" ] || fail "names"
works authctl exec --type id -- sh -c 'echo "$AUTHCTL_TOKEN"'
out '^eyJ'

#: Preserves the command's exit status, signals, arguments, input and limits, and removes client secrets from its environment.
for code in 0 1 3 77; do exits_as=0; authctl exec -- sh -c "exit $code" || exits_as=$?; [ $exits_as = $code ] || fail "exit $exits_as, not $code"; done
code=0
authctl exec -- sh -c 'kill -TERM $$' || code=$?
[ $code = 143 ] || fail "exit $code after SIGTERM"
[ "$(echo input | authctl exec -- cat)" = input ] || fail "standard input"
[ "$(authctl exec -- printf '%s|' a 'b c' '' -x)" = 'a|b c||-x|' ] || fail "arguments"
# Arguments and variables that are not UTF-8 keep their bytes.
for renew in '' --renew; do
    # shellcheck disable=SC2086
    [ "$(NAME=$'\xe9' authctl exec $renew -- sh -c 'printf %s "$NAME$1"' sh $'\xff.txt' | od -An -tx1)" = ' e9 ff 2e 74 78 74' ] || fail "other bytes $renew"
done
export AUTHCTL_OIDC_TEST_CLIENT_SECRET=client-secret-of-ours
[ "$(authctl exec -- sh -c 'echo ${AUTHCTL_OIDC_TEST_CLIENT_SECRET-gone}')" = gone ] || fail "a secret was handed on"
unset AUTHCTL_OIDC_TEST_CLIENT_SECRET
# Also a variable that the provider configuration names. The browser does not get it either.
export SECRET_OF_OURS=client-secret-of-ours
works authctl providers add oidc.named --issuer "$ISSUER" --client-id emulator-client --client-secret-env SECRET_OF_OURS
[ "$(authctl exec -- sh -c 'echo ${SECRET_OF_OURS-gone}')" = gone ] || fail "a secret was handed on"
printf '#!/bin/sh\necho "${SECRET_OF_OURS-gone}" >seen\nexec curl -sS -L -o /dev/null "$1"\n' >browser
chmod +x browser
BROWSER=$PWD/browser works authctl signin --provider oidc.test
[ "$(cat seen)" = gone ] || fail "the browser was told a secret"
works authctl providers remove oidc.named
# If config.yaml cannot be read, it is unknown which variables are secrets.
cp "$HOME/.config/authctl/config.yaml" config.yaml
echo 'profiles: [' >>"$HOME/.config/authctl/config.yaml"
exits 78 authctl exec -- touch ran
[ ! -e ran ] || fail "it was run"
cat config.yaml >"$HOME/.config/authctl/config.yaml"
# A closed pipe ends the command as without authctl, and the limits are unchanged.
code=0
(authctl exec -- sh -c 'yes'; echo $? >yes-status) | head -n 1 >/dev/null || true
awaits yes-status '^141$'
[ "$(authctl exec -- sh -c 'ulimit -c')" = "$(ulimit -c)" ] || fail "the core limit"
count='set -- /proc/self/fd/*; echo $#'
[ "$(authctl exec -- bash -c "$count")" = "$(bash -c "$count")" ] || fail "descriptors"
[ "$(sh -c "ulimit -f 100000; exec authctl exec -- sh -c 'ulimit -f'")" = 100000 ] || fail "the file size limit"

#: Passes inherited file descriptors to the command: process substitution, sockets, a jobserver.
[ "$(authctl exec -- cat <(echo substituted))" = substituted ] || fail "a substituted file"
[ "$(authctl exec --renew -- cat <(echo substituted))" = substituted ] || fail "a substituted file with --renew"
exec 7<<<inherited
[ "$(authctl exec -- bash -c 'read -r line <&7; echo "$line"')" = inherited ] || fail "an open descriptor"
exec 7<&-
printf 'all: ; +@authctl exec -- $(MAKE) -s --no-print-directory -f inner\n' >Makefile
printf 'all: a b\na b: ; @echo $(MAKEFLAGS)\n' >inner
make -j3 2>stderr >stdout || fail "make"
out jobserver
no_err 'jobserver unavailable'

#: A preloaded library that changes the environment before main does not hide the arguments.
echo '#include <stdlib.h>
__attribute__((constructor)) static void early(void) { setenv("SET_EARLY", "1", 1); }' >early.c
gcc -shared -fPIC -o early.so early.c
[ "$(LD_PRELOAD=$PWD/early.so authctl token)" = "$token" ] || fail "the arguments were not seen"
works env LD_PRELOAD="$PWD/early.so" authctl exec -- echo 'two words' ''
out '^two words $'

#: Reports a command that cannot be run as a shell does, and runs nothing without a session.
exits 127 authctl exec -- no-such-command-here
err "no-such-command-here.*No such file"
exits 126 authctl exec -- "$PWD"
exits 64 authctl exec
exits 64 authctl exec --as 1x -- true
for name in PATH ENV BASH_ENV LD_PRELOAD LD_LIBRARY_PATH GLIBC_TUNABLES; do
    exits 64 authctl exec --as $name -- true
    err "'$name' changes how programs are found or loaded, so it cannot be the variable of a token"
    exits 64 authctl exec --renew --file-as $name -- true
done
works authctl signout
exits 4 authctl exec -- touch ran
[ ! -e ran ] || fail "it was run"

#: --renew keeps a valid token in a file while the command runs, and removes the file afterwards.
export AUTHCTL_CONFIG_DIR=$PWD/short
emulator --access-ttl 2
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl exec --renew --min-ttl 1 -- sh -c 'echo "$AUTHCTL_TOKEN_FILE"; stat -c %a "$AUTHCTL_TOKEN_FILE"; first=$(cat "$AUTHCTL_TOKEN_FILE"); while [ "$(cat "$AUTHCTL_TOKEN_FILE")" = "$first" ]; do :; done; exit 0'
[ "$(sed -n 2p stdout)" = 600 ] || fail "its mode"
[ ! -e "$(sed -n 1p stdout)" ] || fail "it is still there"
code=0
authctl exec --renew -- sh -c 'exit 9' || code=$?
[ $code = 9 ] || fail "exit $code"
code=0
authctl exec --renew -- sh -c 'kill -KILL $$' || code=$?
[ $code = 137 ] || fail "exit $code after SIGKILL"
# SIGTERM to authctl reaches the command.
authctl exec --renew -- bash -c 'trap "echo got it; exit 5" TERM; echo ready; while :; do read -rt 1 <>"$NEVER" || :; done' >ran &
exec=$!
awaits ran ready
kill -TERM $exec
code=0
wait $exec || code=$?
[ $code = 5 ] && grep -q 'got it' ran || fail "exit $code: $(cat ran)"
# So do SIGINT and SIGQUIT, with which some container images are stopped. A shell's background processes ignore them.
for signal in INT QUIT; do
    : >ran
    env --default-signal authctl exec --renew -- bash -c 'trap "echo got it; exit 5" INT QUIT; echo ready; while :; do read -rt 1 <>"$NEVER" || :; done' >ran &
    exec=$!
    awaits ran ready
    kill -$signal $exec
    code=0
    wait $exec || code=$?
    [ $code = 5 ] && [ "$(grep -c 'got it' ran)" = 1 ] || fail "exit $code after SIG$signal: $(cat ran)"
done
[ "$(authctl exec --renew -- sh -c 'ulimit -c')" = "$(ulimit -c)" ] || fail "the core limit"
# A signal that the caller ignores, as nohup(1) does, does not end the command.
mkfifo go
: >ran
(trap '' HUP; exec authctl exec --renew -- sh -c 'echo ready; read -r _ <go; kill -HUP $$; echo ended') >ran &
exec=$!
awaits ran ready
kill -HUP $exec
echo >go
wait $exec && grep -q ended ran || fail "SIGHUP ended it: $(cat ran)"
# A runtime directory that other users can write or replace is not used. The next process removes the files of a killed one.
mkdir -p shared/inner own && chmod 777 shared && chmod 700 own shared/inner
for directory in shared shared/inner; do
    XDG_RUNTIME_DIR=$PWD/$directory authctl exec --renew -- sh -c 'echo "$AUTHCTL_TOKEN_FILE"' >stdout
    out '^/tmp/authctl-exec'
done
XDG_RUNTIME_DIR=$PWD/own authctl exec --renew -- bash -c 'echo "$AUTHCTL_TOKEN_FILE"; while [ -d own ] && [ ! -e stop ]; do read -rt 0.1 <>"$NEVER" || :; done' >where &
exec=$!
awaits where "^$PWD/own/authctl-exec" >/dev/null
left=$(cat where)
XDG_RUNTIME_DIR=$PWD/own works authctl exec --renew -- true
[ -e "$left" ] || fail "the token of a living process was removed"
kill -KILL $exec
wait $exec 2>/dev/null || true
[ -e "$left" ] || fail "nothing was left"
XDG_RUNTIME_DIR=$PWD/own works authctl exec --renew -- true
[ ! -e "$left" ] && [ -z "$(ls own)" ] || fail "the token of a killed process is still there"
touch stop
