# The machine: a system without /proc, directories and files of others, and other local users.

# skipped WHY: ends a story that cannot run here.
skipped() { echo "skipped: $*"; exit 0; }

# without_proc COMMAND…: runs it in a mount namespace whose /proc is empty.
without_proc() {
    local user=()
    [ "$(id -u)" = 0 ] || user=(--user --map-root-user)
    unshare "${user[@]}" --mount sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"
}
has_mount_namespace() { without_proc true 2>/dev/null || skipped "this run may not make a mount namespace"; }

#: Without /proc each command gets its arguments.
has_mount_namespace
exits 4 without_proc authctl token
err 'hint: '
exits 64 without_proc authctl token --provider
exits 64 without_proc authctl verify --issuer
works without_proc authctl --version
works without_proc authctl providers list
works without_proc authctl-emulator --help
out 'Local identity providers'

#: Without /proc a token is printed and refreshed, and a command gets it.
has_mount_namespace
signed_in
works authctl token
cp stdout token
works without_proc authctl token
cmp stdout token
works without_proc authctl token --force-refresh --json
works without_proc authctl exec -- sh -c '[ -n "$AUTHCTL_TOKEN" ]'
works without_proc authctl status
