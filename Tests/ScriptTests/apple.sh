# Shared by the stories about Apple: a key, a public redirect URI and its proxy.
proxy_port=$(free_port)
port=$(free_port)
callback=https://signin.example.com:$proxy_port/apple/callback
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey.p8 2>/dev/null

# reverse_proxy: creates a CA and a certificate for the host, and starts nginx in front of the listener.
reverse_proxy() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=Test \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign 2>/dev/null
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout proxy.key -out proxy.csr -subj /CN=signin.example.com 2>/dev/null
    echo subjectAltName=DNS:signin.example.com >names
    openssl x509 -req -in proxy.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out proxy.pem 2>/dev/null
    mkdir -p nginx
    cat >nginx.conf <<CONF
daemon off; worker_processes 1; pid $PWD/nginx/pid; error_log $PWD/nginx/error.log;
events {}
http {
    access_log off; client_body_temp_path $PWD/nginx; proxy_temp_path $PWD/nginx; fastcgi_temp_path $PWD/nginx;
    uwsgi_temp_path $PWD/nginx; scgi_temp_path $PWD/nginx;
    server {
        listen 127.0.0.1:$proxy_port ssl; server_name signin.example.com;
        ssl_certificate $PWD/proxy.pem; ssl_certificate_key $PWD/proxy.key;
        location /apple/ { proxy_pass http://127.0.0.1:$port; proxy_set_header Host \$http_host; }
    }
}
CONF
    nginx -e "$PWD/nginx/error.log" -p "$PWD" -c "$PWD/nginx.conf" &
    servers+=($!)
    until curl -sS -o /dev/null --cacert ca.pem --resolve "signin.example.com:$proxy_port:127.0.0.1" "https://signin.example.com:$proxy_port/" 2>/dev/null; do
        kill -0 "${servers[-1]}" 2>/dev/null || { cat nginx/error.log; fail "nginx did not start"; }
    done
    # Only the browser trusts this CA.
    export BROWSER="env SSL_CERT_FILE=$PWD/ca.pem NAMES=signin.example.com=127.0.0.1 PAGE=$PWD/page python3 $ROOT/Tests/Servers/browser.py"
}

# apple EMULATOR-FLAGS…: starts an emulator of Apple, and adds the provider.
apple() {
    emulator --as apple.com --client-id com.example.signin --client-key AuthKey.p8 --team-id TEAM123456 --key-id KEY1234567 \
        --redirect-uri "$callback" "$@"
    works authctl providers add apple.com --base-url "$ISSUER" --client-id com.example.signin --team-id TEAM123456 \
        --key-id KEY1234567 --private-key "$PWD/AuthKey.p8" --redirect-uri "$callback" "${add[@]}"
}
add=()
