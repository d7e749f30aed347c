# private_key_jwt with keys of each type, plain and encrypted. The emulator checks every assertion by the rules of FAPI 2.0:
# for example, its audience must be the issuer.

# fresh FLAGS…: starts an emulator, with a new store.
fresh() {
    emulator "$@"
    export AUTHCTL_CONFIG_DIR=$PWD/config.$EMULATOR
}

# client EMULATOR-FLAGS… -- ADD-FLAGS…: starts an emulator with the public key of key.pem, and adds it as oidc.test.
client() {
    local flags=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do flags+=("$1"); shift; done
    [ $# = 0 ] || shift
    fresh --client-key "$PWD/key.pem" "${flags[@]}"
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/key.pem" "$@"
}

# rsa, curve NAME, ed25519: a key of the kind in key.pem.
rsa() { openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem 2>/dev/null; }
curve() { openssl genpkey -algorithm EC -pkeyopt "ec_paramgen_curve:$1" -out key.pem; }
ed25519() { openssl genpkey -algorithm ED25519 -out key.pem; }

# used FILE: signs in with the key in that file.
used() {
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --private-key "$1" "${@:2}"
    works authctl signin --provider oidc.test --port "$(free_port)"
    works authctl token --force-refresh
}

#: A key of each type authenticates the client at sign-in, refresh and revocation, and in the device flow.
for kind in rsa "curve P-256" "curve P-384" "curve P-521" ed25519; do
    $kind
    client
    works authctl signin --provider oidc.test --port "$(free_port)"
    works authctl token --force-refresh
    works authctl signin --provider oidc.test --flow client-credentials --scope deploy
    works authctl signout --all --revoke --json
    json "{s['revoked'] for s in d['signedOut']} == {'confirmed'} and len(d['signedOut']) == 2"
    kill "$EMULATOR"
done
rsa
client
authctl signin --flow device >device.out 2>device.err </dev/null &
device=$!
curl -sS -o /dev/null "$(awaits device.err 'http[^ ]+user_code=[A-Z-]+')&decision=allow"
wait $device || fail "exit $? from the device flow: $(cat device.err)"

#: An RSA key signs with the algorithm that the provider supports or that --key-alg names.
rsa
for algorithm in RS256 RS384 RS512 PS256 PS384 PS512; do
    client --client-alg $algorithm
    works authctl signin --provider oidc.test --port "$(free_port)"
    client --client-alg $algorithm -- --key-alg $algorithm
    works authctl signin --provider oidc.test --port "$(free_port)"
    works authctl providers show oidc.test
    out "signature algorithm +$algorithm"
done
client --client-alg PS256 -- --key-alg RS256
exits 78 authctl signin --provider oidc.test
err "The assertion's alg is RS256"

#: Reports an unsuitable key before the browser opens.
ed25519
emulator --client-key "$PWD/key.pem" --client-alg ES256
exits 78 authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/key.pem"
err "the key is Ed25519 \(EdDSA, Ed25519\), but the provider supports ES256"
exits 78 authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/key.pem" --key-alg PS256
err "key_alg.*'PS256' does not match the private key, which is Ed25519"
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/key.pem" --key-alg Ed25519
exits 64 authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --key-alg PS256
err 'requires --private-key'

#: Reads PKCS#8, PKCS#1 and SEC1 keys, and ignores text around them.
umask 077
rsa
client
{ echo 'Bag Attributes'; echo '    friendlyName: büro'; for _ in $(seq 200); do echo '# a comment that is longer than the key'; done; cat key.pem; } >commented.pem
used "$PWD/commented.pem"
openssl rsa -in key.pem -traditional -out pkcs1.pem 2>/dev/null
grep -q 'BEGIN RSA PRIVATE KEY' pkcs1.pem || fail "PKCS#1"
used "$PWD/pkcs1.pem"
sed 's/$/\r/' pkcs1.pem >crlf.pem
used "$PWD/crlf.pem"
for size in 3072 4096; do
    openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:$size -out key.pem 2>/dev/null
    client
    used "$PWD/key.pem"
done
for name in prime256v1 secp384r1 secp521r1; do
    openssl ecparam -name $name -genkey -out key.pem
    grep -q 'BEGIN EC PARAMETERS' key.pem || fail "SEC1 with its parameters"
    client
    used "$PWD/key.pem"
    openssl ecparam -name $name -genkey -noout -out key.pem
    client
    used "$PWD/key.pem"
done

#: Decrypts an encrypted key with the passphrase in a file, for each encryption method.
secret_file 'the passphrase of the key' passphrase
rsa
client
openssl pkcs8 -topk8 -in key.pem -v2 aes-256-cbc -passout file:passphrase -out pbes2.pem
openssl pkcs8 -topk8 -in key.pem -scrypt -passout file:passphrase -out scrypt.pem
openssl rsa -in key.pem -traditional -aes128 -passout file:passphrase -out traditional.pem 2>/dev/null
grep -q 'Proc-Type: 4,ENCRYPTED' traditional.pem || fail "the traditional way"
for file in pbes2.pem scrypt.pem traditional.pem; do
    used "$PWD/$file" --private-key-passphrase-file "$PWD/passphrase"
    works authctl providers show oidc.test
    out "passphrase of the key +file $PWD/passphrase"
    no_out 'the passphrase of the key'
done
for file in pbes2.pem scrypt.pem traditional.pem; do
    exits 78 authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/$file"
    err "$file' is encrypted"
    err 'private-key-passphrase-file'
    for wrong in 'another passphrase' "$(printf '%2000s' long)"; do
        secret_file "$wrong" wrong
        exits 78 authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/$file" --private-key-passphrase-file "$PWD/wrong"
        err "$file' cannot be decrypted with that passphrase"
    done
done
curve P-384
client
openssl pkcs8 -topk8 -in key.pem -passout file:passphrase -out encrypted.pem
used "$PWD/encrypted.pem" --private-key-passphrase-file "$PWD/passphrase"
openssl ec -in key.pem -aes256 -passout file:passphrase -out encrypted.pem 2>/dev/null
used "$PWD/encrypted.pem" --private-key-passphrase-file "$PWD/passphrase"
# Ignores a passphrase that the key does not require.
used "$PWD/key.pem" --private-key-passphrase-file "$PWD/passphrase"

#: On a terminal, asks for the passphrase of an encrypted key without showing it.
secret_file 'the passphrase of the key' passphrase
rsa
emulator --client-key "$PWD/key.pem"
openssl pkcs8 -topk8 -in key.pem -passout file:passphrase -out encrypted.pem
cat >typed.py <<'P'
import os, pty, sys
pid, master = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
shown, sent = b"", False
while True:
    try: part = os.read(master, 4096)
    except OSError: break
    if not part: break
    shown += part
    if not sent and b"Passphrase of " in shown:
        os.write(master, sys.argv[1].encode() + b"\n")
        sent = True
sys.stdout.write(shown.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) if sent else 99)
P
python3 typed.py 'the passphrase of the key' authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/encrypted.pem" >shown || fail "exit $?: $(cat shown)"
grep -q "Passphrase of '.*encrypted.pem': " shown || fail "$(cat shown)"
! grep -q 'the passphrase of the key' shown || fail "it was shown: $(cat shown)"
code=0
python3 typed.py 'another one' authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/encrypted.pem" >shown || code=$?
[ $code = 78 ] || fail "exit $code: $(cat shown)"
grep -q 'cannot be decrypted with that passphrase' shown || fail "$(cat shown)"

#: Reports why a key file cannot be used.
umask 077
emulator
added() { exits 78 authctl providers add oidc.test --issuer "$ISSUER" --client-id c --private-key "$PWD/key.pem"; }
echo hello >key.pem
added
err "does not contain a private key in PEM form"
ed25519
openssl pkey -in key.pem -pubout -out public.pem
mv public.pem key.pem
added
err "does not contain a private key in PEM form"
rsa
openssl pkey -in key.pem -pubout -out public.pem
mv public.pem key.pem
added
err "does not contain a private key in PEM form"
head -c 900 </dev/zero >key.pem
added
err "does not contain a private key in PEM form"
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out key.pem 2>/dev/null
added
err "an RSA key of 1024 bits that cannot be used"
openssl ecparam -name secp256k1 -genkey -noout -out key.pem
added
err "contains an unsupported kind of key: secp256k1"
openssl genpkey -algorithm X25519 -out key.pem
added
err "contains an unsupported kind of key: X25519"

#: Registers a client with its public key, and signs in with the private key.
for kind in rsa "curve P-256" ed25519; do
    $kind
    fresh
    works authctl providers add oidc.test --issuer "$ISSUER" --register --private-key "$PWD/key.pem"
    works authctl providers show oidc.test --json
    json "d['authMethod'] == 'private_key_jwt' and len(d['keyId']) == 43 and d['clientSecret'] is None"
    works authctl signin --provider oidc.test --port "$(free_port)"
    works authctl token --force-refresh
done

#: Uses the values of the registration response, not the requested ones.
emulator --fault registers-secret
works authctl providers add oidc.test --issuer "$ISSUER" --register
err "registered with 'client_secret_post', although 'none' was requested"
works authctl providers show oidc.test --json
json "d['authMethod'] == 'client_secret_post' and d['clientSecret'] == 'encrypted in the store'"
works authctl signin --provider oidc.test --port "$(free_port)"
works authctl token --force-refresh

#: Another library accepts the client assertions (J1; joserfc), also in a pushed request.
for kind in rsa:PS256 "curve P-256:ES256" ed25519:EdDSA; do
    ${kind%:*}
    client -- --key-alg "${kind#*:}"
    works authctl signin --provider oidc.test --par
    works authctl token --force-refresh
    "$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/assertion.py" secrets key.pem emulator-client "$ISSUER" "${kind#*:}" || fail "joserfc does not take them"
    : >secrets
    kill "$EMULATOR"
done

#: A key that needs a provider of openssl.cnf is read after that file, also to refresh a token.
cat >openssl.cnf <<'C'
openssl_conf = all
[all]
providers = providers
[providers]
default = on
legacy = on
[on]
activate = 1
C
secret_file 'the passphrase of the key' passphrase
rsa
client
openssl pkcs8 -topk8 -in key.pem -v1 PBE-MD5-DES -provider default -provider legacy -passout file:passphrase -out old.pem
exits 78 authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/old.pem" --private-key-passphrase-file "$PWD/passphrase"
err 'encryption method that OpenSSL does not support'
export OPENSSL_CONF=$PWD/openssl.cnf
used "$PWD/old.pem" --private-key-passphrase-file "$PWD/passphrase"
mkdir -p "$HOME/.config"
ln -s "$AUTHCTL_CONFIG_DIR" "$HOME/.config/authctl"
for _ in 1 2 3 4 5 6 7 8 9 10; do
    session_set tokens.expiresAt 1
    works authctl token
done
