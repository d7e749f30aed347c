# Shared by the stories about client certificates (RFC 8705): a CA, client certificates, and nginx as a TLS proxy
# for a plain server. `https://localhost:$port` does not request a certificate, `https://localhost:$mtls_port` does; both
# lead to the same server.
#
# NAME.pem and NAME.key are: `client` and `other`, signed by the CA (CN=NAME,O=Example); `self`, self-signed; `expired`;
# `stranger`, signed by an unknown CA.

# authority NAME: creates a CA, NAME.pem and NAME.key.
authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.pem" -days 2 -subj "/CN=$1" \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign >>openssl.log 2>&1
}

# certified AUTHORITY NAME SUBJECT EXTENSION [DAYS]: creates NAME.pem and NAME.key, signed by that CA.
certified() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$2.key" -out "$2.csr" -subj "$3" >>openssl.log 2>&1
    printf '%s\n' "$4" >"$2.extensions"
    openssl x509 -req -in "$2.csr" -CA "$1.pem" -CAkey "$1.key" -CAcreateserial -days "${5:-2}" -extfile "$2.extensions" \
        -out "$2.pem" >>openssl.log 2>&1
    chmod 600 "$2.key"
}

authority ca
authority unknown
certified ca server /CN=localhost subjectAltName=DNS:localhost,IP:127.0.0.1
for name in client other; do certified ca "$name" "/O=Example/CN=$name" extendedKeyUsage=clientAuth; done
certified ca expired /O=Example/CN=client extendedKeyUsage=clientAuth -1
certified unknown stranger /O=Example/CN=client extendedKeyUsage=clientAuth
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout self.key -out self.pem -days 2 -subj /CN=self >>openssl.log 2>&1
chmod 600 self.key
export SSL_CERT_FILE=$PWD/ca.pem CURL_CA_BUNDLE=$PWD/ca.pem
fronts=0

# thumbprint NAME: prints the `x5t#S256` of NAME.pem.
thumbprint() { openssl x509 -in "$1.pem" -outform DER | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '='; }

# claims TOKEN: prints the payload of a JWT.
claims() { python3 -c 'import base64, sys; part = sys.argv[1].split(".")[1]; print(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode())' "$1"; }

# tls_ports: sets port and mtls_port to two free ports.
tls_ports() {
    port=$(free_port)
    mtls_port=$port
    until [ "$mtls_port" != "$port" ]; do mtls_port=$(free_port); done
}

# tls_front URL [DIRECTIVES]: starts nginx on both ports as a proxy for URL; the directives forward the certificates.
# ASKS=optional_no_ca: both ports request certificates.
tls_front() {
    local folder=$PWD/nginx.$((++fronts))
    mkdir "$folder"
    cat >"$folder/nginx.conf" <<CONF
daemon off; worker_processes 1; pid $folder/pid; error_log $folder/error.log;
events {}
http {
    access_log off; client_body_temp_path $folder; proxy_temp_path $folder; fastcgi_temp_path $folder;
    uwsgi_temp_path $folder; scgi_temp_path $folder; large_client_header_buffers 4 32k;
    ssl_certificate $PWD/server.pem; ssl_certificate_key $PWD/server.key; ssl_client_certificate $PWD/ca.pem;
    proxy_set_header Host \$http_host;
    ${2:-proxy_set_header X-Client-Certificate \$ssl_client_escaped_cert;
    proxy_set_header X-Client-Certificate-Subject \$ssl_client_s_dn;
    proxy_set_header X-Client-Certificate-Verify \$ssl_client_verify;}
    server {
        listen 127.0.0.1:$port ssl; ssl_verify_client ${ASKS:-off};
        location / { proxy_pass $1; }
    }
    server {
        listen 127.0.0.1:$mtls_port ssl; ssl_verify_client optional_no_ca;
        location / { proxy_pass $1; }
    }
}
CONF
    nginx -e "$folder/error.log" -p "$folder" -c "$folder/nginx.conf" &
    servers+=($!)
    until curl -sS -o /dev/null "https://localhost:$mtls_port/" 2>/dev/null; do
        kill -0 "${servers[-1]}" 2>/dev/null || { cat "$folder/error.log"; fail "nginx did not start"; }
    done
}

# mtls EMULATOR-FLAGS…: starts an emulator behind both ports; sets ISSUER, and PLAIN to the emulator's own URL.
mtls() {
    tls_ports
    emulator --certificate-header X-Client-Certificate --url "https://localhost:$port" --mtls-url "https://localhost:$mtls_port" "$@"
    PLAIN=$ISSUER
    tls_front "$PLAIN"
    ISSUER=https://localhost:$port
    MTLS=https://localhost:$mtls_port
}

# mtls_glewlwyd: starts Glewlwyd behind mtls_port, with the clients `certificate` (client.pem) and `self-signed` (self.pem).
mtls_glewlwyd() {
    tls_ports
    export TLS_URL=https://localhost:$mtls_port CERTIFICATE_SUBJECT=CN=client,O=Example CERTIFICATE=$PWD/self.pem
    server glewlwyd
    # Glewlwyd requires the PEM text in one line, and nginx has several. A map joins up to sixteen lines. The proxy decides
    # which certificates are trusted.
    local line lines='' text=''
    for line in $(seq 16); do
        lines+="(?:(?<line$line>[^\n-]+)\n)?"
        text+="\$line$line "
    done
    tls_front "$PLAIN" "map \$ssl_client_verify\$ssl_client_raw_cert \$line { default ''; '~^(?:SUCCESS|FAILED:self.signed certificate)-----BEGIN CERTIFICATE-----\n$lines-----END' '-----BEGIN CERTIFICATE----- $text-----END CERTIFICATE-----'; }
    proxy_set_header SSL_CLIENT_CERT \$line;"
    MTLS=$ISSUER/mtls
}

# shown PATH: prints the number of requests to PATH that presented a certificate.
shown() { requests "certificate $1"; }
