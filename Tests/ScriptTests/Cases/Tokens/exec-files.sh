# exec --renew --file-as: files with valid tokens, where SDKs look for them.

# claim FILE NAME: prints a claim of the ID token in a file.
claim() { python3 -c "import base64, json, sys; part = open(sys.argv[1]).read().split('.')[1]; print(json.loads(base64.urlsafe_b64decode(part + '=='))[sys.argv[2]])" "$1" "$2"; }
# holds FILE…: a command that prints the variables of files and its process, and waits until the file stop exists.
printf '#!/bin/bash\nfor name; do echo "$name=${!name}"; done\necho "process=$$"\necho "token=${AUTHCTL_TOKEN-none}${AUTHCTL_TOKEN_FILE-none}"\nwhile [ ! -e stop ]; do read -rt 0.05 <>"$NEVER" || :; done\n' >holds
chmod +x holds
mkdir -m 700 runtime
export XDG_RUNTIME_DIR=$PWD/runtime
# holding ARGUMENTS…: starts exec with it.
holding() {
    rm -f stop ran
    authctl exec --renew "$@" >ran 2>notes &
    EXEC=$!
    awaits ran '^token=' >/dev/null
}
# path NAME: prints the path of a file.
path() { sed -n "s/^$1=//p" ran; }
stopped() { touch stop; wait $EXEC || fail "exit $?: $(cat notes)"; [ -z "$(ls runtime)" ] || fail "left behind: $(ls -R runtime)"; }

#: Each file has its own token, and the environment has none unless --as asks for it.
signed_in
holding --file-as AWS_WEB_IDENTITY_TOKEN_FILE,type=id --file-as API_TOKEN_FILE -- ./holds AWS_WEB_IDENTITY_TOKEN_FILE API_TOKEN_FILE
works authctl token
[ "$(tr -d '\n' <stdout | base64)" = "$(base64 <"$(path API_TOKEN_FILE)")" ] || fail "not the access token"
works authctl token --type id
[ "$(cat stdout)" = "$(cat "$(path AWS_WEB_IDENTITY_TOKEN_FILE)")" ] || fail "not the ID token"
[ "$(stat -c %a "$(path API_TOKEN_FILE)")" = 600 ] && [ "$(stat -c %a "$(dirname "$(path API_TOKEN_FILE)")")" = 700 ] || fail "others can read it"
[ "$(path token)" = nonenone ] || fail "the token is in the environment"
stopped
holding --as API_TOKEN --file-as ID_TOKEN_FILE,type=id -- ./holds API_TOKEN ID_TOKEN_FILE AUTHCTL_TOKEN_FILE
[ "$(cat stdout)" = "$(cat "$(path ID_TOKEN_FILE)")" ] || fail "not the ID token"
[ "$(path API_TOKEN)" = "$(cat "$(path AUTHCTL_TOKEN_FILE)")" ] || fail "not the access token"
[ "$(wc -l <"$(path AUTHCTL_TOKEN_FILE)")" = 0 ] || fail "it ends with a newline"
stopped

#: Wrong values are errors before anything runs.
signed_in
while read -r words; do
    # shellcheck disable=SC2086
    exits 64 authctl exec $words -- touch ran
    [ ! -e ran ] || fail "it was run"
done <<'W'
--file-as A
--renew --file-as 1A
--renew --file-as A,type=refresh
--renew --file-as A,audience=
--renew --file-as A,other=1
--renew --file-as A --file-as A,type=id
--renew --file-as A --as A
--renew --file-as A,type=access,audience=b
--renew --file-as A,audience=b
--renew --file-as A,audience=b --repository a/b
W
err "repository cannot be used with"
exits 64 authctl exec --renew --file-as A,audience=b -- touch ran
err 'does not issue tokens for other audiences, as CI systems do'
err 'hint: exchange the token: add --exchange ID$'
exits 127 authctl exec --renew --file-as A -- no-such-command-here
[ -z "$(ls runtime)" ] || fail "left behind"
works authctl providers set oidc.test --dpop
works authctl signin --provider oidc.test
exits 78 authctl exec --renew --file-as A,type=id --file-as B -- touch ran
[ -z "$(ls runtime)" ] && [ ! -e ran ] || fail "left behind"

#: The tokens are refreshed before they expire, and exchanged ones are exchanged again.
emulator --client-secret client-secret-1 --access-ttl 2
secret_file client-secret-1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
works authctl signin --provider oidc.test
holding --min-ttl 1 --exchange oidc.test --file-as A,audience=https://a.example --file-as B -- ./holds A B
! cmp -s "$(path A)" "$(path B)" || fail "one token"
cp "$(path A)" first
until ! cmp -s "$(path A)" first; do pause 0.05; done
stopped

#: In a CI job the platform is asked for each audience, and again before the token expires.
github_job --id-ttl 3
works authctl signin --ci auto --audience https://api.example.com
holding --min-ttl 1 --file-as AWS_WEB_IDENTITY_TOKEN_FILE,audience=sts.amazonaws.com --file-as AZURE_FEDERATED_TOKEN_FILE,audience=api://AzureADTokenExchange --file-as OWN \
    -- ./holds AWS_WEB_IDENTITY_TOKEN_FILE AZURE_FEDERATED_TOKEN_FILE OWN
[ "$(claim "$(path AWS_WEB_IDENTITY_TOKEN_FILE)" aud)" = sts.amazonaws.com ] || fail "not for AWS"
[ "$(claim "$(path AZURE_FEDERATED_TOKEN_FILE)" aud)" = api://AzureADTokenExchange ] || fail "not for Azure"
[ "$(claim "$(path OWN)" aud)" = https://api.example.com ] || fail "not the session's"
for name in AWS_WEB_IDENTITY_TOKEN_FILE AZURE_FEDERATED_TOKEN_FILE OWN; do
    first=$(claim "$(path $name)" jti)
    until [ "$(claim "$(path $name)" jti)" != "$first" ]; do pause 0.05; done
done
[ "$(claim "$(path AWS_WEB_IDENTITY_TOKEN_FILE)" aud)" = sts.amazonaws.com ] || fail "no longer for AWS"
[ ! -s notes ] || fail "$(cat notes)"
stopped
exits 64 authctl exec --renew --file-as A,type=access,audience=b -- true

#: If the token cannot be refreshed, the file stays until the token has expired, and notes say why.
emulator --access-ttl 6 --id-ttl 6
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl token --force-refresh
holding --min-ttl 5 --file-as TOKEN_FILE -- ./holds TOKEN_FILE
kill "$EMULATOR"
expiry=$(authctl token --json --min-ttl 0 | python3 -c 'import json, sys; print(json.load(sys.stdin)["expires_on"])') || true
awaits notes 'did not refresh' >/dev/null
[ -s "$(path TOKEN_FILE)" ] || [ "$EPOCHSECONDS" -ge "$expiry" ] || fail "the file went before its token expired"
while [ -e "$(path TOKEN_FILE)" ]; do pause 0.05; done
[ "$EPOCHSECONDS" -ge "$expiry" ] || fail "the file went before its token expired"
stopped
[ "$(grep -c 'did not refresh' notes)" = 1 ] && [ "$(grep -c 'not refreshed: cannot reach' notes)" = 1 ] || fail "$(cat notes)"
[ "$(tail -n 1 notes)" = "authctl: the token has expired, and its file was removed" ] || fail "$(cat notes)"

#: A new session of the same account ends the outage: the file is there again.
emulator --access-ttl 2
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
holding --min-ttl 1 --file-as TOKEN_FILE -- ./holds TOKEN_FILE
works authctl signout
while [ -e "$(path TOKEN_FILE)" ]; do pause 0.05; done
works authctl signin --provider oidc.test
until [ -e "$(path TOKEN_FILE)" ]; do pause 0.05; done
stopped

#: SIGTERM removes the files; those of a killed process are removed by the next one.
signed_in
holding --file-as A --file-as B,type=id -- ./holds A B
kill -TERM $EXEC
code=0
wait $EXEC || code=$?
[ $code = 143 ] && [ -z "$(ls runtime)" ] || fail "exit $code, and $(ls -R runtime)"
# A signal can also arrive just after the command starts, or before it. These system calls return late, to make time for it.
for call in clone,clone3 mkdirat; do
    strace -f -qq -o calls -e trace=$call -e "inject=$call:delay_exit=300000" authctl exec --renew --file-as A -- \
        bash -c 'kill -TERM $PPID; read -rt 30 <>"$NEVER"' 2>notes &
    EXEC=$!
    if [ $call = mkdirat ]; then
        until [ -n "$(ls runtime)" ]; do pause 0.01; done
        pkill -TERM -P $EXEC
    fi
    code=0
    wait $EXEC || code=$?
    [ $code = 143 ] && [ -z "$(ls runtime)" ] || fail "$call: exit $code, and $(ls -R runtime)"
done
holding --file-as A --file-as B,type=id -- ./holds A B
left=$(path B)
kill -KILL $EXEC
wait $EXEC 2>/dev/null || true
[ -e "$left" ] || fail "nothing was left"
# The first file is missing if its token could not be refreshed.
rm "$(path A)"
works authctl exec --renew --file-as A -- true
[ -z "$(ls runtime)" ] || fail "the tokens of a killed process are still there"
touch stop
# The command of the killed process ends before its directory is removed.
while [ -e "/proc/$(path process)/cwd" ]; do pause 0.05; done
