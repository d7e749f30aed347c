# The loopback listener while other clients hold its connections, or while it cannot accept any.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
printf '#!/bin/sh\nprintf "%%s\\n" "$1" >url.part\nmv url.part url\n' >browser
chmod +x browser
cat >strangers.py <<'P'
import socket, sys
held = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(int(sys.argv[2]))]
print("held", flush=True)
sys.stdin.readline()
P

# A command that runs the sign-in with a limit.
LIMITED=()
# waits [FILES]: starts a sign-in in the background that may open so many files; sets URL, SIGNIN and port.
waits() {
    (ulimit -Sn "${1:-1024}" && BROWSER=$PWD/browser exec "${LIMITED[@]}" authctl signin --timeout 100 >stdout 2>stderr) &
    SIGNIN=$!
    URL=$(awaits url 'http.*')
    port=$(grep -oE 'redirect_uri=http[^&]*' <<<"$URL" | grep -oE '3A[0-9]+' | cut -c3-)
}
# strangers COUNT: opens this number of idle connections to the listener.
strangers() {
    mkfifo leave
    python3 strangers.py "$port" "$1" <leave >strangers &
    servers+=($!)
    exec 3>leave
    awaits strangers held >/dev/null
}
# answered: sends the callback, which must end the sign-in.
answered() {
    curl -sS -L --max-time 60 -o /dev/null "$URL"
    wait $SIGNIN || fail "exit $?"
    echo >&3
}

#: Thirty idle connections with a limit of twenty-four open files do not block the callback.
waits 24
strangers 30
answered

#: If the listener cannot accept connections, it waits without using the processor.
# Only `accept` fails: Swift's libdispatch ends a process that cannot open its files of /proc.
LIMITED=(strace -f -ttt -o calls -e trace=accept,accept4 -e inject=accept,accept4:error=EMFILE:when=1..40)
waits
strangers 10
answered
python3 - <<'P'
failed = [float(line.split()[1]) for line in open("calls") if "EMFILE" in line]
# strace counts the calls of each thread. A pause of 50 ms follows each call that fails.
assert len(failed) >= 20, failed
assert all(later - earlier >= 0.045 for earlier, later in zip(failed, failed[1:])), failed
P

#: With few open files, a sign-in succeeds or ends at once with one error and the way out.
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
export BROWSER="curl -sS -L -o /dev/null"
for limit in {8..24}; do
    code=0
    (ulimit -Sn "$limit" && exec timeout 60 authctl signin --provider oidc.other --timeout 50 >stdout 2>stderr </dev/null) || code=$?
    [ $code = 0 ] && continue
    [ $code = 69 ] || [ $code = 74 ] || fail "exit $code with $limit files"
    [ "$(grep -c '^authctl: error: .*Too many open files' stderr)" = 1 ] || fail "the error with $limit files"
    err '^authctl: hint: .*ulimit -S -n 1024'
    [ "$limit" -lt 20 ] || fail "$limit files are enough"
done
