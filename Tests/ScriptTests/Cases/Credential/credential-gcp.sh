# Google Cloud's libraries run authctl for an ID token (executable-sourced credentials, AIP-4117).

pool=//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/work/providers/authctl
types=urn:ietf:params:oauth:token-type

# library NAME=VALUE… COMMAND…: runs the command as a library does, with one stream for its output.
library() {
    env GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1 GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE=$pool \
        GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE=$types:id_token GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE=0 "$@" 2>&1
}

#: Prints the ID token as the specification says, also into the output file, and nothing else.
signed_in
works authctl token --type id
id=$(cat stdout)
works authctl credential gcp
json "d['version'] == 1 and d['success'] is True and d['token_type'] == '$types:id_token' and d['id_token'] == '$id'"
python3 -c "import base64, json; d = json.load(open('stdout')); part = d['id_token'].split('.')[1]; assert json.loads(base64.urlsafe_b64decode(part + '=='))['exp'] == d['expiration_time']"
cp stdout plain
works library authctl credential gcp --provider oidc.test
cmp stdout plain
works library GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE=$types:jwt authctl credential gcp
json "d['token_type'] == '$types:jwt'"
echo old >output
chmod 644 output
works library GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE="$PWD/output" authctl credential gcp
cmp stdout output && cmp output plain || fail "not the same"
[ "$(stat -c %a output)" = 600 ] || fail "others can read the token"
# An interactive library passes the terminal on, and reads the file.
works library GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE=1 GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE="$PWD/output" authctl credential gcp
[ ! -s stdout ] && cmp output plain || fail "not in the file only"
# A note would make the response unreadable.
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.other --param emulator_user=grace@example.com
works authctl token --provider oidc.test
err 'authctl: using the session of'
works library authctl credential gcp --provider oidc.test
cmp stdout plain

#: An interactive library lets the user sign in.
signed_in
works authctl signout
works library GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE=1 GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE="$PWD/output" authctl credential gcp --provider oidc.test
out "[Ss]igned in to test"
no_out id_token
works authctl token --type id
[ "$(python3 -c 'import json; print(json.load(open("output"))["id_token"])')" = "$(cat stdout)" ] || fail "another token"

#: Reports errors in the same form, with the command's exit code.
signed_in
# refuses CODE WORDS NAME=VALUE…
refuses() {
    local code=$1 words=$2
    shift 2
    exits "$code" env "$@" authctl credential gcp
    json "d['version'] == 1 and d['success'] is False and d['code'] and '$words' in d['message'] and 'id_token' not in d"
}
refuses 7 'does not allow this command' GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=0
refuses 78 'cannot end a session' GOOGLE_EXTERNAL_ACCOUNT_REVOKE=1
refuses 64 'is not the type of an ID token' GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE=$types:saml2
refuses 74 'cannot write' GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE="$PWD/missing/file"
works authctl signout
refuses 4 'authctl signin' CI=
err '\(not-signed-in\)'

#: In a CI job, a token for the identity pool is requested from the CI system each time.
github_job
works authctl signin --ci auto --audience https://api.example.com
# audience: prints the audience of the token on standard output.
audience() { python3 -c "import base64, json; part = json.load(open('stdout'))['id_token'].split('.')[1]; print(json.loads(base64.urlsafe_b64decode(part + '=='))['aud'])"; }
works authctl credential gcp
[ "$(audience)" = https://api.example.com ] || fail "without a library, not the session's token"
works library authctl credential gcp
[ "$(audience)" = "https:$pool" ] || fail "not for the pool: $(audience)"
works library authctl credential gcp --audience other
[ "$(audience)" = other ] || fail "not for the named audience"
[ "$(requests job-token)" = 3 ] || fail "asked $(requests job-token) times"
# The session has its own token still.
works authctl credential gcp
[ "$(audience)" = https://api.example.com ] || fail "the session's token changed"

#: install writes the configuration, list knows it, and uninstall leaves nothing.
signed_in
name=${pool#//iam.googleapis.com/}
# The libraries know no quotation marks.
exits 1 authctl credential install gcp --workload-provider "$name" --config-dir "$PWD/its directory"
err "do not support quotation marks: '$PWD/its directory' cannot be in it"
exits 64 authctl credential install gcp
err 'hint: authctl use --help$'
exits 64 authctl credential install gcp --workload-provider work
exits 64 authctl credential install gcp --workload-provider "$name" --service-account a/b
file=$HOME/.config/gcloud/application_default_credentials.json
works authctl credential install gcp --provider oidc.test --workload-provider "$name" --service-account ci@work.iam.gserviceaccount.com
out "^$file: credential_source.executable.command = .*authctl credential gcp --provider oidc.test$"
out 'GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES'
[ "$(stat -c %a "$file")" = 600 ] || fail "its mode"
python3 - "$file" <<'P'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["type"] == "external_account" and d["audience"].startswith("//iam.googleapis.com/projects/1/"), d
assert d["subject_token_type"].endswith(":id_token") and d["token_url"] == "https://sts.googleapis.com/v1/token", d
assert d["service_account_impersonation_url"].endswith("/ci@work.iam.gserviceaccount.com:generateAccessToken"), d
P
cp "$file" installed
works authctl credential install gcp --provider oidc.test --workload-provider "$pool" --service-account ci@work.iam.gserviceaccount.com
out 'nothing to change'
works authctl credential list
out '^gcp  test$'
# authctl was moved.
sed -i "s|command\": *\"[^ ]*|command\":\"/gone/authctl|" "$file"
works authctl credential list --json
json "d['installed'][0]['repair'] is not None"
field "d['installed'][0]['repair']" >repair
eval "works $(<repair)"
cmp installed "$file" || fail "not repaired"
exits 1 authctl credential install gcp --workload-provider "$name"
err 'hint: choose another file with --file, or first: authctl use --remove gcp$'
works authctl credential uninstall gcp
[ ! -e "$file" ] || fail "it is still there"
works authctl credential uninstall gcp
out 'nothing to change'
# A file of somebody else, or one that was changed, stays.
export GOOGLE_APPLICATION_CREDENTIALS=$PWD/key.json
echo '{"type": "service_account"}' >key.json
exits 1 authctl credential install gcp --workload-provider "$name"
err "key.json' already has another configuration"
exits 1 authctl credential uninstall gcp
works authctl credential list
no_out "^gcp"
works authctl credential install gcp --workload-provider "$name" --file own.json
works authctl credential list --file own.json
out '^gcp '
sed -i 's|"type"|"quota_project_id":"x","type"|' own.json
exits 1 authctl credential uninstall gcp --file own.json
[ "$(cat key.json)" = '{"type": "service_account"}' ] || fail "another file was changed"
