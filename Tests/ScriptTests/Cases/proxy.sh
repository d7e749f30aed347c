# Requests through the proxy of the environment, and requests that must not use it.

# listening PROGRAM…: starts a Python program that prints the port of its server; sets PORT.
listening() {
    rm -f port && mkfifo port
    python3 "$@" >port &
    servers+=($!)
    read -r PORT <port
}
# proxied: a proxy that records requests and does not respond; sets PROXY.
proxied() {
    cat >proxy.py <<'P'
import socket, sys
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    connection, _ = server.accept()
    received = connection.recv(65536)
    with open("received", "ab") as file: file.write(received + b"\n")
    connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    connection.close()
P
    listening proxy.py
    PROXY=http://127.0.0.1:$PORT
    : >received
}

#: Requests to a provider on this machine never use a proxy, which would get the client secret.
proxied
export http_proxy=$PROXY all_proxy=$PROXY
emulator --client-secret secret-of-the-client
secret_file secret-of-the-client
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
BROWSER="curl -sS -L --noproxy * -o /dev/null" works authctl signin
[ ! -s received ] || fail "the proxy received: $(cat received)"

#: Sends only metadata requests of a plain-http provider through the proxy, and no secrets.
proxied
export http_proxy=$PROXY
exits 69 authctl providers add oidc.lan --issuer http://id.lan.example --client-id c --allow-http
awaits received 'GET http://id.lan.example/.well-known' >/dev/null
python3 - <<'P'
import json, os
with open("metadata.py", "w") as file: file.write('''
import http.server, json, sys
base = "http://id.lan.example"
document = json.dumps({"issuer": base, "authorization_endpoint": base + "/a", "token_endpoint": base + "/t", "jwks_uri": base + "/jwks", "device_authorization_endpoint": base + "/d",
  "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]}).encode()
class Proxy(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("Content-Type", "application/json"); self.send_header("Content-Length", str(len(document))); self.end_headers(); self.wfile.write(document)
    def do_POST(self):
        open("posted", "w").write(self.path)
        self.send_error(500)
    def log_message(self, *a): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Proxy)
print(server.server_address[1], flush=True)
server.serve_forever()
''')
P
listening metadata.py
export http_proxy=http://127.0.0.1:$PORT
secret_file secret-of-the-client
works authctl providers add oidc.lan --issuer http://id.lan.example --client-id c --client-secret-file "$PWD/secret" --allow-http
exits 78 authctl signin --flow device --provider oidc.lan
err "the proxy in http_proxy could read"
[ ! -e posted ] || fail "the proxy was sent $(cat posted)"

#: A proxy that cannot be reached is named, without its password.
port=$(free_port)
export HTTPS_PROXY=http://ada:secret-of-the-proxy@127.0.0.1:$port
echo secret-of-the-proxy >>secrets
exits 69 authctl providers add oidc.far --issuer https://id.example.com --client-id c
err "cannot reach 'https://id.example.com:443': the proxy '127.0.0.1:$port' does not accept the connection "
err 'hint: if this host requires no proxy: add it to NO_PROXY'
works authctl doctor --long
out "proxy +HTTPS_PROXY names '127.0.0.1:$port'"

#: A proxy that refuses to connect is named, with its status.
proxied
HTTPS_PROXY=$PROXY exits 69 authctl providers add oidc.far --issuer https://id.example.com --client-id c
err "cannot reach 'https://id.example.com:443': the proxy '${PROXY#http://}' refuses the connection with status 502 "

#: A failure of the proxy is not reported as the server's, and its hint is about the proxy.
. "$CASES/../mtls.sh"
certified ca expired /CN=localhost subjectAltName=DNS:localhost -1
certified ca elsewhere /CN=elsewhere subjectAltName=DNS:elsewhere.example
cat >faulty.py <<'P'
import socket, ssl, sys
certificate, response = sys.argv[1:]
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
if certificate:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate + ".pem", certificate + ".key")
while True:
    connection, _ = listener.accept()
    try:
        if certificate: connection = context.wrap_socket(connection, server_side=True)
        connection.recv(65536)
        connection.sendall(response.encode())
    except OSError: pass
    connection.close()
P
# fails SCHEME CERTIFICATE RESPONSE MESSAGE HINT: a request through a proxy at PORT with this certificate, or without TLS.
fails() {
    listening faulty.py "$2" "$3"
    HTTPS_PROXY=$1://localhost:$PORT exits 69 authctl providers add oidc.far --issuer https://id.example.com --client-id c
    err "provider not added: cannot reach 'https://id.example.com:443': the proxy 'localhost:$PORT' $4 \\("
    if [ -n "$5" ]; then err "hint: $5\$"; else no_err hint; fi
}
fails http '' '' 'did not respond to CONNECT' 'if this host requires no proxy: add it to NO_PROXY'
fails http '' $'SSH-2.0-OpenSSH\r\n' 'did not respond to CONNECT' 'if this host requires no proxy: add it to NO_PROXY'
fails http '' $'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=p\r\nContent-Length: 0\r\n\r\n' 'refuses the connection with status 407' \
    'for a proxy with passwords: write USER:PASSWORD@ before the host in its URL'
fails http server '' 'did not respond to CONNECT' 'if this host requires no proxy: add it to NO_PROXY'
fails https '' $'HTTP/1.1 200 OK\r\n\r\n' 'is not trusted: it does not use TLS' 'for an http proxy: write http:// at the start of its URL'
fails https expired '' 'is not trusted: its certificate has expired' ''
fails https elsewhere '' 'is not trusted: its certificate has another host name' ''
fails https server '' 'did not respond to CONNECT' 'if this host requires no proxy: add it to NO_PROXY'
SSL_CERT_FILE=$PWD/unknown.pem fails https server '' 'is not trusted: its certificate was signed by an unknown CA' \
    "if it is the right server, set SSL_CERT_FILE to its CA's file"
# The proxy has connected to the server, or claims it.
for response in $'HTTP/1.1 200 OK\r\n\r\n' $'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 400 No\r\n\r\n'; do
    listening faulty.py '' "$response"
    HTTPS_PROXY=http://localhost:$PORT exits 69 authctl providers add oidc.far --issuer https://id.example.com --client-id c
    err "'https://id.example.com:443'"
    no_err "the proxy"
done
