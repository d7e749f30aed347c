# Credential helpers, with the real git, docker, kubectl and aws.

# resource KIND [DIRECTORY]: starts a server that requires a token in the file `accepted`; sets RESOURCE to its URL.
resource() {
    rm -f resource.url && mkfifo resource.url
    python3 "$ROOT/Tests/Servers/resources.py" "$@" accepted >resource.url &
    servers+=("$!")
    read -r RESOURCE <resource.url
}

# front: starts a TLS proxy for that server, with the certificate tls.pem; sets RESOURCE to its URL.
front() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout tls.key -out tls.pem -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 2>/dev/null
    local port
    port=$(free_port)
    printf 'daemon off; pid nginx.pid; error_log nginx.log; events {} http { access_log off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5; server { listen 127.0.0.1:%s ssl; ssl_certificate tls.pem; ssl_certificate_key tls.key; location / { proxy_pass %s; } } }' "$port" "$RESOURCE" >nginx.conf
    nginx -p "$PWD" -c nginx.conf -e nginx.log &
    servers+=("$!")
    RESOURCE=https://127.0.0.1:$port
    curl -sS --retry 50 --retry-connrefused --retry-delay 0 --retry-max-time 10 --cacert tls.pem -o /dev/null "$RESOURCE/"
}

# ready [tls] KIND [DIRECTORY]: a signed-in user, and a server that is allowed by the provider's configuration.
ready() {
    touch accepted
    if [ "$1" = tls ]; then shift; resource "$@"; front; else resource "$@"; fi
    emulator
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --api-host "$RESOURCE"
    works authctl signin
    authctl token >accepted
}

# repository: a bare repository in repos/project.git with one file.
repository() {
    export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
    git init -q source
    echo "only for those with the token" >source/file
    git -C source add file
    git -C source commit -qm first
    git clone -q --bare source repos/project.git
    git -C repos/project.git update-server-info
}

# age SECONDS: makes the stored tokens so much older.
age() {
    python3 -c "import sqlite3; db = sqlite3.connect('$HOME/.config/authctl/authctl.db'); db.execute('''UPDATE session SET details = json_set(details, '$.tokens.expiresAt', json_extract(details, '$.tokens.expiresAt') - $1)'''); db.commit()"
}

#: git clone gets the token for a repository that requires it.
repository
ready git repos
export GIT_TERMINAL_PROMPT=0
code=0; git clone -q "$RESOURCE/project.git" without 2>stderr || code=$?
[ $code != 0 ] || fail "the server gave it to anybody"
works authctl credential install git --host "$RESOURCE"
out "credential.$RESOURCE.helper = !.*/authctl credential git"
works git clone -q "$RESOURCE/project.git" clone
grep -q 'only for those' clone/file || fail "nothing was cloned"
works authctl credential install git --host "$RESOURCE"
out 'nothing to change'
works authctl credential install git --host "$RESOURCE" --account ada@example.com
out "credential.$RESOURCE.helper = !.*/authctl credential git --account ada@example.com$"
works git clone -q "$RESOURCE/project.git" other
works authctl credential uninstall git
out "$RESOURCE"

#: An expired token is refreshed before git gets it.
repository
ready git repos
works authctl credential install git --host "$RESOURCE"
works authctl token --force-refresh
cp stdout expired
session_set tokens.expiresAt 1
printf 'protocol=http\nhost=%s\n' "${RESOURCE#http://}" >asked
authctl credential git get <asked >answer
sed -n 's/^password=//p' answer >accepted
[ -s accepted ] && ! cmp -s accepted expired || fail "git got the expired token"
[ "$(requests 'token refresh_token')" = 2 ] || fail "not refreshed once"
works git clone -q "$RESOURCE/project.git" clone

#: Without a session, the git helper starts a sign-in on a terminal, unless git's prompts are disabled.
. "$ROOT/Tests/ScriptTests/terminal.sh"
ready git .
works authctl credential install git --host "$RESOURCE"
works authctl signout
host=${RESOURCE#http://}
fills='printf "protocol=http\nhost='$host'\n\n" |'
terminal 100 30 "$fills GIT_TERMINAL_PROMPT=0 git credential fill"
shows 'error: not signed in to .oidc.test.'
shows 'ended with 128'
terminal 100 30 "$fills CI=true git credential fill"
shows 'error: not signed in to .oidc.test.'
presses C-c
code=0
printf 'protocol=http\nhost=%s\n\n' "$host" | authctl credential git get >stdout 2>stderr || code=$?
[ $code = 4 ] || fail "exit $code without a terminal"
terminal 100 30 "$fills git credential fill >filled"
shows "[Ss]igned in to test"
shows 'ended with 0'
[ "$(grep ^password= filled)" = "password=$(authctl token)" ] || fail "git did not get the token"

#: The git helper complies with git's credential protocol, and prints nothing for other hosts.
ready git .
host=${RESOURCE#http://}
printf 'protocol=http\nhost=%s\npath=x.git\nwwwauth[]=Basic realm="x"\n\nignored' "$host" >asked
authctl credential git get <asked >stdout
out '^username=oauth2$'
out "^password=$(cat accepted)$"
out '^password_expiry_utc=[0-9]{10}$'
no_out refresh
works authctl accounts name ada
printf 'protocol=http\nhost=%s\nusername=ada\n' "$host" | authctl credential git get >stdout
out '^username=ada$'
printf 'capability[]=authtype\nprotocol=http\nhost=%s\nwwwauth[]=Bearer realm="x"\n' "$host" | authctl credential git get >stdout
out '^authtype=Bearer$'
out "^credential=$(cat accepted)$"
no_out '^password='
printf 'protocol=https\nhost=elsewhere.example\n' | authctl credential git get >stdout 2>stderr
[ ! -s stdout ] && [ ! -s stderr ] || fail "something was said about a host that is not ours"
printf 'protocol=https\nhost=%s\n' "$host" | authctl credential git get >stdout 2>stderr
[ ! -s stdout ] || fail "another scheme is another host"
printf 'protocol=http\nhost=%s\nusername=x\npassword=y\n' "$host" | authctl credential git store
works authctl credential git capability
out 'capability authtype'
works authctl credential git tomorrow
exits 64 bash -c "printf 'protocol=http\nhost=$host\r\n' | authctl credential git get"
exits 64 bash -c "printf 'protocol=http\nno equals sign\n' | authctl credential git get"

#: git's erase does not sign out: the rejected token is refreshed at the next request.
ready git .
host=${RESOURCE#http://}
age 70
printf 'protocol=http\nhost=%s\nusername=oauth2\npassword=%s\n' "$host" "$(cat accepted)" | authctl credential git erase
printf 'protocol=http\nhost=%s\n' "$host" | authctl credential git get >stdout
out '^password='
no_out "^password=$(cat accepted)$"
works authctl whoami
cp stdout before
printf 'protocol=http\nhost=%s\npassword=some-other\n' "$host" | authctl credential git erase
authctl token >first && authctl token >second && cmp -s first second || fail "somebody else's token was taken for ours"

#: A user name in git's URL selects the account by alias or address; an unknown one gets no token.
repository
ready git repos
works authctl accounts name ada
ada=$(authctl token)
works authctl signin --provider oidc.test --param emulator_user=grace@example.com
grace=$(authctl token)
[ "$ada" != "$grace" ] || fail "one token for both"
export GIT_TERMINAL_PROMPT=0 GIT_CONFIG_GLOBAL=$PWD/gitconfig
works authctl credential install git --host "$RESOURCE"
host=${RESOURCE#http://}
works git clone -q "http://ada@$host/project.git" by-name
works git clone -q "http://ada%40example.com@$host/project.git" by-address
code=0; git clone -q "http://grace%40example.com@$host/project.git" another 2>stderr || code=$?
[ $code != 0 ] || fail "the server took another token"
# Git erased the token, but it is too new to be refreshed.
[ "$(authctl token)" = "$grace" ] || fail "another token"
# fills USER: the helper's response to git for this user, in stdout.
fills() { printf 'protocol=http\nhost=%s\nusername=%s\n\n' "$host" "$1" | git credential fill >stdout 2>stderr; }
for user in ada ada@example.com ADA@example.com; do
    fills "$user"
    grep -qxF "password=$ada" stdout || fail "not the token of $user"
done
for user in grace@example.com oauth2; do
    fills "$user"
    grep -qxF "password=$grace" stdout || fail "not the token of $user"
done
for user in grace nobody ada@elsewhere.example; do
    printf 'protocol=http\nhost=%s\nusername=%s\n' "$host" "$user" | authctl credential git get >stdout 2>stderr
    [ ! -s stdout ] && [ ! -s stderr ] || fail "something was printed for '$user'"
    ! fills "$user" || fail "git got a password for $user"
done
# Authctl's own settings take precedence over the user name in a URL.
printf 'protocol=http\nhost=%s\nusername=nobody\n' "$host" | authctl credential git get --account ada >stdout
grep -qxF "password=$ada" stdout || fail "not the token of --account"
# An erased token is refreshed only for the named account.
age 70
printf 'protocol=http\nhost=%s\nusername=ada\npassword=%s\n' "$host" "$ada" | authctl credential git erase
[ "$(authctl token --account ada)" != "$ada" ] || fail "a refused token was handed out again"
[ "$(authctl token)" = "$grace" ] || fail "another account's token was renewed"

#: A user name in git's URL also selects the account with that user name at the provider.
provider github.com
works authctl signin --provider github.com --param emulator_user=ada@example.com
ada=$(authctl token)
works authctl signin --provider github.com --param emulator_user=grace@example.com
grace=$(authctl token)
works authctl whoami --json
json "d['account']['providerData'][0]['screenName'] == 'grace'"
export GIT_TERMINAL_PROMPT=0 GIT_CONFIG_GLOBAL=$PWD/gitconfig
works authctl credential install git --host "$ISSUER"
for user in ada Ada; do
    printf 'protocol=http\nhost=%s\nusername=%s\n\n' "${ISSUER#http://}" $user | git credential fill >stdout
    grep -qxF "password=$ada" stdout || fail "not the token of $user"
done
printf 'protocol=http\nhost=%s\nusername=grace\n\n' "${ISSUER#http://}" | git credential fill >stdout
grep -qxF "password=$grace" stdout || fail "not the token of grace"
# A user name at another provider does not match, and an ambiguous one is refused.
works authctl accounts name ada
printf 'protocol=http\nhost=%s\nusername=ada\n\n' "${ISSUER#http://}" | git credential fill >stdout
grep -qxF "password=$grace" stdout || fail "an alias counts more than a user name"

#: After a provider's issuer was changed, no tool gets a token of the old issuer.
ready git .
host=${RESOURCE#http://}
old=$ISSUER
works authctl signin --provider oidc.test --resource "$old/api" --scope 'notes.read notes.write'
emulator --user grace@example.com
# refused: no tool gets a token.
refused() {
    code=0; printf 'protocol=http\nhost=%s\n' "$host" | authctl credential git get >stdout 2>stderr || code=$?
    [ $code = 4 ] && [ ! -s stdout ] || fail "git: exit $code"
    err "is from the issuer '$old'"
    code=0; echo "$RESOURCE" | authctl credential docker get >stdout 2>stderr || code=$?
    [ $code = 4 ] && ! grep -q Secret stdout || fail "docker: exit $code"
    for tool in "netrc $host" kubectl "kubectl --provider oidc.test --type access" "mcp $old/api" \
        "aws --role-arn arn:aws:iam::1:role/ci --sts-endpoint $RESOURCE"; do
        # shellcheck disable=SC2086
        exits 4 authctl credential $tool
        [[ $tool = kubectl* && $(field "d['kind']") = Status ]] || [ ! -s stdout ] || fail "$tool printed something"
        err "is from the issuer '$old'"
    done
    exits 4 authctl request "$RESOURCE/file"
}
(export AUTHCTL_OIDC_TEST_ISSUER=$ISSUER; refused)
works authctl credential netrc "$host"
works authctl token
works authctl token
works authctl providers set oidc.test --issuer "$ISSUER"
refused
for _ in 1 2; do
    exits 4 authctl token
    err "is from the issuer '$old'"
done
exits 4 authctl exec -- true
# A token of another provider is printed, which does not let the fast path print this one.
works authctl providers add oidc.third --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.third
works authctl token --provider oidc.third
works authctl accounts switch ada@example.com
exits 4 authctl token
works authctl accounts delete grace@example.com --yes
works authctl accounts switch ada@example.com
works authctl providers set oidc.test --issuer "$old"
works authctl token
works authctl providers set oidc.test --issuer "$ISSUER"
works authctl providers remove oidc.third
# The same with a system configuration, which only root can write, and no configuration of the user.
if [ "$(id -u)" != 0 ]; then echo "not root: no administrator's file"; exit 0; fi
mkdir "$AUTHCTL_SYSTEM_CONFIG_DIR"
works authctl providers export oidc.test
cp stdout "$AUTHCTL_SYSTEM_CONFIG_DIR/config.yaml"
rm "$HOME/.config/authctl/config.yaml"
refused
works authctl signin --provider oidc.test
works authctl credential netrc "$host"

#: Git works with GitHub even if another account is current; without a session the helper prints the command.
provider github.com
base=$ISSUER
export GIT_CONFIG_GLOBAL=$PWD/gitconfig
works authctl signin --provider github.com
emulator --user grace@example.com
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl credential install git --provider github.com
out "credential.$base.helper"
printf 'protocol=http\nhost=%s\n' "${base#http://}" | authctl credential git get >stdout
out '^username=x-access-token$'
works authctl signout --all
code=0; printf 'protocol=http\nhost=%s\n' "${base#http://}" | authctl credential git get >stdout 2>stderr || code=$?
[ $code = 4 ] && [ ! -s stdout ] || fail "exit $code"
err 'authctl signin github.com'

#: docker gets the token for the registry, and no credentials for other registries.
ready tls registry
host=${RESOURCE#https://}
mkdir bin
export PATH=$PWD/bin:$PATH DOCKER_CONFIG=$PWD/docker
works authctl credential install docker --host "$RESOURCE" --bin-dir "$PWD/bin"
out 'docker-credential-authctl: made'
out "credHelpers.$host = authctl"
works authctl credential install docker --host "$RESOURCE" --bin-dir "$PWD/bin"
out 'nothing to change'
PATH=$PATH:$ROOT/.build/docker/usr/bin DOCKER_CLI_EXPERIMENTAL=enabled SSL_CERT_FILE=$PWD/tls.pem docker manifest inspect "$host/project:latest" >stdout 2>stderr || fail "docker got nothing"
json "d['schemaVersion'] == 2"
echo "$host" | docker-credential-authctl get >stdout
json "d == {'ServerURL': '$host', 'Username': 'oauth2', 'Secret': open('accepted').read().strip()}"
exits 1 bash -c 'echo registry.example | docker-credential-authctl get'
out '^credentials not found in native keychain$'
works docker-credential-authctl list
json "'$host' in d"
works docker-credential-authctl erase
exits 64 docker-credential-authctl store
err 'docker login'

#: Installing the docker helper keeps docker's other settings, and refuses a file that is not JSON.
ready registry
export DOCKER_CONFIG=$PWD/docker
mkdir docker bin
export PATH=$PWD/bin:$PATH
echo '{"auths": {"a.example": {"auth": "eDp5"}}, "credHelpers": {"b.example": "other"}, "HttpHeaders": {"X": "1.0"}}' >docker/config.json
works authctl credential install docker --host "$RESOURCE" --bin-dir "$PWD/bin"
python3 -c "import json; d = json.load(open('docker/config.json')); assert d['auths'] and d['credHelpers']['b.example'] == 'other' and d['HttpHeaders'] == {'X': '1.0'} and len(d['credHelpers']) == 2"
echo 'not json' >docker/config.json
exits 1 authctl credential install docker --host "$RESOURCE" --bin-dir "$PWD/bin"
grep -qx 'not json' docker/config.json || fail "it was overwritten"

#: A second profile does not replace the options of the docker program, which is for all hosts.
ready registry
export DOCKER_CONFIG=$PWD/docker
mkdir docker bin
export PATH=$PWD/bin:$PATH
works authctl credential install docker --host "$RESOURCE" --bin-dir "$PWD/bin"
cp bin/docker-credential-authctl before
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --api-host h.example.com --profile home
exits 1 authctl credential install docker --host h.example.com --bin-dir "$PWD/bin" --profile home
err 'uses it with other options for'
err 'hint: .*authctl use --remove docker'
cmp -s before bin/docker-credential-authctl || fail "it was changed"
works authctl credential uninstall docker --bin-dir "$PWD/bin"
works authctl credential install docker --host h.example.com --bin-dir "$PWD/bin" --profile home

#: The kubectl plugin prints an ExecCredential with the ID token, in the requested API version.
ready kubernetes
for version in v1 v1beta1; do
    export KUBERNETES_EXEC_INFO="{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/$version\",\"spec\":{\"interactive\":false}}"
    works authctl credential kubectl --provider oidc.test
    json "d['apiVersion'] == 'client.authentication.k8s.io/$version' and d['kind'] == 'ExecCredential'"
    json "d['status']['expirationTimestamp'].endswith('Z') and d['status']['token'].startswith('eyJ')"
done
# A program that does not name the version gets that of the entry that install writes.
unset KUBERNETES_EXEC_INFO
works authctl credential kubectl --provider oidc.test
json "d['apiVersion'] == 'client.authentication.k8s.io/v1'"
export KUBECONFIG=$PWD/kubeconfig
works authctl credential install kubectl
out '\(client.authentication.k8s.io/v1\)$'
KUBERNETES_EXEC_INFO='{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1alpha1"}' exits 64 authctl credential kubectl
KUBERNETES_EXEC_INFO='{' exits 64 authctl credential kubectl
works authctl signout
exits 4 authctl credential kubectl --provider oidc.test

#: A provider without ID tokens is refused, when a tool that requires them is configured and when it runs.
provider github.com
export KUBECONFIG=$PWD/kubeconfig AWS_CONFIG_FILE=$PWD/aws
pool=projects/1/locations/global/workloadIdentityPools/p/providers/q
for tool in kubectl "aws --role-arn arn:aws:iam::1:role/ci" "gcp --workload-provider $pool"; do
    # shellcheck disable=SC2086
    exits 78 authctl credential install $tool --provider github.com
    err "github.com has no ID tokens, which ${tool%% *} requires \\(unsupported\\)"
    err 'hint: choose an OpenID Provider: authctl providers list$'
done
exits 78 authctl credential install kubectl
[ ! -e kubeconfig ] && [ ! -e aws ] || fail "installed"
export KUBERNETES_EXEC_INFO='{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":true}}'
refuses() {
    local before
    before=$(all_requests)
    exits 78 authctl credential kubectl "$@"
    err 'github.com has no ID tokens, which this tool requires'
    [ "$(all_requests)" = "$before" ] || fail "a sign-in was started"
}
refuses --provider github.com
works authctl signin --provider github.com
refuses --provider github.com
refuses
works authctl credential kubectl --provider github.com --type access

#: kubectl sends the plugin's token to a cluster over TLS.
ready tls kubernetes
authctl token --type id >accepted
export KUBECONFIG=$PWD/kubeconfig
works kubectl config set-cluster test --server "$RESOURCE" --certificate-authority tls.pem
works authctl credential install kubectl --provider oidc.test --name ada
out "user 'ada' runs .*/authctl credential kubectl --provider oidc.test"
works kubectl config set-context test --cluster test --user ada
works kubectl --context test get --raw /version
out v1.30.0-authctl-test
works authctl signout
exits 1 kubectl --context test get --raw /version
err 'not signed in|authctl signin'
# This kubectl ignores the Status on standard output.
err 'getting credentials: exec: executable .*authctl failed with exit code 4'
no_err '"kind":"Status"'

#: A client-go that reads the Status on standard output shows the reason and the command (kubernetes/kubernetes#139150).
cat >client <<'P'
"""Runs a credential plugin like client-go with ExecPluginStatusError, and prints what kubectl would print."""
import json, os, subprocess, sys
env = dict(os.environ, KUBERNETES_EXEC_INFO=json.dumps(
    {"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "spec": {"interactive": False}}))
run = subprocess.run(sys.argv[1:], env=env, stdout=subprocess.PIPE, stderr=open("plugin.err", "w"))
out = run.stdout.strip()
if run.returncode == 0:
    sys.exit(0 if json.loads(out)["kind"] == "ExecCredential" else "not an ExecCredential")
kinds = {"kind": str, "apiVersion": str, "metadata": dict, "status": str, "message": str, "reason": str, "code": int}
status = json.loads(out, object_pairs_hook=lambda pairs: dict(pairs) if len({k for k, _ in pairs}) == len(pairs) else sys.exit("twice"))
assert len(out) <= 1 << 20 and {k: type(v) for k, v in status.items()} == kinds, status
assert (status["kind"], status["apiVersion"], status["status"]) == ("Status", "v1", "Failure"), status
assert status["message"].isprintable(), status
print("%d %s %d: getting credentials: %s" % (run.returncode, status["reason"], status["code"], status["message"]))
P
# shows 'TEXT' ARGUMENTS…: what a user of kubectl sees if the plugin fails. Standard error has the error too.
shows() {
    python3 client authctl "${@:2}" >stdout 2>stderr || fail "the client failed"
    [[ $(<stdout) = $1 ]] || fail "not $1"
    grep -qE '^authctl: error: |^\{"error":' plugin.err || fail "no error: $(cat plugin.err)"
    append stdout
    append plugin.err
}
signin='authctl signin oidc.test'
ready kubernetes
python3 client authctl credential kubectl || fail "no credential"
works authctl signout
# The short path, the parser's path, and JSON.
shows "4 Unauthorized 401: getting credentials: *not signed in*; hint: $signin" credential kubectl --provider oidc.test
shows "4 Unauthorized 401: getting credentials: *not signed in*; hint: $signin" credential kubectl --provider=oidc.test
shows "4 Unauthorized 401: getting credentials: *not signed in*; hint: $signin" --quiet credential kubectl --provider=oidc.test
shows "4 Unauthorized 401: getting credentials: *not signed in*; hint: $signin" credential kubectl --provider oidc.test --json
shows "4 Unauthorized 401: getting credentials: *not signed in*; hint: $signin --profile default" credential kubectl --provider oidc.test --profile default
works authctl signin
# The provider rejects the refresh token, cannot be reached, or answers nonsense.
session_set tokens.idTokenExpiresAt 1
kill "$EMULATOR" && wait "$EMULATOR" || true
emulator --port "${ISSUER##*:}" --fault refresh-500
shows "69 ServiceUnavailable 503: *responded with status 500*" credential kubectl
kill "$EMULATOR" && wait "$EMULATOR" || true
emulator --port "${ISSUER##*:}" --fault token-html
shows "65 InternalError 500: *invalid response from*" credential kubectl
kill "$EMULATOR" && wait "$EMULATOR" || true
shows "69 ServiceUnavailable 503: *" credential kubectl
emulator --port "${ISSUER##*:}" --fault refresh-invalid-grant
works authctl signin
session_set tokens.idTokenExpiresAt 1
shows "4 Unauthorized 401: *'oidc.test' rejected the refresh token; sign in again; hint: $signin" credential kubectl
# A mistake in the kubeconfig's arguments or in the settings.
shows "64 BadRequest 400: *Unknown option '--provder'*authctl credential kubectl --provider oidc.test" credential kubectl --provder oidc.test
shows "64 BadRequest 400: *--account*" credential kubectl --account
shows "64 BadRequest 400: *--account*" credential kubectl --json --account
shows "* BadRequest 400: *nobody@example.com*" credential kubectl --account nobody@example.com
shows "78 BadRequest 400: *" credential kubectl --provider github.com
AUTHCTL_PROFILE=../x shows "78 BadRequest 400: *AUTHCTL_PROFILE*unset AUTHCTL_PROFILE" credential kubectl
# A secret in the arguments is not repeated, and escape sequences are not sent to kubectl's terminal.
secret=ghp_0123456789abcdefghijABCDEFGHIJ012345
echo $secret >>secrets
shows '*' credential kubectl --provider $secret
shows '* BadRequest 400: *u{1b}\[31mred\\u{202e}*' credential kubectl --account $'\e[31mred\u202e'
shows '64 *' credential kubectl $secret $'\e[31mred'
echo 'providers: {' >"$HOME/.config/authctl/config.yaml"
shows "78 BadRequest 400: *config.yaml*" credential kubectl
# If standard output cannot be written to, the error and the exit code are the same.
exits 78 bash -c 'authctl credential kubectl >&-'
err '^authctl: error: .*config.yaml'
no_err 'output'
exits 78 bash -c 'authctl credential kubectl >/dev/full'
err '^authctl: error: .*config.yaml'
no_err 'output'
exits 78 bash -c 'set -o pipefail; authctl credential kubectl | true'
# Help and other helpers print no Status.
works authctl credential kubectl --help
no_out '"Status"'
printf 'protocol=https\nhost=x\n\n' | authctl credential git get >stdout 2>stderr || true
no_out Status

#: The aws helper exchanges the ID token for a role's credentials, and the real aws uses them.
ready sts
authctl token --type id >accepted
export AWS_CONFIG_FILE=$PWD/aws.config AWS_EC2_METADATA_DISABLED=true
printf '[default]\nregion = eu-central-1' >aws.config
works authctl credential install aws --provider oidc.test --role-arn arn:aws:iam::123456789012:role/ci --sts-endpoint "$RESOURCE" --name ci
works authctl credential install aws --provider oidc.test --role-arn arn:aws:iam::123456789012:role/ci --sts-endpoint "$RESOURCE" --name ci
out 'nothing to change'
exits 1 authctl credential install aws --role-arn arn:aws:iam::1:role/other --name ci
works aws --profile ci --region eu-central-1 --endpoint-url "$RESOURCE" --output json sts get-caller-identity
json "d['Account'] == '123456789012'"
works authctl credential aws --role-arn arn:aws:iam::1:role/ci --sts-endpoint "$RESOURCE"
json "d == {'Version': 1, 'AccessKeyId': 'ASIAEXAMPLE', 'SecretAccessKey': 'secret-access-key-1', 'SessionToken': 'session-token-1', 'Expiration': '2099-01-01T00:00:00Z'}"
echo nothing >accepted
exits 7 authctl credential aws --role-arn arn:aws:iam::1:role/ci --sts-endpoint "$RESOURCE"
err 'AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity & more'
exits 64 authctl credential aws
exits 78 authctl credential aws --role-arn arn:aws:iam::123456789012:role/x --sts-endpoint http://sts.example

#: The netrc helper prints a line with the token, only for hosts of the provider.
ready git .
works authctl credential netrc "${RESOURCE#http://}"
out "^machine 127.0.0.1 login oauth2 password $(cat accepted)$"
exits 7 authctl credential netrc elsewhere.example
err "hint: a provider's token is sent only to the hosts that its settings name: --api-host$"
exits 7 authctl credential netrc api.github.com --provider oidc.test
err 'hint: authctl signin github.com'
exits 7 authctl credential install git --host https://github.com --provider oidc.test
err 'hint: authctl signin github.com'
exits 64 authctl credential install netrc
exits 7 authctl credential install git --host elsewhere.example
exits 64 authctl credential install emacs

#: Uninstall restores the files of git, docker, kubectl and aws byte for byte.
ready docker
host=${RESOURCE#http://}
export GIT_CONFIG_GLOBAL=$PWD/gitconfig DOCKER_CONFIG=$PWD/docker KUBECONFIG=$PWD/kubeconfig AWS_CONFIG_FILE=$PWD/aws
mkdir docker bin
export PATH=$PWD/bin:$PATH
printf '[user]\n\tname = Ada\n[credential "%s"]\n\thelper = store\n\thelper = cache\n' "$RESOURCE" >gitconfig
printf '{"credHelpers":{"%s":"ecr-login","gcr.io":"gcloud"}}\n' "$host" >docker/config.json
printf 'apiVersion: v1\nkind: Config\nusers:\n- name: other\n  user:\n    token: t\n' >kubeconfig
printf '[default]\nregion = eu-west-1\n' >aws
cp kubeconfig kube.before
cp gitconfig git.before; cp docker/config.json docker.before; cp aws aws.before
role=(--role-arn arn:aws:iam::123456789012:role/ci --sts-endpoint "$RESOURCE" --name ci)
for round in 1 2; do
    works authctl credential install git --host "$RESOURCE"
    works authctl credential install docker --host "$RESOURCE" --bin-dir "$PWD/bin"
    works authctl credential install kubectl --name ada
    works authctl credential install aws "${role[@]}"
    [ $round = 2 ] || { works authctl credential install git --host "$RESOURCE"; out 'nothing to change'; }
done
exits 1 authctl credential install kubectl --name other
exits 1 authctl credential uninstall kubectl --name other
works authctl credential uninstall kubectl --name authctl
out "nothing to change: authctl is only installed for 'ada'$"
works authctl credential uninstall aws --name authctl
out "nothing to change: authctl is only installed for 'ci'$"
exits 64 authctl credential install docker --host "$RESOURCE" --bin-dir "$PWD/docker"
err "'$PWD/docker' is not in PATH"
err "hint: choose a directory of PATH, or add it: export PATH=$PWD/docker:\"\\\$PATH\"$"
exits 1 authctl credential uninstall aws --name default
err 'default. was not created by authctl'
err 'hint: to list what authctl added: authctl use$'
works authctl credential uninstall git --host https://elsewhere.example
out 'nothing to change'
works authctl credential uninstall git --host "HTTP://${RESOURCE#http://}/"
out "$RESOURCE.helper was removed"
works authctl credential uninstall docker --bin-dir "$PWD/bin" --host "$RESOURCE/"
works authctl credential uninstall kubectl --name ada
works authctl credential uninstall aws --name ci
cmp gitconfig git.before && cmp docker/config.json docker.before && cmp aws aws.before || fail "not as it was"
cmp kubeconfig kube.before || fail "kubectl's file is not as it was"
[ -z "$(ls bin)" ] || fail "the program is still there"
for tool in git docker kubectl aws; do works authctl credential uninstall $tool; out 'nothing to change'; done

#: Uninstall restores kubectl's file in each format, and install changes the file that kubectl would use.
ready kubernetes
export KUBECONFIG=$PWD/kubeconfig
# runs_plugin: kubectl understands the file, and the user in it runs the plugin.
runs_plugin() {
    works kubectl config view --raw -o json
    json "any(u['name'] == 'ada' and u['user']['exec']['args'][:2] == ['credential', 'kubectl'] for u in d['users'])"
}
for text in '' 'apiVersion: v1\nkind: Config\nusers: null\npreferences: {}\n' 'users:  # mine\n- name: other\n  user: {token: t}\n# the end' \
    '{"kind": "Config", "users": [{"name": "other", "user": {"token": "t"}}]}'; do
    # shellcheck disable=SC2059
    printf "$text" >kubeconfig
    cp kubeconfig before
    for round in 1 2; do
        works authctl credential install kubectl --name ada
        runs_plugin
        works authctl credential install kubectl --name ada
        out 'nothing to change'
        works authctl credential uninstall kubectl --name ada
        cmp kubeconfig before || fail "not as it was: $text"
    done
done
# Changes that kubectl makes in between are kept.
works authctl credential install kubectl --name ada
works kubectl config set-context work --cluster work --user ada
runs_plugin
works authctl credential install kubectl --name ada
out 'nothing to change'
works authctl credential uninstall kubectl --name ada
works kubectl config view --raw -o json
json "[u['name'] for u in d['users']] == ['other'] and d['contexts'][0]['context']['user'] == 'ada'"
rm kubeconfig
works authctl credential install kubectl --name ada
runs_plugin
works authctl credential uninstall kubectl --name ada
[ ! -e kubeconfig ] || fail "the file was not there before: $(cat kubeconfig)"
# With several files, install changes the first that exists, and uninstall the one with the user.
export KUBECONFIG=$PWD/absent:$PWD/first:$PWD/second
echo 'kind: Config' >first
cp first second
works authctl credential install kubectl --name ada
out "^$PWD/first: user 'ada' runs"
[ "$(cat second)" = 'kind: Config' ] || fail "another file was changed"
mv first absent && mv second first && mv absent second
works authctl credential uninstall kubectl --name ada
out "^$PWD/second: user 'ada' was removed"
echo 'users: [' >first
exits 1 authctl credential install kubectl --name ada
err "'$PWD/first': line .*; nothing was changed"
[ "$(cat first)" = 'users: [' ] || fail "it was overwritten"
# An older kubectl supports only v1beta1.
rm first
mkdir bin
cat >bin/kubectl <<'K'
#!/bin/sh
echo '{"clientVersion": {"major": "1", "minor": "20+"}}'
K
chmod +x bin/kubectl
PATH=$PWD/bin:$PATH works authctl credential install kubectl --name ada
out 'client.authentication.k8s.io/v1beta1'
runs_plugin
# That kubectl does not name the version of its request. The plugin answers in the version of the entry.
works kubectl config view --raw -o json
json "d['users'][0]['user']['exec']['env'][0]['name'] == 'KUBERNETES_EXEC_INFO'"
info=$(python3 -c "import json; print(json.load(open('stdout'))['users'][0]['user']['exec']['env'][0]['value'])")
KUBERNETES_EXEC_INFO=$info works authctl credential kubectl
json "d['apiVersion'] == 'client.authentication.k8s.io/v1beta1'"
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --profile home
PATH=$PWD/bin:$PATH works authctl credential install kubectl --name ada --profile home
out '^this replaced: [^ ]*authctl credential kubectl --provider oidc.test$'

#: Installs a helper command with this profile and config directory, for the API hosts too.
export AUTHCTL_CONFIG_DIR=$PWD/elsewhere AUTHCTL_PROFILE=work GIT_CONFIG_GLOBAL=$PWD/gitconfig
ready git .
works authctl credential install git
out "credential.$RESOURCE.helper = !.*/authctl credential git --config-dir $PWD/elsewhere --profile work"
unset AUTHCTL_CONFIG_DIR AUTHCTL_PROFILE
printf 'protocol=http\nhost=%s\n\n' "${RESOURCE#http://}" | GIT_TERMINAL_PROMPT=0 git credential fill >stdout 2>stderr || fail "git was given nothing"
grep -qF "password=$(cat accepted)" stdout || fail "another token"
# Another profile replaces the entry, and says so; a repeated call does not.
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --api-host "$RESOURCE" --profile home
works authctl credential install git --profile home
out "^this replaced: [^ ]*authctl credential git --config-dir $PWD/elsewhere --profile work$"
works authctl credential install git --profile home
no_out 'replaced'

#: Uninstall restores git's earlier helpers, including an empty one, and removes a file that install created.
ready git .
export GIT_CONFIG_GLOBAL=$PWD/gitconfig
# As 'gh auth setup-git' writes it, with a comment, a line in between, CRLF and no newline at the end.
printf '[credential]\n\thelper = store\n# mine\n[credential "%s"]\n\thelper = \n\thelper = !/usr/bin/gh auth git-credential\r\n  [user]\n\tname = Ada # "x"' "$RESOURCE" >real
ln -s real gitconfig
chmod 664 real
cp real before
helpers() { git config --show-origin --get-all "credential.$RESOURCE.helper" || true; }
helpers >helpers.before
for round in 1 2; do
    works authctl credential install git
    helpers >helpers.now
    [ "$(tail -n 2 helpers.now | head -n 1)" = "$(printf 'file:%s\t' "$GIT_CONFIG_GLOBAL")" ] || fail "no empty helper first: $(cat helpers.now)"
    works authctl credential install git
    out 'nothing to change'
    works authctl credential uninstall git
    cmp real before && [ -L gitconfig ] && [ "$(stat -c %a real)" = 664 ] || fail "not as it was"
    helpers | cmp - helpers.before || fail "not git's helpers of before"
done
# Lines added since the installation stay.
works authctl credential install git
printf '\n\tusername = ada' >>real
works authctl credential uninstall git
[ "$(git config "credential.$RESOURCE.username")" = ada ] || fail "the user's line is gone"
helpers | cmp - helpers.before || fail "not git's helpers of before"
# As version 0.2.0 changed it.
printf '[credential "%s"]\n\thelper = \n\thelper = !/x/authctl credential git\n\tauthctlformer = \n\tauthctlformer = !gh\n' "$RESOURCE" >real
works authctl credential uninstall git
[ "$(git config --get-all "credential.$RESOURCE.helper" | tr '\n' ' ')" = ' !gh ' ] || fail "$(cat real)"
rm gitconfig real
works authctl credential install git
works authctl credential uninstall git
[ ! -e gitconfig ] || fail "the file was not there before: $(cat gitconfig)"
: >gitconfig
works authctl credential install git
works authctl credential uninstall git
[ -e gitconfig ] && [ ! -s gitconfig ] || fail "it was empty before"

#: If git would not read the added section, install fails and changes nothing.
ready git .
export GIT_CONFIG_GLOBAL=$PWD/gitconfig
# The backslash continues the value on the next line.
printf '[user]\n\tname = Ada \\\n' >gitconfig
cp gitconfig before
exits 1 authctl credential install git
err "git does not read a section at the end of '$PWD/gitconfig'; nothing was changed"
cmp gitconfig before

#: Uninstall restores the files of docker and MCP clients byte for byte, and removes a file that install created.
ready registry
export DOCKER_CONFIG=$PWD/docker
mkdir docker bin
export PATH=$PWD/bin:$PATH
for text in '{}' '{\n\t"auths": {},\r\n  "credHelpers" : {"b.example":"other"} }\n' '{"credHelpers":{}}'; do
    printf "$text" >docker/config.json
    printf "$text" >.mcp.json
    cp docker/config.json before
    works authctl credential install docker --host "$RESOURCE" --bin-dir "$PWD/bin"
    works authctl credential install mcp --resource https://mcp.example.com/mcp
    works authctl credential uninstall docker --bin-dir "$PWD/bin"
    works authctl credential uninstall mcp
    cmp before docker/config.json && cmp before .mcp.json || fail "not as it was"
done
rm docker/config.json
works authctl credential install docker --host "$RESOURCE" --bin-dir "$PWD/bin"
works authctl credential uninstall docker --bin-dir "$PWD/bin"
[ ! -e docker/config.json ] || fail "the file was not there before"

#: Refuses an invalid helper name in docker's settings, and does not write it to a script.
ready registry
export DOCKER_CONFIG=$PWD/docker
mkdir docker bin
export PATH=$PWD/bin:$PATH
printf '{"credHelpers": {"%s": "x\\ntouch owned\\n#"}}' "${RESOURCE#http://}" >docker/config.json
cp docker/config.json before
exits 1 authctl credential install docker --host "$RESOURCE" --bin-dir "$PWD/bin"
err 'is not a valid helper name'
cmp before docker/config.json
[ -z "$(ls bin)" ] || fail "a script was made"

#: If a file of a tool cannot be read, credential install and uninstall fail and change nothing.
plain=()
# Root can read everything. Without these capabilities it is like any other user.
[ "$(id -u)" != 0 ] || plain=(setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search)
ready registry
export DOCKER_CONFIG=$PWD/docker KUBECONFIG=$PWD/kubeconfig AWS_CONFIG_FILE=$PWD/aws-config GIT_CONFIG_GLOBAL=$PWD/gitconfig
mkdir docker bin
export PATH=$PWD/bin:$PATH
printf '[user]\n\tname = Ada\n' >gitconfig
printf '{"credHelpers": {"%s": "other"}}\n' "${RESOURCE#http://}" >docker/config.json
printf 'apiVersion: v1\nkind: Config\nusers:\n- name: other\n  user: {}\n' >kubeconfig
printf '[default]\nregion = eu-west-1\n' >aws-config
printf '{"mcpServers": {}}\n' >.mcp.json
# tool VERB TOOL [FLAGS…]: the options that both need.
tool() {
    local verb=$1 tool=$2 flags=()
    shift 2
    if [ "$tool" = docker ]; then flags=(--bin-dir "$PWD/bin"); fi
    if [ "$verb" = install ]; then
        case $tool in
            git | docker) flags+=(--host "$RESOURCE") ;;
            kubectl) flags+=(--provider oidc.test) ;;
            aws) flags+=(--provider oidc.test --role-arn arn:aws:iam::123456789012:role/ci) ;;
            mcp) flags+=(--resource https://mcp.example.com/mcp) ;;
        esac
    fi
    "$@" authctl credential "$verb" "$tool" "${flags[@]}"
}
all="gitconfig docker/config.json bin/docker-credential-authctl kubeconfig aws-config .mcp.json"
# refuses VERB TOOL FILE: with a file that cannot be read.
refuses() {
    mkdir before
    # shellcheck disable=SC2086
    cp -p --parents $(ls -d $all 2>/dev/null) before
    chmod 0 "$3"
    exits 1 tool "$1" "$2" "${plain[@]}"
    err "error: not ${1}ed: cannot read '([^']*/)?$3': Permission denied \\(tool-not-set-up\\)"
    [ ! -s stdout ] || fail "changes were printed"
    chmod --reference="before/$3" "$3"
    # shellcheck disable=SC2086
    for file in $all; do [ ! -e "before/$file" ] && [ ! -e "$file" ] || cmp "before/$file" "$file" || fail "$file was changed"; done
    rm -r before
}
for pair in git:gitconfig docker:docker/config.json kubectl:kubeconfig aws:aws-config mcp:.mcp.json; do
    refuses install "${pair%%:*}" "${pair#*:}"
done
for tool in git docker kubectl aws mcp; do works tool install $tool; done
for pair in git:gitconfig docker:docker/config.json docker:bin/docker-credential-authctl kubectl:kubeconfig aws:aws-config mcp:.mcp.json; do
    refuses uninstall "${pair%%:*}" "${pair#*:}"
done
refuses install docker bin/docker-credential-authctl
# In a directory that cannot be searched there may be a file, which must not be taken for a missing one.
chmod 0 docker
exits 1 tool install docker "${plain[@]}"
err "docker/config.json': Permission denied"
exits 1 tool uninstall docker "${plain[@]}"
chmod 700 docker
for tool in git docker kubectl aws mcp; do works tool uninstall $tool; done
grep -q '"other"' docker/config.json || fail "docker's former helper was not restored"

#: If git fails to list its settings, credential uninstall git fails.
ready registry
export GIT_CONFIG_GLOBAL=$PWD/gitconfig
works authctl credential install git --host "$RESOURCE"
cp gitconfig before
mkdir broken
printf '#!/bin/sh\necho "fatal: out of memory" >&2\nexit 128\n' >broken/git
chmod 755 broken/git
PATH=$PWD/broken:$PATH exits 1 authctl credential uninstall git
err 'error: not uninstalled: git config: fatal: out of memory \(tool-not-set-up\)'
cmp before gitconfig || fail "it was changed"

#: If docker's settings cannot be written, credential install docker leaves no program.
ready registry
export DOCKER_CONFIG=$PWD/docker
mkdir docker bin
export PATH=$PWD/bin:$PATH
printf '{"credHelpers": {"%s": "other"}}\n' "${RESOURCE#http://}" >docker/config.json
cp docker/config.json before
plain=()
[ "$(id -u)" != 0 ] || plain=(setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search)
chmod 500 docker
exits 1 "${plain[@]}" authctl credential install docker --host "$RESOURCE" --bin-dir "$PWD/bin"
err "error: not installed: cannot write '.*docker/config.json.*': Permission denied"
chmod 700 docker
cmp before docker/config.json || fail "it was changed"
[ -z "$(ls bin)" ] || fail "the program was left"
