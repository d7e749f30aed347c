# Without a user or a writable store, there is one error line, at most one hint and the right exit code, without waiting.

# ends CODE COMMAND…: like exits, but with the caller's standard input; the command must not hang.
ends() {
    local wanted=$1 code=0
    shift
    timeout $PATIENCE "$@" >stdout 2>stderr || code=$?
    [ $code = "$wanted" ] || fail "exit $code, not $wanted, from: $*"
    [ "$(grep -c '^authctl: error: ' stderr)" = 1 ] || fail "not one error line"
    [ "$(grep -c '^authctl: hint: ' stderr)" -le 1 ] || fail "several hints"
    record "$@"
}

# on_terminal COMMAND…: runs it on a terminal without input; SHOWN is its output.
on_terminal() { CODE=0; timeout $PATIENCE python3 "$ROOT/Tests/Servers/terminal.py" -- "$@" >shown 2>&1 || CODE=$?; }

configured() {
    emulator
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
}

#: With CI=1, does not prompt or open a browser, even on a terminal.
configured
works authctl signin --provider oidc.test
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
for value in 0 no False; do
    code=0
    python3 "$ROOT/Tests/Servers/terminal.py" '[y/N]=n' -- env CI=$value authctl accounts delete >shown || code=$?
    [ $code = 2 ] || { cat shown; fail "CI=$value is taken for a CI job"; }
done
export CI=1 BROWSER="touch opened"
for command in "signin --provider oidc.test" "signin --provider oidc.test --flow device" "link --provider oidc.other" "reauth"; do
    on_terminal authctl $command
    [ $CODE = 4 ] || { cat shown; fail "exit $CODE from: $command"; }
done
on_terminal authctl signin
[ $CODE = 64 ] || { cat shown; fail "exit $CODE: several providers"; }
on_terminal authctl accounts delete
[ $CODE = 64 ] || { cat shown; fail "exit $CODE: no --yes"; }
on_terminal authctl signin --provider password --email a@example.com
[ $CODE = 4 ] || { cat shown; fail "exit $CODE: no password"; }
on_terminal authctl signin --provider password --email a@example.com --create
[ $CODE = 4 ] || { cat shown; fail "exit $CODE: no password"; }
[ ! -e opened ] || fail "opened a browser"
works authctl whoami

#: On a terminal, names a server that does not answer within two seconds. Ctrl-C ends it.
signed_in
kill -STOP "$EMULATOR"
CODE=0
python3 "$ROOT/Tests/Servers/terminal.py" 'waiting for 127.0.0.1 (Ctrl-C cancels)=^C' -- authctl token --force-refresh >shown || CODE=$?
kill -CONT "$EMULATOR"
[ $CODE = 130 ] || { cat shown; fail "exit $CODE"; }
works authctl token

#: Reports standard input that is closed or empty.
configured
for input in "<&-" "</dev/null"; do
    ends 64 bash -c "authctl signin --id-token - $input"
    ends 64 bash -c "authctl signin --provider password --email a@example.com --password-stdin $input"
    ends 2 bash -c "authctl signin --flow paste $input"
    ends 65 bash -c "authctl signin --complete x $input"
done
works authctl signin
ends 64 bash -c "authctl accounts import - <&-"
ends 65 bash -c "authctl accounts import - </dev/null"
ends 64 bash -c "authctl accounts delete <&-"
authctl signin --begin >begun 2>stderr
record_files begun stderr authctl signin --begin
begun=$(grep -oE '"id":"[0-9a-f]+' begun | cut -d'"' -f4)
ends 64 bash -c "authctl signin --complete $begun <&-"
ends 64 bash -c "authctl signin --complete $begun </dev/null"

#: A closed standard output or a full disk is an error.
configured
works authctl signin
code=0; authctl token >&- 2>stderr || code=$?
[ $code = 74 ] || fail "exit $code"
for command in token whoami 'accounts list' 'token --header' 'providers list' --version --help; do
    # shellcheck disable=SC2086
    code=0; authctl $command >/dev/full 2>stderr || code=$?
    [ $code = 74 ] || fail "exit $code from: $command"
    err '^authctl: error: standard output cannot be written to: No space left on device \(output-failed\)$'
    err '^authctl: hint: the command was completed; check the file or the disk of its output$'
done
for command in token whoami 'accounts list' status 'providers list'; do
    # shellcheck disable=SC2086
    code=0; authctl $command --json >/dev/full 2>stderr || code=$?
    [ $code = 74 ] || fail "exit $code from: $command --json"
    record authctl $command --json
    failed '{n: v for n, v in e.items() if v} == {"code": "output-failed", "message": "standard output cannot be written to: No space left on device", "hint": "the command was completed; check the file or the disk of its output"}'
done

#: Files that authctl opens do not replace standard streams that are closed.
configured
works authctl signin
authctl token >first
for _ in 1 2 3; do
    authctl token --force-refresh --verbose <&- >&- 2>&- && code=0 || code=$?
    [ $code = 74 ] || fail "exit $code with nothing open"
    authctl signin --verbose <&- 2>&- >stdout || fail "exit $? without standard error"
done
ends 64 bash -c "authctl signin --id-token - <&-"
err 'standard input cannot be read: Bad file descriptor'
authctl token 2>&- >stdout || fail "exit $?"
works python3 -c "import sqlite3; print(sqlite3.connect('$HOME/.config/authctl/authctl.db').execute('PRAGMA integrity_check').fetchone()[0])"
out '^ok$'
works authctl exec -- sh -c '[ -e /proc/self/fd/0 ]'
code=0; authctl exec -- sh -c '[ ! -e /proc/$$/fd/0 ]' <&- || code=$?
[ $code = 0 ] || fail "the command got another standard input than its caller's"

#: Without HOME, uses the home directory in the user database, or reports what to set.
configured
works env -u HOME XDG_CONFIG_HOME="$HOME/.config" authctl providers list
out oidc.test
works env -u HOME AUTHCTL_CONFIG_DIR="$HOME/.config/authctl" authctl providers list
ends 64 env HOME=relative XDG_CONFIG_HOME= AUTHCTL_CONFIG_DIR= authctl signin --nonce x
if [ "$(id -u)" = 0 ]; then nobody="setpriv --reuid 54321 --clear-groups"; else nobody="unshare --user --map-user=54321"; fi
ends 78 $nobody env -u HOME PATH="$PATH" authctl token
err 'set AUTHCTL_CONFIG_DIR'

#: If HOME cannot be written, only commands that must write report it, with the directory.
export HOME=/sys
ends 4 authctl token
ends 4 authctl whoami
ends 78 authctl signin
export AUTHCTL_OIDC_TEST_CLIENT_ID=x AUTHCTL_OIDC_TEST_ISSUER=https://id.example.com
ends 74 authctl signin --provider oidc.test
err "cannot make '/sys/.config'"

#: Without a browser and a terminal, fails immediately with one line. If a browser opens, waits for it.
configured
for browser in /does/not/exist "$PWD" "" '"/opt/My Browser'; do
    BROWSER=$browser exits 4 authctl signin --flow browser
    no_err 'authorize|waiting'
    [ "$(wc -l <stderr)" = 2 ] || fail "one error and one hint"
    err 'hint: to print the URL instead: add --no-browser$'
done
BROWSER=false exits 3 authctl signin --timeout 1
err 'error: sign-in failed: timed out waiting for the sign-in after 1 s'
err 'hint: the page in the browser may show the reason$'
exits 4 authctl signin --no-input

#: The doctor reports problems and how to fix them, and --report contains no private data.
configured
works authctl signin
works authctl doctor --long
out "^ok +directory"
out "^ok +store"
out "^ok +oidc.test +discovery: issuer"
chmod 644 "$HOME/.config/authctl/key"
exits 1 authctl doctor --json
json "[c for c in d['checks'] if c['status'] == 'wrong' and 'chmod 600' in c['remedy']]"
chmod 600 "$HOME/.config/authctl/key"
BROWSER=/does/not/exist exits 1 authctl doctor --long
out "WRONG +browser +'/does/not/exist' cannot be run"
out '→ set BROWSER'
BROWSER='"/opt/My Browser' exits 1 authctl doctor --long
out "WRONG +browser +'\"/opt/My Browser' cannot be run"
SSL_CERT_FILE=/does/not/exist exits 1 authctl doctor --long
out 'WRONG +certificates'
AUTHCTL_SYSTEM_CONFIG_DIR=rel works authctl doctor --long
out 'note +organization +AUTHCTL_SYSTEM_CONFIG_DIR is ignored: it is not an absolute path'
AUTHCTL_SYSTEM_CONFIG_DIR=/does/not/exist works authctl doctor --report
out 'organization . AUTHCTL_SYSTEM_CONFIG_DIR names a directory that does not exist'
no_out '/does/not'
SSL_CERT_FILE=/does/not/exist exits 1 authctl doctor --report
no_out '/does/not'
cp -r "$HOME/.config/authctl" saved
printf 'garbage%.0s' {1..1000} | dd of="$HOME/.config/authctl/authctl.db" conv=notrunc status=none
exits 1 authctl doctor --long
out 'WRONG +store .*damaged'
out "start over, without accounts, sessions and client secrets: mv $HOME/.config/authctl/authctl.db "
rm -rf "$HOME/.config/authctl" && cp -r saved "$HOME/.config/authctl"
kill "$EMULATOR"
exits 1 authctl doctor --report
out '\| wrong \| <provider 1> \| cannot reach'
no_out "$HOME|ada@example.com|emulator-client|oidc.test"
mkdir -p "$AUTHCTL_SYSTEM_CONFIG_DIR/conf.d"
echo 'providers: {oidc.acmecorp: {issuer: 1}}' >"$AUTHCTL_SYSTEM_CONFIG_DIR/conf.d/acmecorp.yaml"
chmod -R u=rwX,go=rX "$AUTHCTL_SYSTEM_CONFIG_DIR"
AUTHCTL_OIDC_ACMECORP_TOKEN=t exits 1 authctl doctor --report --profile acmecorp
out "\| wrong \| organization \| '<organization's file 1>'"
out "profile '<profile>'"
out 'set: AUTHCTL_<provider>_TOKEN, '
no_out '[aA][cC][mM][eE]'
mv "$HOME/.config/authctl/config.yaml" config.yaml
printf 'profiles:\n  default:\n    providers:\n' >"$HOME/.config/authctl/config.yaml"
for setting in private_key:\ /srv/acmecorp/key.pem client_secret_file:\ /srv/acme\ corp/secret client_secret_env:\ ACME_SECRET certificate:\ /srv/acmecorp/a; do
    echo "      oidc.${#setting}: {client_id: c, issuer: https://id.acme.example, $setting}" >>"$HOME/.config/authctl/config.yaml"
done
exits 1 authctl doctor --report
out "private_key: '<path>' cannot be read"
out "<variable 1>, which is not set"
no_out '[aA][cC][mM][eE]'
mv config.yaml "$HOME/.config/authctl/config.yaml"
HTTPS_PROXY=http://user:hunter2secret@proxy.example:3128 exits 1 authctl doctor --report
no_out 'hunter2secret|proxy.example'

#: A report has no places, repositories and accounts of rules, and no host of an emulator.
signed_in
works authctl accounts rule add --remote 'git.acme.example/acme/*' ada@example.com
mkdir -p 'acme merger'
works authctl accounts rule add --directory 'acme merger' ada@example.com
uid=$(authctl accounts list --field accounts.0.uid)
git init -q work
git -C work remote add origin https://git.acme.example/acme/work
(cd work && exits 1 authctl doctor --report && no_out "[aA][cC][mM][eE]|$uid" && out '. wrong . rules . .*not confirmed')
works authctl accounts delete --yes
exits 1 authctl doctor --report
out '. wrong . rules . the account of the rule for .<rule>. does not exist .'
no_out "[aA][cC][mM][eE]|$uid"
works authctl profile set --directory firebase --api-key key --project-id project
FIREBASE_AUTH_EMULATOR_HOST=auth.acme.example:9099 exits 1 authctl doctor --report
no_out '[aA][cC][mM][eE]'
