# The socket of `authctl serve` in containers: the lines of docs/agents.md, with podman without root and with docker's daemon.

# skipped WHY: ends a story that cannot run here.
skipped() { echo "skipped: $*"; exit 0; }
[ "$(id -u)" = 0 ] || skipped "two users need root"
unshare -m true 2>/dev/null || skipped "this run may not make a mount namespace"

# In a copy of /etc: a user with other user IDs for its containers; dockerd would write there. One hierarchy of cgroups, because
# crun refuses a mixture.
cp -a /etc etc
echo "container:x:54321:54321::$PWD/theirs:/bin/sh" >>etc/passwd
echo container:x:54321: >>etc/group
echo container:600000:65536 | tee etc/subuid >etc/subgid
isolated=(unshare -m sh -c 'mount --bind etc /etc && mount -t cgroup2 none /sys/fs/cgroup && mount -t tmpfs none /run && exec "$@"' sh)
user=("${isolated[@]}" setpriv --reuid 54321 --regid 54321 --clear-groups env HOME="$PWD/theirs" USER=container TMPDIR="$PWD/theirs")
chmod 711 "$PWD/.." "$PWD"
install -d -m 700 -o 54321 -g 54321 theirs theirs/run
export XDG_RUNTIME_DIR=$PWD/theirs/run
socket=$XDG_RUNTIME_DIR/authctl.sock
audit=$PWD/theirs/.config/authctl/serve-audit.jsonl

# An image with nothing but authctl, a shell, and their libraries.
mkdir -p files/usr/bin
strip -o files/usr/bin/authctl "$BIN/authctl"
ldd "$BIN/authctl" /bin/sh | grep -oE '/[^ ]+\.so[^ ]*' | sort -u | xargs cp -L --parents -t files /bin/sh
tar -C files -cf image.tar .
chmod 644 image.tar

emulator
works "${user[@]}" authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works "${user[@]}" authctl signin --provider oidc.test
# serving: starts the server, and waits until it serves.
serving() {
    : >serve.err
    "${user[@]}" authctl serve --socket "$socket" --allow provider=oidc.test 2>serve.err &
    SERVER=$!
    servers+=("$SERVER")
    awaits serve.err '^authctl: serving ' >/dev/null
}
serving
"${user[@]}" authctl token >token
cat token >>secrets

# run PROGRAM [FLAGS…]: the line of the page that starts with this program, with these flags, for a real image.
run() {
    local program=$1 line
    shift
    line=$(awk -v start="^$program run " '$0 ~ start {on = 1} on {print} on && !/\\$/ {exit}' "$ROOT/docs/agents.md")
    [[ $line == *" IMAGE COMMAND" ]] || fail "the page has no line for $program"
    line=${line/#$program run/'"${user[@]}"' $program run $*}
    line=${line/%IMAGE COMMAND/image authctl token}
    # As the user's shell prints it.
    line=${line//id -u/echo 54321}
    eval "$line"
}
gets_the_token() { works run "$@"; cmp -s stdout token || fail "another token"; }

#: Rootless podman: root in the container is this user. Another user is not, unless --userns keep-id makes it this one.
# Low limits: podman would raise them, for which a test may lack the rights.
printf '%s\n' '[containers]' 'netns = "none"' 'cgroups = "disabled"' 'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]' \
    '[engine]' 'cgroup_manager = "cgroupfs"' 'events_logger = "none"' >containers.conf
export CONTAINERS_CONF=$PWD/containers.conf STORAGE_DRIVER=vfs
works "${user[@]}" podman import image.tar image
# It remains for later containers.
servers+=("$(cat "$XDG_RUNTIME_DIR/libpod/tmp/pause.pid")")
gets_the_token podman
exits 69 run podman --user 1234
err "'/run/authctl.sock' cannot be used: Permission denied"
gets_the_token podman --userns keep-id
[ "$(grep -c '"outcome":"given".*"user":54321' "$audit")" = 2 ] || fail "$(cat "$audit")"
# A container that has the directory uses the server's next socket too; one that has the file does not.
mkfifo go
"${user[@]}" podman run --rm -i -v "$XDG_RUNTIME_DIR:/run/host" -v "$socket:/run/authctl.sock" image sh -c 'for time in first second; do
    for socket in /run/host/authctl.sock /run/authctl.sock; do
        if AUTHCTL_SOCKET=$socket authctl token >/dev/null 2>&1; then echo "$time $socket"; else echo "$time none"; fi
    done
    read -r _
done' <go >uses 2>podman.err &
container=$!
servers+=("$container")
exec 3>go
awaits uses '^first /run/authctl.sock' >/dev/null
kill "$SERVER"
wait "$SERVER"
serving
echo >&3
awaits uses '^second none' >/dev/null
echo >&3
wait "$container" || fail "$(cat podman.err)"
[ "$(cat uses)" = "$(printf '%s\n' 'first /run/host/authctl.sock' 'first /run/authctl.sock' 'second /run/host/authctl.sock' 'second none')" ] || fail "$(cat uses podman.err)"

#: docker's daemon runs as root: --user makes the process in the container this user.
# The client and the daemon are those of one package, which .ci/install unpacks.
PATH=$ROOT/.build/docker/usr/bin:$ROOT/.build/docker/usr/sbin:$PATH
export DOCKER_HOST=unix://$PWD/docker.sock DOCKER_CONFIG=$PWD/theirs/.docker
"${isolated[@]}" unshare --net dockerd --bridge none --iptables=false --ip-forward=false --storage-driver vfs --data-root "$PWD/images" --exec-root "$PWD/exec" \
    --pidfile "$PWD/docker.pid" --host "$DOCKER_HOST" --group 54321 --default-ulimit nofile=1024 >docker.log 2>&1 &
servers+=($!)
awaits docker.log 'API listen on' >/dev/null
works docker import image.tar image
gets_the_token docker
exits 7 "${user[@]}" docker run --rm -v "$socket:/run/authctl.sock" -e AUTHCTL_SOCKET=/run/authctl.sock image authctl token
err 'belongs to a process of user 54321'
