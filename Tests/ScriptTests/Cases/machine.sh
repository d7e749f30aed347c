# A system without /proc, directories and files of other users, and other local users.

# skipped WHY: ends a story that cannot run here.
skipped() { echo "skipped: $*"; exit 0; }

# without_proc COMMAND…: runs it in a mount namespace whose /proc is empty.
own_proc=(unshare --mount sh -c 'mount -t tmpfs none /proc && exec "$@"' sh)
[ "$(id -u)" = 0 ] || own_proc=(unshare --user --map-root-user "${own_proc[@]:1}")
without_proc() { "${own_proc[@]}" "$@"; }
has_mount_namespace() { without_proc true 2>/dev/null || skipped "this run may not make a mount namespace"; }

# modes PATH…: their modes on one line.
modes() { stat -c %a "$@" | tr '\n' ' '; }
# other_user COMMAND…: runs it as a second user, whose home directory is $PWD/theirs.
other_user() { HOME=$PWD/theirs setpriv --reuid 54321 --regid 54321 --clear-groups "$@"; }
two_users() {
    [ "$(id -u)" = 0 ] || skipped "two users need root"
    mkdir theirs && chown 54321:54321 theirs && chmod 711 "$PWD/.." "$PWD"
}
# callbacks: two users, and a provider.
callbacks() {
    two_users
    emulator
    printf '#!/bin/sh\nprintf "%%s\\n" "$1" >url.part\nmv url.part url\n' >browser
    chmod +x browser
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client "$@"
}
# waits COMMAND…: runs it in the background until it waits for its callback; sets CALLBACK, as the provider redirects to it.
waits() {
    rm -f url
    BROWSER=$PWD/browser "$@" >stdout 2>stderr &
    WAITING=$!
    CALLBACK=$(curl -sS -o /dev/null -w '%{redirect_url}' "$(awaits url 'http.*')")
}
# refuses_others: the other user's callback is refused, and this user's callback ends the sign-in.
refuses_others() {
    [ "$(other_user curl -sS -o /dev/null -w '%{http_code}' "$CALLBACK")" = 404 ] || fail "another user's callback was accepted"
    other_user /usr/bin/python3 - "$CALLBACK" <<'P'
import socket, struct, sys, urllib.parse
url = urllib.parse.urlsplit(sys.argv[1])
request = f"GET {url.path}?{url.query} HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode()
for ending in ("close", "reset", "shutdown"):
    with socket.create_connection((url.hostname, url.port)) as connection:
        connection.sendall(request)
        if ending == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if ending == "shutdown":
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1000)
P
    kill -0 $WAITING || fail "the sign-in ended"
    curl -sS -L -o /dev/null "$CALLBACK"
    wait $WAITING || fail "exit $?"
}

#: Without /proc, each command gets its arguments.
has_mount_namespace
exits 4 without_proc authctl token
err 'hint: '
exits 64 without_proc authctl token --provider
exits 64 without_proc authctl verify --issuer
works without_proc authctl --version
works without_proc authctl-emulator --help
out 'Run local identity providers'

#: Without /proc, a stored token is printed.
has_mount_namespace
signed_in
works authctl token
cp stdout token
works without_proc authctl token
cmp stdout token

#: Without /proc, a user can sign in, and commands can run longer than a second.
# Libdispatch looks at its threads in /proc each second, and ends the process if it cannot.
has_mount_namespace
signed_in --access-ttl 1
for round in 1 2 3; do
    works without_proc authctl signin --provider oidc.test
    works without_proc authctl token --force-refresh
done
works without_proc authctl exec --renew --min-ttl 1 -- sh -c 'first=$(cat "$AUTHCTL_TOKEN_FILE"); while [ "$(cat "$AUTHCTL_TOKEN_FILE")" = "$first" ]; do :; done'
BROWSER=true exits 3 without_proc authctl signin --provider oidc.test --timeout 4
err 'timed out waiting for the sign-in'
# The user decides after three seconds.
without_proc authctl signin --provider oidc.test --flow device >device.out 2>device.err </dev/null &
device=$!
page=$(awaits device.err 'http[^ ]+user_code=[A-Z-]+')
until [ "$(requests 'token urn:ietf:params:oauth:grant-type:device_code')" -gt 0 ]; do next_second; done
curl -sS -o /dev/null "$page&decision=allow"
wait $device || fail "exit $? from the device flow: $(cat device.err)"
rm -f emulator.url && mkfifo emulator.url
"${own_proc[@]}" authctl-emulator >emulator.url 2>emulator.log &
servers+=("$!")
read -r ISSUER <emulator.url
for _ in 1 2 3 4; do
    next_second
    works curl -sSf -o /dev/null "$ISSUER/jwks"
done

#: A command that only reads does not change the mode of a configuration directory.
mkdir -p work/deeper && chmod 755 work work/deeper && echo 'version: 2' >work/config.yaml && chmod 644 work/config.yaml
ln -s work link
cd work
for command in token status doctor 'providers list' 'profile list' whoami 'accounts list' 'pending list'; do
    for directory in . deeper "$PWD" "$PWD/../work"; do
        AUTHCTL_CONFIG_DIR=$directory authctl $command >stdout 2>stderr </dev/null || true
        authctl $command --config-dir "$directory" >stdout 2>stderr </dev/null || true
    done
    authctl $command --config-dir ../link >stdout 2>stderr </dev/null || true
done
[ "$(modes . deeper config.yaml)" = '755 755 644 ' ] || fail "modes $(modes . deeper config.yaml)"
[ -z "$(ls deeper)" ] || fail "files were made"

#: A writing command does not change the mode of a directory with other files, and creates private files in it.
emulator
mkdir -p work/.git && chmod 755 work
export AUTHCTL_CONFIG_DIR=$PWD/work
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl token --force-refresh
works authctl providers set oidc.test --scope openid
[ "$(modes work work/.git)" = '755 755 ' ] || fail "modes $(modes work work/.git)"
[ "$(modes work/authctl.db work/key work/config.yaml work/locks)" = '600 600 600 700 ' ] || fail "what it made is open"
# The same with a single file of another program.
mkdir site && echo page >site/index.html && chmod 755 site
works authctl --config-dir site providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl --config-dir site signin
[ "$(modes site)" = '755 ' ] || fail "modes $(modes site)"

#: As root, no command changes the mode of the root directory or of /tmp.
has_mount_namespace
mkdir system
cat >system.sh <<'S'
mount -t tmpfs none system && mkdir -m 1777 system/tmp && chmod 755 system || exit 1
for directory in system system/tmp; do
    for command in token status doctor 'providers list' signout; do
        authctl $command --config-dir "$directory" </dev/null 2>>errors
    done
    authctl providers add oidc.test --issuer https://id.example.com --client-id c --config-dir "$directory" 2>>errors
    ls "$directory"
done
stat -c 'mode %a' system system/tmp
S
works without_proc sh system.sh
out '^mode 755'
out '^mode 1777'
! grep -E 'chmod|chown' errors || fail "a hint would change a directory of the system"

#: As root, refuses to write to another user's home directory and to follow that user's link.
two_users
other_user mkdir theirs/.config
HOME=$PWD/theirs exits 74 authctl providers add github.com --client-id client-1
err "'$PWD/theirs', on the path to '.*', belongs to user 54321"
err 'hint: .*sudo -H'
[ -z "$(ls -A theirs/.config)" ] || fail "root made files there"
other_user mkdir theirs/.config/authctl
for command in 'providers list' 'profile list'; do
    HOME=$PWD/theirs exits 74 authctl $command
    err "'$PWD/theirs', on the path to '.*', belongs to user 54321"
done
mkdir mine public && chmod 1777 public && mkdir -m 700 mine/authctl
other_user ln -s "$PWD/mine" public/link
XDG_CONFIG_HOME=$PWD/public/link exits 74 authctl providers list
err "'$PWD/public/link', on the path to '.*', belongs to user 54321"
ln -s mine own
works env XDG_CONFIG_HOME="$PWD/own" authctl providers list

#: Refuses a configuration directory that another user can replace, through a directory or in a user namespace.
two_users
mkdir -p open/inner && mkdir -m 700 open/inner/authctl
chmod 777 open
for command in 'providers list' 'providers add github.com --client-id c'; do
    XDG_CONFIG_HOME=$PWD/open/inner exits 74 authctl $command
    err "'$PWD/open', on the path to '$PWD/open/inner/authctl', can be written to by other users, mode 0777"
    err "hint: chmod go-w $PWD/open, or set AUTHCTL_CONFIG_DIR"
done
chmod 1777 open
works env XDG_CONFIG_HOME="$PWD/open/inner" authctl providers add github.com --client-id c
# With the umask 0002, the user's own group can write.
other_user mkdir -m 775 theirs/.config
works other_user authctl providers add github.com --client-id c
chgrp 12345 theirs/.config
exits 74 other_user authctl providers list
err "'$PWD/theirs/.config', on the path to .*, can be written to by other users, mode 0775"
# In a user namespace, root and a third user have the same number, 65534. In /tmp, where everybody can create files, only
# the user's own are trusted.
open=$(mktemp -d /tmp/authctl-namespace.XXXXXX)
trap 'rm -rf "$open"; finish' EXIT
chown 54321 "$open" && chmod 1777 "$open"
mkdir -m 700 "$open/theirs" "$open/theirs/authctl" && chown 54321 "$open/theirs" "$open/theirs/authctl"
namespace=(other_user unshare --user --map-user=1000)
if ! "${namespace[@]}" true 2>/dev/null; then exit 0; fi
works "${namespace[@]}" authctl providers list --config-dir "$open/theirs/authctl"
mkdir -m 711 "$open/third" && mkdir -m 700 "$open/third/authctl" && chown 12345 "$open/third" && chown 54321 "$open/third/authctl"
exits 74 "${namespace[@]}" authctl providers list --config-dir "$open/third/authctl"
err "'$open/third', on the path to .*, belongs to user 65534"

#: Refuses every kind of secret file that other users can read or write.
emulator --client-secret client-secret-1
secret_file client-secret-1
secret_file a-passphrase passphrase
secret_file a-token token
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass file:passphrase -out key.pem 2>/dev/null
add=(authctl providers add oidc.test --replace --issuer "$ISSUER" --client-id emulator-client)
by_key=("${add[@]}" --private-key "$PWD/key.pem" --private-key-passphrase-file "$PWD/passphrase")
export AUTHCTL_GITHUB_COM_TOKEN_FILE=$PWD/token
for mode in 604 640 620 602; do
    chmod $mode secret passphrase token key.pem
    exits 74 "${add[@]}" --client-secret-file "$PWD/secret"
    err "'$PWD/secret' contains a secret, but can be read or written by other users \(mode 0$mode\)"
    err "hint: chmod 600 $PWD/secret"
    exits 74 "${by_key[@]}"
    err "'$PWD/key.pem' contains a secret"
    chmod 600 key.pem
    exits 74 "${by_key[@]}"
    err "'$PWD/passphrase' contains a secret"
    exits 74 authctl token --provider github.com
    err "'$PWD/token' contains a secret"
    [ ! -s stdout ] || fail "something was printed"
done
chmod 600 secret passphrase token
works "${add[@]}" --client-secret-file "$PWD/secret"
works "${by_key[@]}"
works authctl token --provider github.com
works "${add[@]}" --client-secret-file <(cat secret)

#: Accepts a secret file of root that its group can read, or that all users can read on a read-only mount.
two_users
has_mount_namespace
mkdir mounted
secret_file a-token mounted/token
chown 0:54321 mounted/token
reads() { AUTHCTL_GITHUB_COM_TOKEN_FILE=$PWD/mounted/token "$1" other_user authctl token --provider github.com "${@:2}"; }
exits_74() { exits 74 "$@"; }
chmod 640 mounted/token
reads works
for mode in 644 660; do
    chmod $mode mounted/token
    reads exits_74
    err "'$PWD/mounted/token' contains a secret, but can be read or written by other users"
    err 'hint: sudo chown'
done
chmod 444 mounted/token
export -f other_user
works unshare --mount bash -c 'mount --bind mounted mounted && mount -o remount,bind,ro mounted &&
    AUTHCTL_GITHUB_COM_TOKEN_FILE=$PWD/mounted/token other_user authctl token --provider github.com'
[ "$(cat stdout)" = a-token ] || fail "$(cat stdout)"
chown 12345 mounted/token && chmod 644 mounted/token
reads exits_74
err 'contains a secret, but belongs to user 12345'

#: A sign-in and a link accept the callback from a socket of this user, and refuse another user's.
callbacks
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
waits authctl signin --provider oidc.test
refuses_others
waits authctl link --provider oidc.other
other_user curl -sS -o /dev/null "$CALLBACK"
kill -0 $WAITING || fail "the link ended"
kill $WAITING

#: Another user's callback is refused over IPv6 too.
python3 -c "import socket; socket.socket(socket.AF_INET6).bind(('::1', 0))" 2>/dev/null || skipped "this machine has no IPv6"
callbacks --redirect-uri "http://[::1]:$(free_port)/callback"
waits authctl signin --provider oidc.test
case $CALLBACK in 'http://[::1]:'*) ;; *) fail "the callback is $CALLBACK" ;; esac
refuses_others
