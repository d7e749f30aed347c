# The loopback listener beside strangers who hold its connections, or where it can open none.
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

# waits [FILES]: a sign-in that waits, in the background, and may open so many files; sets URL, SIGNIN and port.
waits() {
    (ulimit -Sn "${1:-1024}" && BROWSER=$PWD/browser exec authctl signin --timeout 100 >stdout 2>stderr) &
    SIGNIN=$!
    URL=$(awaits url 'http.*')
    port=$(grep -oE 'redirect_uri=http[^&]*' <<<"$URL" | grep -oE '3A[0-9]+' | cut -c3-)
}
# strangers COUNT: so many of them, connected to it.
strangers() {
    mkfifo leave
    python3 strangers.py "$port" "$1" <leave >strangers &
    servers+=($!)
    exec 3>leave
    awaits strangers held >/dev/null
}
# answered: the right callback comes, and ends the sign-in.
answered() {
    curl -sS -L --max-time 60 -o /dev/null "$URL"
    wait $SIGNIN || fail "exit $?"
    echo >&3
}

#: Thirty strangers who say nothing, where twenty-four files may be open, keep nobody out.
waits 24
strangers 30
answered

#: Where no connection can be opened it waits until one can, and does not use the processor up meanwhile.
waits
# The runtime opens a descriptor for each kind of timer when it is first set, and ends a process that has none left.
for _ in {1..100}; do
    [ "$(ls -l /proc/$SIGNIN/fd | grep -c timerfd)" -lt 2 ] || break
    read -rt 0.05 <> <(:) || true
done
ticks() { python3 -c "print(sum(map(int, open('/proc/$SIGNIN/stat').read().split()[13:15])))"; }
descriptors=$(ls /proc/$SIGNIN/fd | sort -n | tail -1)
prlimit --pid $SIGNIN --nofile=$((descriptors + 1)):
# Holes among the descriptors are filled first.
strangers 10
before=$(ticks)
next_second
next_second
next_second
after=$(ticks)
[ $((after - before)) -lt 100 ] || fail "$((after - before)) ticks of two seconds"
prlimit --pid $SIGNIN --nofile=64:
answered
