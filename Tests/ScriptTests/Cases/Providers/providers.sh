# Configuration of the built-in providers.

#: Adding GitHub requires only a client ID, and no network.
works authctl providers add github.com --client-id Iv1.abc
err "added provider 'github.com': built in"
err "register the redirect URI 'http://127.0.0.1/callback/github.com' at the provider, with any port"
err "GitHub's web flow does not support public clients"
(umask 077; echo secret-of-the-app >secret)
works authctl providers set github.com --client-secret-file "$PWD/secret"
url --provider github.com
grep -qE '^https://github.com/login/oauth/authorize\?response_type=code&client_id=Iv1.abc&redirect_uri=http%3A%2F%2F127.0.0.1%3A8400%2Fcallback%2Fgithub.com&scope=read%3Auser%20user%3Aemail&state=[A-Za-z0-9_-]{32}&code_challenge=[A-Za-z0-9_-]{43}&code_challenge_method=S256$' url || fail "$(cat url)"

#: A client ID in the environment is enough, and a built-in provider has no issuer setting.
export AUTHCTL_GITHUB_COM_CLIENT_ID=Iv1.env AUTHCTL_GITHUB_COM_CLIENT_SECRET=secret-of-the-app
url --provider github.com
grep -q 'client_id=Iv1.env' url || fail "$(cat url)"
AUTHCTL_GITHUB_COM_ISSUER=https://evil.example exits 78 authctl signin --provider github.com
err 'is built in and its value is fixed'

#: The endpoints of a built-in provider can only be changed together, with --base-url.
exits 64 authctl providers add github.com --client-id c --issuer https://evil.example
err 'is built in: use --base-url instead of --issuer'
exits 64 authctl providers add oidc.a --client-id c --issuer https://a.example --base-url https://b.example
exits 64 authctl providers add github.com --client-id c --preset okta
exits 64 authctl providers add github.com --register
exits 78 authctl providers add github.com --client-id c --base-url http://ghe.example.com
err 'plain http'
exits 78 authctl providers add github.com --client-id c --tenant common
err 'this provider has no tenants'
exits 78 authctl providers add gitlab.com --client-id c
err 'hint: authctl setup gitlab$'
exits 78 authctl providers add someone.else.example --client-id c
err 'hint: the name of a provider that is not built in begins with oidc.$'
exits 64 authctl providers add github.com --client-id c --api-host 'https://a.example/path'
mkdir -p "$HOME/.config/authctl"
printf 'profiles: {default: {providers: {github.com: {issuer: "https://evil.example", client_id: c}}}}\n' >"$HOME/.config/authctl/config.yaml"
chmod 600 "$HOME/.config/authctl/config.yaml"
exits 78 authctl signin --provider github.com
err "github.com: issuer: it is built in"

#: Shows what a provider supports, before and after it is configured.
for id in github.com apple.com microsoft.com google.com facebook.com twitter.com; do
    works authctl providers show $id
    out "^provider +$id"
    out 'client ID +not configured'
    out 'register at +https://'
done
works authctl providers show google.com
out '--param hd= +a Workspace domain'
works authctl providers add google.com --client-id c --param hd=example.com --scope openid,email
works authctl providers show google.com
out 'sends +hd=example.com'
out 'scopes +openid email'
works authctl providers show google.com --json
json "d['providerId'] == 'google.com' and any(p['name'] == 'login_hint' for p in d['parameters']) and d['baseUrl'] is None"
json "d['params'] == {'hd': 'example.com'} and d['preset'] is None and d['allowHttp'] is False and d['nonceMode'] == 'raw'"
works authctl providers list
out '^google.com +https://accounts.google.com +c$'
exits 64 authctl providers add oidc.odd --issuer https://id.example --client-id c --team-id x
err -- '--team-id is for apple.com'
exits 78 authctl providers show oidc.nothing
printf 'profiles: {default: {providers: {oidc.odd: {issuer: "http://id.example", client_id: c, discovery: oauth, allow_http: true, nonce_mode: sha256}}}}\n' >"$HOME/.config/authctl/config.yaml"
works authctl providers show oidc.odd
out '^discovery +oauth'
out '^allows plain http +yes'
out '^nonce mode +sha256'

#: The JSON of 'providers list' has for each provider what 'providers show' prints, also while the key is locked.
provider google.com
emulator
works authctl providers add oidc.file --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
works authctl providers add oidc.public --issuer "$ISSUER" --client-id emulator-client
secret_file client-secret-1
authctl providers add oidc.sealed --issuer "$ISSUER" --client-id emulator-client --client-secret-stdin <secret >stdout 2>stderr || fail "not added"
secret_file 'correct horse battery' passphrase
works authctl vault passphrase --passphrase-fd 3 3<passphrase
works authctl vault lock
works authctl providers list --json
cp stdout listed
for id in google.com oidc.file oidc.public oidc.sealed; do
    works authctl providers show $id --json
    json "d == next(p for p in json.load(open('listed'))['providers'] if p['providerId'] == d['providerId'])"
done
json "d['clientSecret'] == 'encrypted in the store'"

#: providers check reports what works and what is missing.
provider google.com
works authctl providers check google.com
out '^ok +google.com +endpoints +built in, at'
out '^ok +google.com +keys +1 usable; RS256'
out '^ok +google.com +clock'
works authctl providers add google.com --replace --base-url "$ISSUER" --client-id client-1
exits 1 authctl providers check google.com
out '^FAIL +google.com +client +no secret'

#: Existing settings are kept: 'add' refuses, 'set' changes single settings, '--replace' replaces the configuration.
config=$HOME/.config/authctl/config.yaml
secret_file a-client-secret
works bash -c 'authctl providers add github.com --base-url https://ghe.example.com --client-id c --client-secret-stdin --scope repo --scope read:org --param allow_signup=false --api-host uploads.example.com <secret'
sed -i 's/client_id: c$/client_id: c\n        future: kept/' "$config"
cp "$config" before
exits 64 authctl providers add github.com --client-id c --api-host other.example.com
err "'github.com' is already configured, and this would remove its base_url, future, scopes, params, client_secret|'github.com' is already configured, and this would remove its .*base_url.*client_secret"
err 'hint: to keep them, use providers set with the same options; to remove them: add --replace$'
cmp -s "$config" before || fail "something was changed"
works authctl providers set github.com --api-host https://Other.example.com/
err "changed provider 'github.com' \(api-host\): "
works authctl providers set github.com --api-host other.example.com
grep -q 'base_url: https://ghe.example.com' "$config"
grep -q 'future: kept' "$config"
grep -q 'api_hosts: \[uploads.example.com, other.example.com\]' "$config"
works authctl providers show github.com --json
json "d['apiHosts'] == ['uploads.example.com', 'other.example.com']"
works authctl providers show github.com
out 'API hosts +uploads.example.com other.example.com'
out 'client secret +encrypted in the store'
out 'scopes +repo read:org'
out 'sends +allow_signup=false'
works authctl providers set github.com --scope gist --scope repo --param login=ada --param allow_signup=true --client-id d
works authctl providers show github.com --json
json "d['scopes'] == ['repo', 'read:org', 'gist'] and d['clientId'] == 'd' and d['clientSecret'] == 'encrypted in the store'"
works authctl providers show github.com
out 'sends +allow_signup=true'
out 'sends +login=ada'
works authctl providers set github.com --unset scope --unset param --unset base-url --scope user:email
err "changed provider 'github.com' \(base-url, scope, param\): "
no_err "no longer requested"
works authctl providers set github.com --unset scope
works authctl providers set github.com --scope user:email
err "^authctl: default scopes that are no longer requested: read:user; to request them too: authctl providers set github.com --scope read:user$"
works authctl providers show github.com --json
json "d['scopes'] == ['user:email'] and d['baseUrl'] is None"
GITHUB_SECRET_1=another-secret works authctl providers set github.com --client-secret-env GITHUB_SECRET_1
err "changed provider 'github.com' \(client-secret\): "
exits 78 authctl providers set github.com --scope repo
err 'GITHUB_SECRET_1, which is not set'
works authctl providers set github.com --unset client-secret
works authctl providers show github.com
out 'client secret +none'
exits 64 authctl providers set github.com
exits 64 authctl providers set github.com --issuer https://evil.example
exits 64 authctl providers set github.com --unset client-id
exits 64 authctl providers set github.com --param state=x
exits 78 authctl providers set google.com --scope x
err "'google.com' is not configured"
cp "$config" before
exits 78 authctl providers set github.com --base-url http://ghe.example.com
cmp -s "$config" before || fail "something was changed"
works authctl providers add github.com --client-id d --replace
no_err 'drop'
! grep -q future "$config" || fail "it was replaced"
works authctl providers add github.com --client-id d

#: One emulator serves every provider at its own URL, and tokens of one are not valid at another.
mkfifo urls
authctl-emulator --as all --auto-approve --keys "$KEYS/all" --client-id client-1 --client-secret client-secret-1 >urls &
servers+=($!)
for n in 1 2 3 4 5 6 7; do read -r name base; echo "$name $base"; done <urls >list
[ "$(sort -u list | wc -l)" = 7 ] || fail "seven URLs"
base() { awk -v name="$1" '$1 == name {print $2}' list; }
export BROWSER="curl -sS -L -o /dev/null"
secret_file client-secret-1
for id in github.com google.com facebook.com; do
    works authctl providers add $id --base-url "$(base $id)" --client-id client-1 --client-secret-file "$PWD/secret" --profile $id
    works authctl signin --provider $id --profile $id
    works authctl token --profile $id
    cp stdout token.$id
done
# A token of one provider is not valid at another.
for id in github.com google.com facebook.com; do
    case $id in github.com) path=/user ;; google.com) path=/v1/userinfo ;; facebook.com) path=/v23.0/me ;; esac
    for other in github.com google.com facebook.com; do
        status=$(curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $(cat token.$other)" -H 'User-Agent: test' "$(base $id)$path")
        if [ $id = $other ]; then [ "$status" != 401 ] || fail "$id refuses its own"; else [ "$status" = 401 ] || fail "$id takes $other's: $status"; fi
    done
done
# A session of one base URL is not refreshed, revoked or used at another.
works authctl providers add github.com --base-url "$(base google.com)" --client-id client-1 --client-secret-file "$PWD/secret" --profile github.com
exits 4 authctl request "$(base google.com)/user" --profile github.com
err "is from the issuer 'http://127.0.0.1:[0-9]+', which is not the configured issuer"
exits 78 authctl signout --revoke --profile github.com
err "the tokens of 'github.com' were not revoked: this session with 'github.com' is from the issuer"
err 'hint: restore the configuration for that issuer; then: authctl signout --retry --profile github.com$'

#: A provider of version 0.1.0 keeps its redirect URI when it is added again; others get their own.
emulator
mkdir -p "$HOME/.config/authctl"
chmod 700 "$HOME/.config/authctl"
cat >"$HOME/.config/authctl/config.yaml" <<Y
profiles:
  default:
    providers:
      oidc.old:
        issuer: $ISSUER
        client_id: emulator-client
      oidc.hand:
        issuer: $ISSUER
        client_id: emulator-client
        redirect_uri: http://127.0.0.1:8123/mine
Y
chmod 600 "$HOME/.config/authctl/config.yaml"
works authctl providers add oidc.new --issuer "$ISSUER" --client-id emulator-client
err "register the redirect URI 'http://127.0.0.1/callback/oidc.new' at the provider, with any port"
export AUTHCTL_OIDC_ENVIRONMENT_ISSUER=$ISSUER AUTHCTL_OIDC_ENVIRONMENT_CLIENT_ID=emulator-client
# comes_back ID URI: checks the redirect URI of a sign-in.
comes_back() {
    works authctl signin --provider "$1" --begin
    json "d['redirectURI'] == '$2'"
}
comes_back oidc.old http://127.0.0.1:8400/callback
comes_back oidc.hand http://127.0.0.1:8123/mine
comes_back oidc.new http://127.0.0.1:8400/callback/oidc.new
comes_back oidc.environment http://127.0.0.1:8400/callback/oidc.environment
works authctl providers show oidc.old
out 'redirect URI +http://127.0.0.1:PORT/callback, any port'
works authctl providers show oidc.new
out 'redirect URI +http://127.0.0.1:PORT/callback/oidc.new, any port'
works authctl profile set --one-account-per-email off
for id in old new environment; do works authctl signin --provider "oidc.$id"; done
works authctl providers add oidc.old --issuer "$ISSUER" --client-id emulator-client --scope openid
err "register the redirect URI 'http://127.0.0.1/callback' at the provider, with any port"
comes_back oidc.old http://127.0.0.1:8400/callback
# Another client does not have a registered redirect URI yet.
works authctl providers add oidc.old --issuer "$ISSUER" --client-id another-client --replace
comes_back oidc.old http://127.0.0.1:8400/callback/oidc.old
works authctl providers add oidc.own --issuer "$ISSUER" --register
comes_back oidc.own http://127.0.0.1:8400/callback/oidc.own
works authctl signin --provider oidc.own --port "$(free_port)"

#: Does not register a client whose secret cannot be stored; check also reports a broken store.
emulator
works authctl providers add oidc.first --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.first
db=$HOME/.config/authctl/authctl.db
head -c 20000 /dev/urandom >"$db"
before=$(curl -sS "$ISSUER/emulator/requests")
exits 74 authctl providers add oidc.second --issuer "$ISSUER" --register
exits 74 authctl providers check oidc.first
[ "$(curl -sS "$ISSUER/emulator/requests")" = "$before" ] || fail "the provider was asked"

#: --preset oauth reads the metadata of RFC 8414, unless --discovery is set.
emulator --fault oauth-alone
works authctl providers add oidc.api --issuer "$ISSUER" --client-id emulator-client --preset oauth
grep -q '^ *discovery: oauth$' "$HOME/.config/authctl/config.yaml" || fail "the place is not in config.yaml"
exits 78 authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client --preset oauth --discovery openid
works authctl providers set oidc.api --unset discovery --preset oauth
grep -q '^ *discovery: oauth$' "$HOME/.config/authctl/config.yaml" || fail "the place is not in config.yaml"

#: Checks whether the provider accepts the client's ID and secret.
emulator --client-secret secret-of-the-client
secret_file secret-of-the-client
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
works authctl providers check
out "^ok +oidc.test +client +'client_secret_basic'"
works authctl providers set oidc.test --client-id wrong
exits 1 authctl providers check
out "^FAIL +oidc.test +client +the provider rejects it: invalid_client"
exits 1 authctl doctor --long
out "^WRONG +oidc.test +client: the provider rejects it: invalid_client"
out "→ if the client ID is right, enter the secret again: authctl providers set oidc.test --client-secret-stdin"
works authctl providers set oidc.test --client-id emulator-client
printf wrong >secret
exits 1 authctl providers check --json
json "[c['check'] for c in d['checks'] if not c['ok']] == ['client']"

#: A secret replaces a public client that was registered automatically, and is sent.
emulator --client-secret client-secret-1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --auth-method none
exits 78 authctl signin test
authctl providers set test --client-secret-stdin <<<client-secret-1
works authctl signin test
