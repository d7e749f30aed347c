# A browser on another machine: the lines of docs/remote.md, with a real container and a real SSH server.
. "$ROOT/Tests/ScriptTests/terminal.sh"

# skipped WHY: ends a story that cannot run here.
skipped() { echo "skipped: $*"; exit 0; }
# line START: the line of the page that begins with this text.
line() { awk -v start="$1" 'index($0, start) == 1 {on = 1} on {print} on && !/\\$/ {exit}' "$ROOT/docs/remote.md"; }
number() { grep -oE 'Enter [0-9]{4} at the terminal' page | head -n 1 | grep -oE '[0-9]+'; }

#: A tunnel of ssh -L: the browser's request arrives at the port of the remote machine, from the SSH server.
. "$ROOT/Tests/ScriptTests/ssh.sh"
emulator
works authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client
remote=$(free_port)
near=$(free_port)
# Both machines are this one, so the ports differ.
tunnel=$(line 'ssh -L ')
[ "$tunnel" = 'ssh -L 8400:127.0.0.1:8400 host' ] || fail "$tunnel"
tunnel=${tunnel/8400:127.0.0.1:8400/$near:127.0.0.1:$remote}
eval "$tunnel" 2>ssh.log &
servers+=($!)
awaits ssh.log 'Local connections to .* forwarded' >/dev/null
terminal 600 24 "authctl signin work --port $remote --no-browser"
shows 'Waiting, '
callback=$(curl -sS -o /dev/null -w '%{redirect_url}' "$(grep -oE "$ISSUER/authorize[^ ]*" screen)")
curl -sS -L -o page -H 'Accept: text/html' --connect-to "127.0.0.1:$remote:127.0.0.1:$near" "$callback"
grep -q '<h1>Signed in to ' page || fail "$(cat page)"
shows 'ended with 0'

#: In a container, the browser reaches the published port only with --listen, and a code or a pasted URL needs none.
[ "$(id -u)" = 0 ] || skipped "a network of containers needs root"
unshare -m -n true 2>/dev/null || skipped "this run may not make a network"
mkdir -p files/usr/bin
for program in authctl authctl-emulator; do strip -o "files/usr/bin/$program" "$BIN/$program"; done
ldd "$BIN/authctl" "$BIN/authctl-emulator" /bin/sh /usr/bin/curl /usr/bin/mkfifo | grep -oE '/[^ ]+\.so[^ ]*' | sort -u |
    xargs cp -L --parents -t files /bin/sh /usr/bin/curl /usr/bin/mkfifo /lib/*/libgcc_s.so.1
# The container has the provider too. It signs in twice. glibc loads libgcc_s where a thread ends itself.
cat >files/start <<'S'
export HOME=/ AUTHCTL_CONFIG_DIR=/config
mkfifo /url
authctl-emulator --auto-approve >/url 2>/emulator.log &
read -r ISSUER </url
authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client
echo "$ISSUER" >/issuer
"$@"
echo "ended with $?"
S
tar -C files -cf image.tar .
printf '%s\n' '[containers]' 'cgroups = "disabled"' 'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]' \
    '[engine]' 'cgroup_manager = "cgroupfs"' 'events_logger = "none"' >containers.conf
export CONTAINERS_CONF=$PWD/containers.conf STORAGE_DRIVER=vfs
# A network of its own, in which the host has the ports of the page.
unshare -m -n sh -c 'ip link set lo up && mount -t cgroup2 none /sys/fs/cgroup && mount -t tmpfs none /run && mount -t tmpfs none /var/lib && exec sleep 1000' &
host=$!
servers+=("$host")
until grep -q ' /var/lib ' "/proc/$host/mounts"; do pause 0.05; done
on_host() { nsenter -t "$host" -m -n "--wd=$PWD" "$@"; }
podman=(on_host podman --root "$PWD/images" --runroot /run/containers)
works "${podman[@]}" import "$PWD/image.tar" image
run=$(line '$ docker run ')
[[ $run == '$ docker run -it -p 127.0.0.1:8400:8400 IMAGE' ]] || fail "$run"
signin=$(line '$ authctl signin work --listen')
[ "$signin" = '$ authctl signin work --listen 0.0.0.0 --port 8400' ] || fail "$signin"
run="nsenter -t $host -m -n podman --root $PWD/images --runroot /run/containers ${run/#'$ docker run'/run --name NAME}"
run=${run/IMAGE/image}
# in_container NAME COMMAND: runs it on the terminal of a new container, and sets CALLBACK.
in_container() {
    terminal 600 24 "${run//NAME/$1} sh /start $2"
    shows '/authorize|Waiting, '
    # Without --listen, a container shows a code first.
    grep -q /authorize screen || presses u
    shows /authorize
    local url
    url=$(grep -oE 'http://127.0.0.1:[0-9]+/authorize[^ ]*' screen)
    # The provider's page, which only the container has.
    CALLBACK=$("${podman[@]}" exec "$1" curl -sS -o /dev/null -w '%{redirect_url}' "$url")
}
in_container plain 'authctl signin work --port 8400 --no-browser'
! on_host curl -sS -o page "$CALLBACK" 2>curl.err || fail "$(cat page)"
presses C-c
shows 'ended with 130'
"${podman[@]}" rm -f plain >/dev/null
in_container published "${signin#'$ '}"
on_host curl -sS -o page "$CALLBACK"
shows 'Number that the browser shows'
types "$(number)"
shows 'ended with 0'
"${podman[@]}" rm -f published >/dev/null

# The first two ways need no port.
terminal 600 24 "${run//NAME/device} sh /start authctl signin work --flow device"
shows 'emulator/device'
shows 'ended with 0'
"${podman[@]}" rm -f device >/dev/null
in_container pasted 'authctl signin work --flow paste'
types "$CALLBACK"
shows 'ended with 0'
"${podman[@]}" rm -f pasted >/dev/null
