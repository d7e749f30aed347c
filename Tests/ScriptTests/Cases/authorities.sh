# TLS trusts only the certificate authorities in SSL_CERT_FILE and checks the name in a certificate.
mkdir -p site/.well-known

# authority NAME: makes NAME.pem, the certificate of a CA, and its key.
authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.pem" -days 2 -subj "/CN=$1" \
        -addext basicConstraints=critical,CA:TRUE >>openssl.log 2>&1
}

# certified CA SUBJECT [EXTENSION]: makes cert.pem and key.pem, signed by that CA.
certified() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.csr -subj "$2" >>openssl.log 2>&1
    printf '%s\n' "${3:-basicConstraints=CA:FALSE}" >extensions
    openssl x509 -req -in cert.csr -CA "$1.pem" -CAkey "$1.key" -CAcreateserial -days "${4:-2}" -extfile extensions -out cert.pem >>openssl.log 2>&1
}

# serves HOST [FLAGS…]: a TLS server for the files in site; sets ISSUER.
serves() {
    serves_site "${@:2}"
    ISSUER="https://$1:$PORT"
    python3 - "$ISSUER" >site/.well-known/openid-configuration <<'P'
import json, sys
base = sys.argv[1]
print(json.dumps({"issuer": base, "authorization_endpoint": base + "/a", "token_endpoint": base + "/t", "jwks_uri": base + "/jwks"}))
P
}
authority known
authority pinned

#: SSL_CERT_FILE replaces all CAs of the system, including those in its CA directory.
# A mount namespace in which /etc/ssl/certs is the directory `certs`.
if [ "$(id -u)" = 0 ]; then namespace=(unshare -m); else namespace=(unshare -rm); fi
with_certs() { "${namespace[@]}" bash -c 'mount --bind certs /etc/ssl/certs && exec "$@"' with_certs "$@"; }
certified known /CN=localhost subjectAltName=DNS:localhost
serves localhost
mkdir certs
cp known.pem "certs/$(openssl x509 -in known.pem -noout -subject_hash).0"
cp pinned.pem certs/ca-certificates.crt
if ! with_certs true 2>/dev/null; then echo "skipped: this user cannot make a mount namespace"; exit 0; fi
unset SSL_CERT_FILE
works with_certs authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
export SSL_CERT_FILE=$PWD/pinned.pem
exits 69 with_certs authctl providers add oidc.pinned --issuer "$ISSUER" --client-id c
err 'was signed by an unknown CA'
exits 1 authctl doctor --long
out 'certificates +only those of SSL_CERT_FILE'

#: The system's CAs are those of its file and of its directory.
if [ "$(id -u)" = 0 ]; then namespace=(unshare -m); else namespace=(unshare -rm); fi
with_certs() { "${namespace[@]}" bash -c 'mount --bind certs /etc/ssl/certs && exec "$@"' with_certs "$@"; }
certified known /CN=localhost subjectAltName=DNS:localhost
serves localhost
mkdir certs
cp /etc/ssl/certs/ca-certificates.crt others.pem
hashed=certs/$(openssl x509 -in known.pem -noout -subject_hash).0
unset SSL_CERT_FILE
cat others.pem known.pem >certs/ca-certificates.crt
if ! with_certs true 2>/dev/null; then echo "skipped: this user cannot make a mount namespace"; exit 0; fi
works with_certs authctl providers add oidc.file --issuer "$ISSUER" --client-id c
cp others.pem certs/ca-certificates.crt
exits 69 with_certs authctl providers add oidc.neither --issuer "$ISSUER" --client-id c
err 'was signed by an unknown CA'
cp known.pem "$hashed"
works with_certs authctl providers add oidc.directory --issuer "$ISSUER" --client-id c
rm certs/ca-certificates.crt
works with_certs authctl providers add oidc.alone --issuer "$ISSUER" --client-id c
# Another CA of the same name is not the right one.
rm "$hashed"
mkdir other && (cd other && authority known)
cat others.pem other/known.pem >certs/ca-certificates.crt
exits 69 with_certs authctl providers add oidc.namesake --issuer "$ISSUER" --client-id c
cat other/known.pem known.pem >certs/ca-certificates.crt
works with_certs authctl providers add oidc.namesakes --issuer "$ISSUER" --client-id c

#: A chain leads to a CA in a file in each way that OpenSSL knows.
certified known /CN=middle basicConstraints=critical,CA:TRUE
mv cert.pem middle.pem
mv key.pem middle.key
certified middle /CN=localhost subjectAltName=DNS:localhost
# chain STATUS WHAT CA-FILES…: the exit code of a request, whose server sends the flags in `sends`.
chain() {
    cat "${@:3}" >trusted.pem
    SSL_CERT_FILE=$PWD/trusted.pem exits "$1" authctl providers add "oidc.$2" --issuer "$ISSUER" --client-id c
}
serves localhost
chain 69 no-middle known.pem
chain 0 both known.pem middle.pem
chain 0 reversed pinned.pem middle.pem known.pem
chain 0 partial middle.pem
chain 0 itself cert.pem
serves localhost -cert_chain ../middle.pem
chain 0 sent known.pem
chain 69 unknown pinned.pem
cat middle.pem known.pem >all.pem
serves localhost -cert_chain ../all.pem
chain 0 with-root known.pem
chain 69 unknown-root pinned.pem
# The same CA with its name in capital letters, which OpenSSL does not distinguish, and in other forms of PEM.
openssl req -x509 -new -key known.key -out capitals.pem -days 2 -subj /CN=KNOWN -addext basicConstraints=critical,CA:TRUE >>openssl.log 2>&1
chain 0 capitals capitals.pem
openssl x509 -in known.pem -text -out text.pem
chain 0 text text.pem
sed 's/$/\r/' known.pem >lines.pem
chain 0 lines lines.pem
openssl x509 -in known.pem -addtrust serverAuth -trustout -out trust.pem
chain 0 trusted trust.pem
openssl x509 -in known.pem -addreject serverAuth -trustout -out reject.pem
chain 69 rejected reject.pem

#: Names a file of SSL_CERT_FILE that has no certificates.
certified known /CN=localhost subjectAltName=DNS:localhost
serves localhost
echo '# no certificate' >empty.pem
export SSL_CERT_FILE=$PWD/empty.pem
exits 78 authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
err "SSL_CERT_FILE is '$PWD/empty.pem', which contains no certificates"
err 'hint: unset SSL_CERT_FILE$'
exits 1 authctl doctor --long
out "WRONG +certificates +SSL_CERT_FILE is '$PWD/empty.pem', which contains no certificates"

#: Refuses a certificate that has its host only in the common name; accepts one for an IP address.
export SSL_CERT_FILE=$PWD/known.pem
certified known /CN=localhost
serves localhost
exits 69 authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
err 'has no host name in subjectAltName'
certified known /CN=localhost subjectAltName=email:somebody@example.com
serves localhost
exits 69 authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
certified known /CN=nothing subjectAltName=IP:127.0.0.1
serves 127.0.0.1
works authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
certified known /CN=127.0.0.1
serves 127.0.0.1
exits 69 authctl providers add oidc.tls --issuer "$ISSUER" --client-id c

#: Reports why a certificate was rejected.
unset SSL_CERT_FILE
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost >>openssl.log 2>&1
serves localhost
exits 69 authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
err "cannot reach '$ISSUER': its certificate is self-signed"
err 'SSL_CERT_FILE to (the|its) CA.s file'
export SSL_CERT_FILE=$PWD/known.pem
certified known /CN=localhost subjectAltName=DNS:elsewhere.example
serves localhost
exits 69 authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
err 'its certificate has another host name'
certified known /CN=localhost subjectAltName=DNS:localhost -1
serves localhost
exits 69 authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
err 'its certificate has expired'

#: A server that speaks plain http is not blamed for its certificate.
python3 -c 'import http.server as h; s = h.HTTPServer(("127.0.0.1", 0), h.BaseHTTPRequestHandler); print(s.server_port, flush=True); s.serve_forever()' >port 2>server.log &
servers+=($!)
exits 69 authctl providers add oidc.tls --issuer "https://127.0.0.1:$(awaits port '[0-9]+')" --client-id c
err 'cannot reach .*: it does not use TLS '
no_err 'hint: '

#: Refuses a CA file in a directory that other users can write.
certified known /CN=localhost subjectAltName=DNS:localhost
serves localhost
mkdir open open/inner
cp known.pem open/inner/ca.pem
export SSL_CERT_FILE=$PWD/open/inner/ca.pem
chmod 777 open
exits 78 authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
err "which other users can replace: they can write to '.*/open'"
# Only owners can rename files in a sticky directory.
chmod 1777 open
works authctl providers add oidc.tls --issuer "$ISSUER" --client-id c

#: For a read-only mount of a directory that other users can write, the hint is to mount the file itself.
# The volume of a ConfigMap of Kubernetes.
certified known /CN=localhost subjectAltName=DNS:localhost
serves localhost
mkdir -m 755 volume volume/..2026 mounted alone
ln -s ..2026 volume/..data
ln -s ..data/ca.pem volume/ca.pem
cp known.pem volume/..2026/ca.pem
: >alone/ca.pem
chmod 777 volume
if [ "$(id -u)" = 0 ]; then namespace=(unshare -m); else namespace=(unshare -rm); fi
mounted() {
    "${namespace[@]}" bash -c 'for pair in volume:mounted volume/ca.pem:alone/ca.pem; do
        mount --bind "${pair%:*}" "${pair#*:}" && mount -o remount,bind,ro "${pair#*:}" || exit
    done
    exec "$@"' mounted "$@"
}
if ! mounted true 2>/dev/null; then echo "skipped: this user cannot make a mount namespace"; exit 0; fi
SSL_CERT_FILE=$PWD/mounted/ca.pem exits 78 mounted authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
err "which other users can replace: they can write to '.*/mounted'"
err 'hint: mount the file itself, not its directory; in Kubernetes: subPath$'
SSL_CERT_FILE=$PWD/alone/ca.pem works mounted authctl providers add oidc.tls --issuer "$ISSUER" --client-id c

#: Refuses a CA file that a link of another user, or a directory of another user, leads to.
if [ "$(id -u)" != 0 ]; then echo "skipped: files of two users need root"; exit 0; fi
certified known /CN=localhost subjectAltName=DNS:localhost
serves localhost
mkdir -m 1777 public
mkdir -m 755 own theirs theirs/inner
cp known.pem own/ca.pem
cp known.pem theirs/inner/ca.pem
ln -s "$PWD/own" public/link
chown -h 54321 public/link theirs
SSL_CERT_FILE=$PWD/public/link/ca.pem exits 78 authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
err "which user 54321 can replace, who owns '$PWD/public/link'"
SSL_CERT_FILE=$PWD/theirs/inner/ca.pem exits 78 authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
err "which user 54321 can replace, who owns '$PWD/theirs'"
ln -s own mine
SSL_CERT_FILE=$PWD/mine/ca.pem works authctl providers add oidc.tls --issuer "$ISSUER" --client-id c

#: Reads the CA file once; it can be a pipe. libcurl has no CAs of its own then.
certified known /CN=localhost subjectAltName=DNS:localhost
serves localhost
SSL_CERT_FILE=<(cat known.pem) works authctl providers add oidc.pipe --issuer "$ISSUER" --client-id c
SSL_CERT_FILE=$PWD/known.pem works strace -f -o calls -e trace=openat authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
[ "$(grep -c '"known.pem"' calls)" = 1 ] && ! grep "/known.pem" calls || fail "the file is read by its path"
! grep '"/etc/ssl/certs' calls || fail "the system's CAs are read"
cat >options.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int (*set)(void *, int, void *);
static int noted(void *handle, int option, void *value) {
    FILE *log = fopen(getenv("OPTIONS"), "a");
    fprintf(log, "%d%s\n", option, value ? "" : " null");
    fclose(log);
    return set(handle, option, value);
}
void *dlsym(void *library, const char *name) {
    void *found = ((void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34"))(library, name);
    if (strcmp(name, "curl_easy_setopt") != 0) return found;
    set = (int (*)(void *, int, void *))found;
    return (void *)noted;
}
C
cc -shared -fPIC -o options.so options.c 2>stderr || fail "not built"
export LD_PRELOAD=$PWD/options.so OPTIONS=$PWD/options
SSL_CERT_FILE=$PWD/known.pem AUTHCTL_CONFIG_DIR=$PWD/known works authctl providers add oidc.known --issuer "$ISSUER" --client-id c
SSL_CERT_FILE=$PWD/pinned.pem AUTHCTL_CONFIG_DIR=$PWD/pinned exits 69 authctl providers add oidc.other --issuer "$ISSUER" --client-id c
err 'was signed by an unknown CA'
# CURLOPT_CAINFO, CAPATH, PROXY_CAINFO and PROXY_CAPATH.
for option in 10065 10097 10246 10247; do grep -qx "$option null" options || fail "$option is not null"; done

#: SSLKEYLOGFILE does not record the program's TLS keys; a command run by exec still gets the variable.
export SSL_CERT_FILE=$PWD/known.pem
certified known /CN=localhost subjectAltName=DNS:localhost
serves localhost
SSLKEYLOGFILE=$PWD/keys works authctl providers add oidc.tls --issuer "$ISSUER" --client-id c
[ ! -e keys ] || fail "the keys are in a file"
unset SSL_CERT_FILE
signed_in
SSLKEYLOGFILE=$PWD/keys works authctl exec --provider oidc.test -- printenv SSLKEYLOGFILE
out '/keys$'

#: What this program sets for the libraries of libcurl is not in a command's environment.
signed_in
exits 1 authctl exec --provider oidc.test -- printenv GNUTLS_NO_IMPLICIT_INIT
GNUTLS_NO_IMPLICIT_INIT=0 works authctl exec --provider oidc.test -- printenv GNUTLS_NO_IMPLICIT_INIT
out '^0$'
