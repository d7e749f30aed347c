# Many parallel sign-ins for one provider: one browser, and all succeed.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client

#: Fifty parallel sign-ins send one authorization request and get the same result.
cat >browser <<'B'
#!/bin/bash
echo opened >>"$OPENED"
exec curl -sS -L -o /dev/null "$1"
B
chmod +x browser
export BROWSER=$PWD/browser OPENED=$PWD/opened
# The first sign-in waits until the others have started.
mkfifo paste
authctl signin --flow paste --json <paste >first.out 2>first.err &
first=$!
exec 3>paste
url=$(awaits first.err "$ISSUER/authorize[^ ]*")
others=()
for n in $(seq 49); do
    authctl signin --json >out.$n 2>err.$n &
    others+=($!)
done
for n in $(seq 49); do awaits err.$n 'another sign-in to .* by process'; done
curl -sS -o /dev/null -w '%{redirect_url}\n' "$url" >&3
exec 3>&-
wait $first || fail "the first"
record_files first.out first.err authctl signin --json
for n in $(seq 49); do
    wait "${others[n - 1]}" || { cat err.$n; fail "number $n"; }
    record_files out.$n err.$n authctl signin --json
    python3 -c "import json; d=json.load(open('out.$n')); assert d['account'] == json.load(open('first.out'))['account'] and d['credential']['hasRefreshToken'], d" || fail "number $n: another result"
done
[ ! -e opened ] || fail "opened a browser"
[ "$(requests authorize)" = 1 ] || fail "$(requests authorize) authorization requests"

#: If the first sign-in fails, the next one starts, even if a previous one has succeeded.
works authctl signin
older 60
mkfifo paste
authctl signin --flow paste <paste >first.out 2>first.err &
first=$!
exec 3>paste
awaits first.err "$ISSUER/authorize"
authctl signin >second.out 2>second.err &
second=$!
awaits second.err 'another sign-in to .* by process [0-9]+ since 2[0-9]{3}-[^ ]+Z'
kill -KILL $first
exec 3>&-
wait $second || fail "the second: $(cat second.err)"
[ "$(requests authorize)" = 2 ] || fail "the second used the result of the previous sign-in"

#: A link, another provider and another profile do not wait for a pending sign-in; waiting ends at the timeout.
mkfifo paste
authctl signin --flow paste <paste >first.out 2>first.err &
servers+=($!)
exec 3>paste
awaits first.err "$ISSUER/authorize"
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.other
works authctl link --provider oidc.test
no_err 'another sign-in'
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --profile work
works authctl signin --provider oidc.test --profile work
exits 3 authctl signin --provider oidc.test --timeout 1
err '.timeout.'

#: A sign-in for another user or a client without a user does not wait for a pending one, and does not use its result.
mkfifo paste
authctl signin --flow paste <paste >first.out 2>first.err &
servers+=($!)
exec 3>paste
awaits first.err "$ISSUER/authorize"
works authctl signin --login-hint grace@example.com
no_err 'another sign-in'
works authctl signin --max-age 60
no_err 'another sign-in'
exec 3>&-

#: A sign-in with --dpop does not use the bearer tokens of the one that it waited for.
signs_in_by_paste "$ISSUER/authorize[^ ]*"
authctl signin --dpop --json >second.out 2>second.err &
second=$!
awaits second.err 'another sign-in'
curl -sS -o /dev/null -w '%{redirect_url}\n' "$url" >&3
exec 3>&-
wait $signin || fail "the first"
wait $second || fail "the second: $(cat second.err)"
cp second.out stdout
json "d['credential']['binding'] == 'dpop'"
