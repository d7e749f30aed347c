# Long jobs with the SDKs of AWS, Azure, Google Cloud, Anthropic and OpenAI, from PyPI, whose tokens expire while they run.
[ -x "$ROOT/.build/venv/bin/python" ] || { echo "no $ROOT/.build/venv: make servers" >&2; exit 1; }
mkdir -m 700 runtime
export XDG_RUNTIME_DIR=$PWD/runtime

# services AUDIENCE[,AUDIENCE…]: starts what SDKs exchange the ID tokens of ISSUER at; sets SERVICES to its URL.
services() {
    certificate
    mkfifo services.url
    "$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/sdk_services.py" "$PWD/uses" "${TOKEN_ISSUER:-$ISSUER}" "$1" cert.pem key.pem >services.url 2>services.log &
    servers+=("$!")
    read -r SERVICES <services.url
    export SSL_CERT_FILE=$PWD/cert.pem REQUESTS_CA_BUNDLE=$PWD/cert.pem AWS_CA_BUNDLE=$PWD/cert.pem AWS_EC2_METADATA_DISABLED=true
    export AWS_ROLE_ARN=arn:aws:iam::123456789012:role/ci AWS_REGION=eu-central-1 AWS_ENDPOINT_URL_STS=$SERVICES/aws
    export AZURE_TENANT_ID=tenant AZURE_CLIENT_ID=client GOOGLE_CLOUD_PROJECT=work
    export ANTHROPIC_FEDERATION_RULE_ID=rule ANTHROPIC_ORGANIZATION_ID=organization ANTHROPIC_SERVICE_ACCOUNT_ID=account
    works authctl credential install gcp "${@:2}" --workload-provider projects/1/locations/global/workloadIdentityPools/work/providers/authctl
    sed -i "s|https://sts.googleapis.com|$SERVICES/google|" "$HOME/.config/gcloud/application_default_credentials.json"
    export GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1
}
# job SECONDS SDK…
job() { "$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/sdk_job.py" "$SERVICES" "$@"; }
export -f job
# used SERVICE: prints how often a service got a valid token.
used() { grep -c "^$1 " uses || true; }

#: Each call of each SDK works while the tokens expire again and again.
# SDK_SECONDS=600 SDK_LIFE=60 runs it for ten minutes, with tokens that are valid for one.
seconds=${SDK_SECONDS:-20}
life=${SDK_LIFE:-8}
signed_in --id-ttl "$life" --access-ttl "$life"
services emulator-client --provider oidc.test
export SERVICES
works authctl exec --renew --provider oidc.test --min-ttl $((life / 2)) --file-as AWS_WEB_IDENTITY_TOKEN_FILE,type=id --file-as AZURE_FEDERATED_TOKEN_FILE,type=id \
    --file-as ANTHROPIC_IDENTITY_TOKEN_FILE,type=id --file-as OPENAI_TOKEN_FILE,type=id \
    -- bash -c "job $seconds aws azure google anthropic openai"
cat stdout >&2
for sdk in aws azure google anthropic openai; do
    [ "$(used $sdk)" -ge $((seconds / life)) ] || fail "$sdk got $(used $sdk) tokens: $(cat uses)"
done
! grep refused uses || fail "an expired token was sent"
[ "$(requests 'token refresh_token')" -ge $((seconds / life)) ] || fail "$(requests 'token refresh_token') refreshes"
[ ! -s stderr ] && [ -z "$(ls runtime)" ] || fail "left behind: $(ls runtime)"

#: In a CI job, each SDK gets tokens for its own audience.
github_job --id-ttl 8
works authctl signin --ci auto --audience https://api.example.com
TOKEN_ISSUER=$ISSUER/_services/token services sts.amazonaws.com,api://AzureADTokenExchange,https://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/work/providers/authctl
export SERVICES
works authctl exec --renew --min-ttl 4 --file-as AWS_WEB_IDENTITY_TOKEN_FILE,audience=sts.amazonaws.com \
    --file-as AZURE_FEDERATED_TOKEN_FILE,audience=api://AzureADTokenExchange -- bash -c 'job 10 aws azure google'
for sdk in aws azure google; do [ "$(used $sdk)" -ge 2 ] || fail "$sdk got $(used $sdk) tokens: $(cat uses)"; done
! grep refused uses || fail "a token was refused"

#: google-auth shows why authctl has no token, and which command signs in.
signed_in
services emulator-client --provider oidc.test
works authctl signout
exits 1 job 0 google
err 'non-zero return code 4'
err 'authctl signin oidc.test'
