# `--ca-file`: a provider's own certificate authority is trusted for the provider's hosts, and for no other host.
. "$CASES/../mtls.sh"
unset SSL_CERT_FILE
chmod go-w ./*.pem
# work [EMULATOR-FLAGS…]: starts an emulator behind TLS at ISSUER, with a certificate of ca.pem; its own URL is PLAIN.
work() {
    tls_ports
    emulator --url "https://localhost:$port" "$@"
    PLAIN=$ISSUER
    tls_front "$PLAIN"
    ISSUER=https://localhost:$port
}
# entry ID FILE [FLAGS…]: adds a provider at ISSUER with this CA file.
entry() { works authctl providers add "$1" --issuer "$ISSUER" --client-id emulator-client --ca-file "$2" "${@:3}"; }
# same ID [LINE]: adds a provider at ISSUER with this setting to config.yaml, without any request.
same() {
    printf '      %s:\n        %s\n' "$1" "issuer: $ISSUER" '' 'client_id: emulator-client' '' "${2:-dpop: false}" |
        sed '/^      :$/d' >>"$HOME/.config/authctl/config.yaml"
}
# documents NAME DIRECTIVES [PORT]: starts a TLS server with the certificate NAME.pem, and sets OTHER to its URL.
documents() {
    local folder=$PWD/$1.server port=${3:-$(free_port)}
    mkdir "$folder"
    cat >"$folder/nginx.conf" <<CONF
daemon off; worker_processes 1; pid $folder/pid; error_log $folder/error.log;
events {}
http {
    access_log $folder/access.log; client_body_temp_path $folder; proxy_temp_path $folder; fastcgi_temp_path $folder;
    uwsgi_temp_path $folder; scgi_temp_path $folder; proxy_set_header Host \$http_host;
    server { listen 127.0.0.1:$port ssl; ssl_certificate $PWD/$1.pem; ssl_certificate_key $PWD/$1.key; $2 }
}
CONF
    nginx -e "$folder/error.log" -p "$folder" -c "$folder/nginx.conf" &
    servers+=($!)
    OTHER=https://127.0.0.1:$port
    until curl -sSk -o /dev/null "$OTHER/" 2>/dev/null; do
        kill -0 "${servers[-1]}" 2>/dev/null || { cat "$folder/error.log"; fail "nginx did not start"; }
    done
}

#: A provider whose certificate is from an unknown CA works with its CA file, in every request.
work
exits 69 authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client
err "cannot reach '$ISSUER': its certificate was signed by an unknown CA"
err 'hint: if it is the right server: add --ca-file FILE; for all hosts, set SSL_CERT_FILE'
entry oidc.work ca.pem
grep -qxE " +ca_file: \"?$PWD/ca.pem\"?" "$HOME/.config/authctl/config.yaml" || fail "the path is not absolute"
works authctl providers show oidc.work
out "^CA certificates +file $PWD/ca.pem$"
works authctl signin --provider oidc.work --par
works authctl token --force-refresh
works authctl token --force-refresh --timeout 299
works authctl request "$ISSUER/userinfo"
works authctl providers check oidc.work
out "^ok +oidc.work +CA file +'$PWD/ca.pem' has the server's CA$"
works authctl doctor oidc.work --long
out "CA file: '$PWD/ca.pem' has the server's CA"
works authctl doctor --report
no_out "$PWD"
works authctl providers discover "$ISSUER/api" --json
json "d['providerId'] == 'oidc.work'"
works authctl signin --resource "$ISSUER/api" --scope notes.read --scope notes.write
works authctl request "$ISSUER/api/notes"
works authctl signin --provider oidc.work --flow device
works authctl signout --provider oidc.work --revoke --json
json "all(s['revoked'] == 'confirmed' for s in d['signedOut'])"
works authctl signin --provider oidc.work
# SSL_CERT_FILE replaces only the system's CAs.
SSL_CERT_FILE=$PWD/unknown.pem works authctl token --force-refresh
SSL_CERT_FILE=$PWD/ca.pem works authctl doctor oidc.work --long
out "CA file: '$PWD/ca.pem' is not needed: the server's CA is trusted without it"
SSL_CERT_FILE=$PWD/ca.pem works authctl providers set oidc.work --unset ca-file
exits 69 authctl token --provider oidc.work --force-refresh
err "hint: if it is the right server: authctl providers set oidc.work --ca-file FILE; for all hosts, set SSL_CERT_FILE"
works authctl providers set oidc.work --ca-file ca.pem
works authctl token --force-refresh

#: Registers a client at a provider with a CA file, and deletes it there.
work
works authctl providers add oidc.work --issuer "$ISSUER" --register --ca-file ca.pem
works authctl signin --provider oidc.work
works authctl providers remove oidc.work
err 'was deleted at the provider'
works authctl providers add oidc.work --issuer "$ISSUER" --register --ca-file ca.pem --profile other
works authctl profile remove other --yes
err 'was deleted at the provider'

#: serve and the bridge for MCP use the CA file for the provider's own hosts.
work
entry oidc.work ca.pem
works authctl signin --provider oidc.work
mkdir -m 700 run
authctl serve --socket run/api.sock --upstream "$ISSUER" --allow 'GET /userinfo' 2>serve.err &
servers+=($!)
awaits serve.err '^authctl: serving ' >/dev/null
curl -sS --max-time "$PATIENCE" --unix-socket run/api.sock http://api/userinfo >stdout
json "d['email'] == 'ada@example.com'"
works authctl signin --resource "$ISSUER/api" --scope notes.read --scope notes.write
message='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"story","version":"1"}}}'
# The emulator's API does not speak MCP, but it is reached.
echo "$message" | authctl credential mcp --stdio "$ISSUER/api" >stdout 2>stderr || true
out "the server's response is not a JSON-RPC message"
SSL_CERT_FILE=$PWD/ca.pem works authctl providers set oidc.work --unset ca-file
echo "$message" | authctl credential mcp --stdio "$ISSUER/api" >stdout 2>stderr || true
out 'signed by an unknown CA'

#: The CA file of one provider is not used for another, in one process and at one host.
several_accounts_per_email
work
entry oidc.b ca.pem
works authctl signin --provider oidc.b
same oidc.a "ca_file: $PWD/unknown.pem"
same oidc.c
for run in 1 2; do
    exits 1 authctl providers check
    out '^FAIL +oidc.a .*signed by an unknown CA'
    out "^ok +oidc.b +CA file +'$PWD/ca.pem' has the server's CA"
    out '^FAIL +oidc.c .*signed by an unknown CA'
done
# What the others fetched is not read from the cache either.
before=$(all_requests)
for id in oidc.a oidc.c; do
    exits 69 authctl signin --provider $id
    err 'signed by an unknown CA'
done
exits 69 authctl verify --issuer "$ISSUER" --audience emulator-client </dev/null
[ "$(all_requests)" = "$before" ] || fail "the server got a request"
works authctl token --provider oidc.b --force-refresh
# Another file at the same path is another CA.
works authctl providers set oidc.a --ca-file ca.pem
works authctl signin --provider oidc.a
cp unknown.pem copy.pem
same oidc.d "ca_file: $PWD/copy.pem"
exits 69 authctl signin --provider oidc.d
cp ca.pem copy.pem
works authctl signin --provider oidc.d
cp unknown.pem copy.pem
exits 69 authctl token --provider oidc.d --force-refresh

#: A host that only --api-host names is not trusted by the CA file.
work
entry oidc.work ca.pem
works authctl signin --provider oidc.work
documents server "location / { return 200 '{}'; }"
works authctl providers set oidc.work --api-host "${OTHER#https://}"
exits 69 authctl request --provider oidc.work "$OTHER/notes"
err "cannot reach '$OTHER': its certificate was signed by an unknown CA"
err 'hint: if it is the right server, set SSL_CERT_FILE to its CA.s file$'
! grep -q /notes server.server/access.log || fail "the request was sent"
SSL_CERT_FILE=$PWD/ca.pem works authctl request --provider oidc.work "$OTHER/notes"

#: Refuses to follow a redirect to another host, also with a certificate of the CA file.
certified ca second /CN=localhost subjectAltName=DNS:localhost,IP:127.0.0.1
work
documents second "location / { return 302 $ISSUER\$request_uri; }"
exits 65 authctl providers add oidc.work --issuer "$OTHER" --client-id c --ca-file ca.pem
err "'$OTHER/.well-known/openid-configuration' redirects to '$ISSUER/.well-known/openid-configuration', but"
[ "$(requests discovery)" = 0 ] || fail "the redirect was followed"

#: An endpoint that the provider's validated metadata names is the provider's, also at another host.
certified ca second /CN=localhost subjectAltName=DNS:localhost,IP:127.0.0.1
certified unknown third /CN=localhost subjectAltName=DNS:localhost,IP:127.0.0.1
port=$(free_port)
emulator --url "https://127.0.0.1:$port"
PLAIN=$ISSUER
ISSUER=https://127.0.0.1:$port
at=("location / { proxy_pass $PLAIN; proxy_set_header Host 127.0.0.1:$port; }")
documents second "${at[0]}"
keys=$OTHER
documents third "${at[0]}"
foreign=$OTHER
# metadata NAME: the metadata, in which the keys are at this URL.
metadata() {
    echo "location = /.well-known/openid-configuration { return 200 '{\"issuer\": \"$ISSUER\", \"token_endpoint\": \"$ISSUER/token\",
        \"authorization_endpoint\": \"$ISSUER/authorize\", \"jwks_uri\": \"$1/jwks\"}'; } ${at[0]}"
}
documents server "$(metadata "$keys")" "$port"
entry oidc.work ca.pem
works authctl signin --provider oidc.work
grep -q 'GET /jwks' second.server/access.log || fail "the keys are from elsewhere"
# The same host is another provider's, which has no CA file.
exits 69 authctl providers add oidc.other --issuer "$keys" --client-id c
err 'signed by an unknown CA'
kill "${servers[-1]}" && wait "${servers[-1]}" || true
rm -r server.server
documents server "$(metadata "$foreign")" "$port"
exits 69 authctl providers check oidc.work
err "cannot reach '$foreign': its certificate was signed by an unknown CA"

#: An expired certificate and one for another host are refused with the CA file too.
certified ca expired /CN=localhost subjectAltName=IP:127.0.0.1 -1
certified ca elsewhere /CN=localhost subjectAltName=DNS:elsewhere.example
documents expired 'location / { return 404; }'
exits 69 authctl providers add oidc.work --issuer "$OTHER" --client-id c --ca-file ca.pem
err "cannot reach '$OTHER': its certificate has expired"
documents elsewhere 'location / { return 404; }'
exits 69 authctl providers add oidc.work --issuer "$OTHER" --client-id c --ca-file ca.pem
err "cannot reach '$OTHER': its certificate has another host name"

#: A CA file that cannot be used is named, with its setting.
work
add() { authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client --ca-file "$@"; }
exits 78 add none.pem
err "oidc.work: ca_file is '$PWD/none.pem', which cannot be read: No such file"
err 'hint: for another file: add --ca-file FILE$'
mkdir folder
exits 78 add folder
err "which is not a file"
echo text >empty.pem
exits 78 add empty.pem
err "which contains no certificates "
{ head -n 3 ca.pem; tail -n 1 ca.pem; } >cut.pem
exits 78 add cut.pem
err "which contains no certificates "
openssl x509 -in ca.pem -outform der -out ca.der
exits 78 add ca.der
err "ca.der', which contains no certificates in PEM format"
err "hint: openssl x509 -inform der -in $PWD/ca.der -out $PWD/ca.der.pem$"
cp ca.pem shared.pem
chmod 664 shared.pem
exits 78 add shared.pem
err "which other users can replace: they can write to '$PWD/shared.pem'"
err "hint: chmod go-w $PWD/shared.pem$"
mkdir -m 777 open
cp ca.pem open/ca.pem
exits 78 add open/ca.pem
err "they can write to '$PWD/open'"
[ ! -e "$HOME/.config/authctl/config.yaml" ] || ! grep -q oidc.work "$HOME/.config/authctl/config.yaml" || fail "it was added"
cat unknown.pem ca.pem >several.pem
works add several.pem
works authctl signin --provider oidc.work
chmod 664 several.pem
exits 78 authctl token --force-refresh
err "hint: chmod go-w $PWD/several.pem$"
exits 1 authctl doctor oidc.work
out "other users can replace"
# A token that is still valid requires no request.
works authctl token
exits 78 authctl signout --revoke
err 'replace: they can write to'
works authctl providers set oidc.work --ca-file ca.pem
sed -i "s|$PWD/ca.pem|ca.pem|" "$HOME/.config/authctl/config.yaml"
exits 78 authctl signin --provider oidc.work
err "'ca.pem' is not a"

#: The system configuration can have a CA file.
if [ "$(id -u)" != 0 ]; then echo "not root: nothing to show"; exit 0; fi
work
mkdir -p "$AUTHCTL_SYSTEM_CONFIG_DIR"
chmod 755 "$AUTHCTL_SYSTEM_CONFIG_DIR"
cat >"$AUTHCTL_SYSTEM_CONFIG_DIR/config.yaml" <<Y
providers:
  oidc.work:
    issuer: $ISSUER
    client_id: emulator-client
    ca_file: $PWD/ca.pem
Y
chmod 644 "$AUTHCTL_SYSTEM_CONFIG_DIR/config.yaml"
works authctl signin --provider oidc.work
works authctl token --force-refresh

#: A CA file counts for the server behind a proxy, also a SOCKS proxy, and not for an https proxy itself.
certified ca far /CN=far subjectAltName=DNS:id.example.com
work
documents far "location / { proxy_pass $PLAIN; proxy_set_header Host localhost:$port; }"
far=$OTHER
authority proxies
certified proxies good /CN=localhost subjectAltName=DNS:localhost
cp server.pem bad.pem && cp server.key bad.key
cat >proxy.py <<'P'
import socket, ssl, sys, threading
def pipe(source, target):
    try:
        while data := source.recv(65536): target.sendall(data)
    except OSError: pass
    finally:
        try: target.shutdown(socket.SHUT_WR)
        except OSError: pass
def serve(connection):
    if "socks" in sys.argv[1]:
        connection.recv(512)
        connection.sendall(b"\x05\x00")
        connection.recv(512)
        connection.sendall(b"\x05" + (b"\x05" if "refusing" in sys.argv[1] else b"\x00") + b"\x00\x01" + bytes(6))
        server = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
        threading.Thread(target=pipe, args=(connection, server), daemon=True).start()
        return pipe(server, connection)
    try: connection = context.wrap_socket(connection, server_side=True)
    except OSError: return
    head = b""
    while b"\r\n\r\n" not in head:
        more = connection.recv(65536)
        if not more: return
        head += more
    with open(sys.argv[1] + ".seen", "ab") as file: file.write(head)
    if head.startswith(b"GET"): return connection.sendall(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
    server = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    threading.Thread(target=pipe, args=(connection, server), daemon=True).start()
    pipe(server, connection)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
if "socks" not in sys.argv[1]: context.load_cert_chain(sys.argv[1] + ".pem", sys.argv[1] + ".key")
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
P
# through NAME [SCHEME]: starts an https proxy with this certificate, or a SOCKS proxy, which connects each request to the
# server; sets HTTPS_PROXY.
through() {
    python3 proxy.py "$1" "${far##*:}" >"$1.port" &
    servers+=($!)
    export HTTPS_PROXY=${2:-https}://localhost:$(awaits "$1.port" '[0-9]+')
    : >"$1.seen"
}
through good
export SSL_CERT_FILE=$PWD/proxies.pem
# The server is reached. Its metadata has another issuer.
exits 78 authctl providers add oidc.far --issuer https://id.example.com --client-id c --ca-file ca.pem
err 'issuer'
grep -q 'CONNECT id.example.com:443' good.seen || fail "the proxy got no request"
exits 69 authctl providers add oidc.far --issuer https://id.example.com --client-id c --ca-file unknown.pem
# The CAs of SSL_CERT_FILE also count for the proxy of plain http.
http_proxy=$HTTPS_PROXY exits 78 authctl providers add oidc.lan --issuer http://id.lan.example --client-id c --allow-http
grep -q 'GET http://id.lan.example/' good.seen || fail "the proxy got no request of plain http"
through socks socks5h
exits 78 authctl providers add oidc.far --issuer https://id.example.com --client-id c --ca-file ca.pem
err 'issuer'
exits 69 authctl providers add oidc.far --issuer https://id.example.com --client-id c --ca-file unknown.pem
err "cannot reach 'https://id.example.com:443': its certificate was signed by an unknown CA"
through refusing-socks socks5h
exits 69 authctl providers add oidc.far --issuer https://id.example.com --client-id c
err "cannot reach 'https://id.example.com:443': the proxy 'localhost:[0-9]+' refuses the connection "
through bad
exits 69 authctl providers add oidc.far --issuer https://id.example.com --client-id c --ca-file ca.pem
err 'cannot reach'
[ ! -s bad.seen ] || fail "the proxy got: $(cat bad.seen)"
SSL_CERT_FILE=$PWD/ca.pem exits 78 authctl providers add oidc.far --issuer https://id.example.com --client-id c
