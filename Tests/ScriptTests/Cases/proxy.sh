# Requests through the proxy of the environment, and requests that must not use it.

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
    rm -f proxy.port && mkfifo proxy.port
    python3 proxy.py >proxy.port &
    servers+=($!)
    read -r PROXY <proxy.port
    PROXY=http://127.0.0.1:$PROXY
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
rm -f proxy.port && mkfifo proxy.port
python3 metadata.py >proxy.port &
servers+=($!)
read -r port <proxy.port
export http_proxy=http://127.0.0.1:$port
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
err "cannot reach 'https://id.example.com:443': cannot connect to the proxy '127.0.0.1:$port' "
works authctl doctor --long
out "proxy +HTTPS_PROXY names '127.0.0.1:$port'"

#: A proxy that refuses to connect is named, with its status.
proxied
HTTPS_PROXY=$PROXY exits 69 authctl providers add oidc.far --issuer https://id.example.com --client-id c
err "cannot reach 'https://id.example.com:443': the proxy '${PROXY#http://}' refuses the connection with status 502 "
