# Unexpected files in the store's folder, missing files, and a folder that cannot be written.

# fail_once: builds the library for `failing`.
fail_once() { cc -shared -fPIC -o fail_once.so "$ROOT/Tests/Torture/fail_once.c" -ldl 2>stderr || fail "not built"; }
# failing KIND ERRNO NUMBER COMMAND…: the call with this number fails, in KIND of fail_once.c; truncate makes its report.
failing() {
    local kind=$1 error=$2 number=$3
    shift 3
    rm -f report && truncate -s 4096 report
    env LD_PRELOAD="$PWD/fail_once.so" FAIL_ONCE="$PWD/report" FAIL_ONCE_PROGRAM=authctl FAIL_ONCE_CALL=$kind \
        FAIL_ONCE_NUMBER=$number FAIL_ONCE_ERRNO=$error "$@"
}

#: Refuses a pipe as the database's journal, and a locks directory that is a link or writable by others.
signed_in
d=$HOME/.config/authctl
for file in authctl.db-journal authctl.db-wal; do
    mkfifo -m 600 "$d/$file"
    exits 74 timeout $PATIENCE authctl token
    err "$file' is a link or not a regular file"
    rm "$d/$file"
done
mv "$d/locks" real-locks; ln -s "$PWD/real-locks" "$d/locks"
exits 74 authctl token --force-refresh
err "locks' is a link or not a directory"
rm "$d/locks"; touch "$d/locks"
exits 74 authctl token --force-refresh
err "hint: mv $d/locks $d/locks.old$"
exits 1 authctl doctor --long
out "WRONG +directory .*locks' is a link or not a directory"
rm "$d/locks"; mv real-locks "$d/locks"
chmod 777 "$d/locks"
exits 74 authctl token --force-refresh
err "hint: chmod 700 $d/locks"
exits 1 authctl doctor --long
out "chmod 700 $d/locks"
chmod 755 "$d/locks"
works authctl token --force-refresh
err 'its mode is now 0700'

#: Removes a second name that a killed process left on a file; refuses a file that another program linked.
signed_in
d=$HOME/.config/authctl
for file in key authctl.db; do
    ln "$d/$file" "$d/.$file.4711.123.tmp"
    works authctl token
    [ ! -e "$d/.$file.4711.123.tmp" ] || fail "the other name is still there"
    ln "$d/$file" "$d/$file.other"
    exits 74 authctl token
    err "$file' has a second name"
    bash -c "$(sed -n 's/.*hint: to use a copy of it: //p' stderr)" || fail "the hint does not work"
    works authctl token
    rm "$d/$file.other"
done
# Also before anything is encrypted.
export AUTHCTL_CONFIG_DIR=$PWD/fresh
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
cp "$d/key" fresh/key
chmod 600 fresh/key
ln fresh/key fresh/key.copy
authctl doctor --long >stdout 2>stderr || true
no_out 'store +whole'

#: If the key is lost, the hint moves the store aside; then sign-ins work with the same providers.
signed_in
d=$HOME/.config/authctl
rm "$d/key"
exits 74 authctl token
err "hint: restore the key; or start over.*: mv $d/authctl.db $d/authctl.db.lost\$"
sh -c "$(sed -n 's/.*hint: .*: mv/mv/p' stderr)"
works authctl providers list
out oidc.test
works authctl signin --provider oidc.test
works authctl token
echo 'no key' >"$d/key"
exits 74 authctl token --force-refresh
err "mv $d/key $d/key.lost\$"
sh -c "$(sed -n 's/.*hint: .*: mv/mv/p' stderr)"
works authctl signin --provider oidc.test
works authctl token

#: Waits only once for a process that holds the write lock.
signed_in
cat >hold.py <<'EOF'
import signal, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
signal.pause()
EOF
python3 hold.py "$HOME/.config/authctl/authctl.db" >held &
holder=$!
servers+=("$holder")
awaits held held
began=$EPOCHSECONDS
exits 74 authctl token
took=$((EPOCHSECONDS - began))
err 'store-busy'
[ $took -ge 30 ] && [ $took -le 50 ] || fail "$took seconds"
kill $holder

#: In a read-only directory, reading commands work, and no browser opens for a sign-in that could not be stored.
plain=()
# Root can write everywhere. Without these capabilities it is like any other user.
[ "$(id -u)" != 0 ] || plain=(setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search)
signed_in
d=$HOME/.config/authctl
chmod 500 "$d"
for command in token status whoami 'accounts list' 'providers list' 'pending list' 'token --header' 'profile list'; do
    works "${plain[@]}" authctl $command
done
before=$(requests authorize)
exits 74 "${plain[@]}" authctl signin --provider oidc.test
err "'$d' cannot be written to"
err "hint: chmod -R u\\+rwX $d"
exits 74 "${plain[@]}" authctl providers set oidc.test --scope openid
err "hint: chmod u\\+rwx $d$"
exits 74 "${plain[@]}" authctl signin --provider oidc.test --flow paste
no_err 'visit'
exits 74 "${plain[@]}" authctl token --force-refresh
[ "$(requests authorize)" = "$before" ] || fail "somebody was sent to the provider"
"${plain[@]}" authctl doctor --long >stdout 2>stderr || true
out 'cannot be written to'
chmod 700 "$d"
works authctl token --force-refresh

#: Registers nothing at a provider if the client could not be stored: the home is read-only, a limit on files, or a broken config.yaml.
plain=()
[ "$(id -u)" != 0 ] || plain=(setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search)
emulator
# each CODE COMMAND…: no way to register a client reaches the provider.
each() {
    local code=$1
    shift
    exits "$code" "$@" authctl providers add oidc.work --issuer "$ISSUER" --register
    exits "$code" "$@" authctl signin --resource "$ISSUER/api"
    exits "$code" "$@" python3 "$ROOT/Tests/Servers/terminal.py" -- authctl setup oidc.work --issuer "$ISSUER"
    [ "$(requests register)" = 0 ] || fail "a client was registered: $*"
}
chmod 500 "$HOME"
each 74 "${plain[@]}"
out "'$HOME.*' cannot be written to"
chmod 700 "$HOME"
each 74 bash -c '(ulimit -f 0; exec "$@") 2>&1 | cat; exit "${PIPESTATUS[0]}"' bash
mkdir -pm 700 "$HOME/.config/authctl"
echo 'profiles: [' >"$HOME/.config/authctl/config.yaml"
each 78

#: Shows the accounts of the local directory even if the settings cannot be read. The exit code is that of `token`.
signed_in
echo 'profiles: [' >>"$HOME/.config/authctl/config.yaml"
exits 78 authctl token
cp stderr token-error
exits 78 authctl status
out 'test/ada@example.com'
cmp stderr token-error || fail "another error than that of token"
works authctl accounts list
exits 78 authctl providers list

#: Reports a limit on the file size before a refresh token is used.
signed_in
before=$(requests 'token refresh_token')
exits 74 sh -c 'ulimit -f 8; exec authctl token --force-refresh'
err 'File too large'
[ "$(requests 'token refresh_token')" = "$before" ] || fail "the refresh token was spent"
works authctl token --force-refresh
[ "$(requests 'token refresh_token')" = $((before + 1)) ] || fail "not refreshed once"

#: The hint for a system's error says what helps.
signed_in
exits 74 sh -c 'ulimit -n 6; exec authctl token --force-refresh'
err 'hint: raise the limit of this shell: ulimit -S -n 1024$'
exits 74 authctl serve --socket "$PWD/missing/a.sock" --allow provider=oidc.test
err "hint: mkdir -p $PWD/missing$"

#: Immediately refuses a config file whose aliases would fill the memory, and leaves it unchanged.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
{
    printf 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n'
    for i in 1 2 3 4 5 6 7 8 9; do printf 'a%s: &a%s [%s *a%s]\n' $i $i "$(printf "*a$((i - 1)), %.0s" 1 2 3 4 5 6 7 8 9)" $((i - 1)); done
} >>"$HOME/.config/authctl/config.yaml"
cp "$HOME/.config/authctl/config.yaml" before
exits 78 timeout $PATIENCE authctl providers list
err 'its aliases expand to'
exits 78 timeout $PATIENCE authctl profile set --one-account-per-email off
cmp before "$HOME/.config/authctl/config.yaml"

#: A configuration directory that cannot be looked at is reported, and not taken for an empty one.
plain=()
[ "$(id -u)" != 0 ] || plain=(setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search)
signed_in
d=$HOME/.config/authctl
chmod 0 "$HOME/.config"
for command in token whoami status 'accounts list' 'providers list' signout 'signin --provider oidc.test' \
    'profile set --vault passphrase' 'providers remove oidc.test' 'providers set oidc.test --scope openid'; do
    # shellcheck disable=SC2086
    exits 74 "${plain[@]}" authctl $command
    err "error: the store cannot be used: cannot look at '$d': Permission denied \\(store-unavailable\\)"
    err "hint: chmod u\\+rwx $HOME/.config$"
done
exits 1 "${plain[@]}" authctl doctor --long
out "WRONG +directory +the store cannot be used: cannot look at '$d': Permission denied"
[ "$(grep -c WRONG stdout)" = 1 ] || fail "the same line twice"
chmod 700 "$HOME/.config"
chmod 0 "$d"
exits 74 "${plain[@]}" authctl token
err "cannot open '$d': Permission denied"
chmod 500 "$d"
exits 1 "${plain[@]}" authctl doctor --long
out "WRONG +directory +the store cannot be used: '$d' cannot be written to: Permission denied"
chmod 700 "$d"
works authctl token

#: A failing disk is reported with the system's reason, and not as damage.
signed_in
d=$HOME/.config/authctl
fail_once
seen=0
for number in {1..40}; do
    # Reads that fail with EIO.
    code=0; failing 1 5 $number authctl accounts list --json >stdout 2>stderr || code=$?
    record authctl accounts list --json
    no_err 'damaged'
    [ $code = 0 ] || { [ $code = 74 ] && failed 'e["code"] == "store-unavailable" and "Input/output error" in e["message"]'; }
    [ $code = 0 ] || seen=$((seen + 1))
done
[ $seen -gt 3 ] || fail "only $seen reads failed"
works authctl accounts list
seen=0
for number in {1..6}; do
    # Synchronization that fails with EIO.
    code=0; failing 3 5 $number authctl accounts name ada --json >stdout 2>stderr || code=$?
    record authctl accounts name --json
    [ $code = 0 ] || { [ $code = 74 ] && failed '"authctl.db" in e["message"] and "Input/output error" in e["message"]'; }
    [ $code = 0 ] || seen=$((seen + 1))
done
[ $seen -gt 0 ] || fail "nothing failed"
works authctl accounts name ada

#: A file system without locks is reported at once, with the variable that names another directory.
signed_in
fail_once
for command in token 'token --force-refresh' status 'accounts list' 'signin --provider oidc.test'; do
    code=0; failing 5 37 0 authctl $command --json >stdout 2>stderr || code=$?
    record authctl $command --json
    [ $code = 74 ] || fail "exit $code"
    failed 'e["code"] == "store-unavailable" and "has no locks" in e["message"] and "AUTHCTL_CONFIG_DIR" in e["hint"]'
done
code=0; failing 5 37 0 authctl doctor --long >stdout 2>stderr || code=$?
[ $code = 1 ] || fail "exit $code"
out "WRONG +store .*the file system of '$HOME/.config/authctl.*' has no locks"
works authctl token
