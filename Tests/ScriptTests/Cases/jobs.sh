# Sign-ins without a user: with the token of a CI job, or with client credentials.

export CI=true

# job FAULTS…: starts GitHub Actions and an authorization server that trusts it, and sets the environment of a job.
job() {
    github_job_and_server --client-secret client-secret-1 "$@"
    STS=$SERVER
}

# issuer NAME: starts another CI system, ISSUER; job_token AUDIENCE prints a token that it issues to a job.
issuer() { emulator --as "$1" --user octo-org/octo-repo; }
job_token() { curl -sS "$ISSUER/emulator/job-token?audience=$1"; }

#: GitHub Actions: finds the job's token, requests a new one when needed, and never stores it longer than it is valid.
job
works authctl signin --ci auto --audience https://api.example.com --json
json "d['account']['isMachine'] and d['providerId'] == 'ci.github' and d['isNewUser']"
json "d['account']['providerData'][0]['federatedId'] == '87882619/70887015'"
json "d['profile']['sub'] == 'repo:octo-org@87882619/octo-repo@70887015:ref:refs/heads/main'"
json "not d['credential']['hasRefreshToken'] and d['credential']['expiresAt']"
works authctl token
mv stdout first
works authctl verify first --issuer "$ISSUER/_services/token" --audience https://api.example.com
out '"repository_owner_id":"87882619"'
works authctl token --force-refresh
! cmp -s stdout first || fail "the same token came again"
[ "$(requests job-token)" = 2 ] || fail "not one request a token"
exits 64 authctl signin --ci github --ci-source TOKEN
err "--ci-source cannot be used with --ci github \(usage\)"
works authctl status --long
out '^ci.github +renews itself'
works authctl whoami
out 'kind +machine'
exits 7 authctl request https://api.example.com/
err 'hint: sign in with --exchange and the provider that issues them$'
works authctl signout --revoke --json
json "d['signedOut'] == [{'uid': d['signedOut'][0]['uid'], 'providerId': 'ci.github', 'resource': None, 'revoked': 'unsupported', 'keptUntil': None}]"

#: A job gets its token although the CI system's token endpoint fails twice.
for fault in job-token-503 job-token-lost; do
    github_job --fault $fault
    works authctl signin --ci github
    [ "$(requests 'job-token request')" = 3 ] || fail "not three requests"
    works authctl token
done

#: A subject without repository IDs, as before July 2026, is the same machine account.
job
works authctl signin --ci github --json
json "d['account']['providerData'][0]['federatedId'] == '87882619/70887015'"
job --fault name-subject
works authctl signin --ci github --json
json "d['profile']['sub'] == 'repo:octo-org/octo-repo:ref:refs/heads/main'"

#: --require compares whole claims, without wildcards, and accepts booleans as strings.
job
works authctl signin --ci github --require repository=octo-org/octo-repo --require ref_protected=false
works authctl signin --ci github --require sub=repo:octo-org/octo-repo:ref:refs/heads/main
exits 65 authctl signin --ci github --require repository=octo-org/octo
err "the token's claim 'repository' is 'octo-org/octo-repo', which is not the required value"
exits 65 authctl signin --ci github --require repo=octo-org/octo-repo
err "the token has no claim 'repo'"
exits 65 authctl signin --ci github --require ref_protected=true
exits 64 authctl signin --ci github --require 'sub=repo:octo-org/*'
err 'without wildcards'

#: Refuses a token with contradictory claims, a forged one, an expired one, and one for another audience.
while IFS='|' read -r fault reason; do
    job --fault "$fault"
    exits 65 authctl signin --ci github
    err "$reason"
done <<'ROWS'
foreign-subject|the token's claim 'sub' is missing or contradicts its other claims
bad-signature|its signature is invalid
expired-id-token|invalid ID token: it expired at
wrong-audience|its audience is 'another-client', expected
wrong-issuer|the token's issuer is 'https://attacker.example', not the issuer of 'github'
alg-none|its algorithm 'none' is not accepted
ROWS
exits 4 authctl whoami

#: Exchanges and refreshes the job's token by RFC 8693, as a JWT bearer grant or as a client assertion.
job
secret_file client-secret-1
works authctl providers add oidc.sts --issuer "$STS" --client-id emulator-client --client-secret-file "$PWD/secret"
declare -A sent=([token-exchange]=urn:ietf:params:oauth:grant-type:token-exchange
    [jwt-bearer]=urn:ietf:params:oauth:grant-type:jwt-bearer [client-assertion]=client_credentials)
for grant in token-exchange jwt-bearer client-assertion; do
    works authctl signin --ci github --audience "$STS" --exchange oidc.sts --exchange-by $grant --scope deploy --json
    json "d['providerId'] == 'oidc.sts' and d['credential']['scopes'] == ['deploy'] and not d['credential']['hasIdToken']"
    works authctl token
    mv stdout first
    works authctl token --force-refresh
    ! cmp -s stdout first || fail "the same token came again"
    [ "$(requests "token ${sent[$grant]}" "$STS")" = 2 ] || fail "not two requests by $grant"
done
works authctl status --long
out '^sts +renews itself'
out '^    signed in  .*by ci.github$'
for grant in token-exchange jwt-bearer; do
    exits 65 authctl signin --ci github --audience somebody-else --exchange oidc.sts --exchange-by $grant
    err "error: sign-in failed: 'oidc.sts' returned invalid_grant: .*invalid-credential"
    err "hint: at oidc.sts, configure the issuer $ISSUER/_services/token and the audience somebody-else as trusted$"
done
# A DPoP-bound token is refreshed with the same key (RFC 9449).
works authctl signin --ci github --audience "$STS" --exchange oidc.sts --scope deploy --dpop --json
json "d['credential']['binding'] == 'dpop'"
works authctl token --force-refresh
works authctl request "$STS/userinfo"
exits 78 authctl token --header
exits 64 authctl signin --ci github --dpop
exits 64 authctl signin --ci github --audience "$STS" --exchange oidc.sts --par

#: Outside of the job, prints the token until it expires; then the hint names the CI system.
job --id-ttl 50
works authctl signin --ci github --audience a
unset GITHUB_ACTIONS ACTIONS_ID_TOKEN_REQUEST_URL
next_second
works authctl token --min-ttl 49
err 'does not provide a new token'
session_set tokens.idTokenExpiresAt 'old - 60'
exits 4 authctl token
err 'signin --ci github'
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: assert db.execute("SELECT json_extract(details, '$.tokens.idToken') FROM session").fetchall() == [(None,)], "an expired token is still stored"
P

#: Reports a missing job permission, an unknown CI system and options that cannot be combined.
job
ACTIONS_ID_TOKEN_REQUEST_URL= exits 78 authctl signin --ci auto
err 'permissions: id-token: write'
ACTIONS_ID_TOKEN_REQUEST_URL=foo exits 78 authctl signin --ci auto
err 'a URL in ACTIONS_ID_TOKEN_REQUEST_URL is missing'
ACTIONS_ID_TOKEN_REQUEST_TOKEN=wrong exits 65 authctl signin --ci github
err 'status 401'
unset GITHUB_ACTIONS
exits 78 authctl signin --ci auto
err 'no known CI system was detected'
exits 64 authctl signin --ci jenkins
err 'use auto, github'
exits 64 authctl signin --audience x
exits 64 authctl signin --ci github --provider oidc.sts

#: GitLab: reads the token from a variable, and refuses it after the job signed out.
issuer gitlab-ci
export GITLAB_CI=true CI_SERVER_URL=$ISSUER API_ID_TOKEN
API_ID_TOKEN=$(job_token api)
works authctl signin --ci auto --audience api --json
json "d['account']['providerData'][0]['federatedId'] == '87882619/70887015' and d['profile']['runner_id'] == 1"
works authctl signin --ci gitlab --audience api
works authctl status --long
out '^ci.gitlab +renews itself'
API_ID_TOKEN= exits 4 authctl token --force-refresh
err "'gitlab' does not provide a new token to this process"
exits 65 authctl signin --ci gitlab --audience other
OTHER_ID_TOKEN=$(job_token other) exits 64 authctl signin --ci gitlab --audience other
err 'API_ID_TOKEN, OTHER_ID_TOKEN'
OTHER_ID_TOKEN=$(job_token other) works authctl signin --ci gitlab --audience other --ci-source OTHER_ID_TOKEN
works authctl signout
exits 65 authctl signin --ci gitlab --audience api
err 'used before'
unset API_ID_TOKEN
exits 78 authctl signin --ci gitlab --audience api
err 'id_tokens:'

#: Kubernetes: reads the token from a file that the cluster renews; the service account is identified by its UID.
port=$(free_port)
emulator --as kubernetes --user octo-org/octo-repo --port "$port"
job_token api >token
exits 64 authctl signin --ci kubernetes --ci-source "$PWD/token" --audience ''
# A token in place of its variable's name is not repeated in the job's log.
exits 64 authctl signin --ci gitlab --audience api --ci-source "$(cat token)"
no_err "$(cat token)"
exits 64 authctl signin --ci kubernetes --ci-source "$PWD/token" --audience api
err "requires --issuer; the token's issuer is '$ISSUER'"
works authctl signin --ci kubernetes --ci-source "$PWD/token" --audience api --issuer "$ISSUER" --require /kubernetes.io/namespace=octo-org --json
json "d['account']['displayName'] == 'octo-org/octo-repo' and len(d['account']['providerData'][0]['federatedId']) == 36"
next_second
job_token api >token
works authctl token --force-refresh
cmp -s stdout <(cat token; echo) || fail "the file was not read anew"
exits 65 authctl signin --ci kubernetes --ci-source "$PWD/token" --audience api --issuer https://cluster.example
exits 64 authctl signin --ci kubernetes --ci-source "$PWD/token"
exits 78 authctl signin --ci kubernetes --ci-source "$PWD/none" --audience api
AWS_WEB_IDENTITY_TOKEN_FILE=$PWD/token exits 64 authctl signin --ci auto --audience api
err 'if that issuer is correct: pass it with --issuer'
AWS_WEB_IDENTITY_TOKEN_FILE=$PWD/token works authctl signin --ci auto --audience api --issuer "$ISSUER" --json
json "d['providerId'] == 'ci.file' and d['account']['providerData'][0]['federatedId'] == 'system:serviceaccount:octo-org:octo-repo'"
# A token of another service account in the file does not renew the session.
kill "$EMULATOR" && wait "$EMULATOR" || true
emulator --as kubernetes --user octo-org/another --port "$port"
job_token api >token
exits 6 authctl token --provider ci.kubernetes --force-refresh
err 'user-mismatch'

#: A token without a text jti cannot be used again after signing out.
for fault in "" "--fault numeric-jti"; do
    emulator --as kubernetes --user octo-org/octo-repo $fault
    export AUTHCTL_CONFIG_DIR=$PWD/config.$EMULATOR
    job_token api >token
    sign_in=(authctl signin --ci file --ci-source "$PWD/token" --audience api --issuer "$ISSUER")
    works "${sign_in[@]}"
    works "${sign_in[@]}"
    works authctl signout
    exits 65 "${sign_in[@]}"
    err 'used before'
done

#: Buildkite: runs the agent to get a token for the audience, and reports an agent that fails.
issuer gitlab-ci
mkdir bin
cat >bin/buildkite-agent <<'P'
#!/bin/sh
[ "$*" = "oidc request-token --audience api" ] || { echo "no token for you" >&2; exit 1; }
cat token
P
chmod +x bin/buildkite-agent
job_token api >token
export BUILDKITE=true PATH=$PWD/bin:$PATH
exits 65 authctl signin --ci auto --audience api
err "not the issuer of 'buildkite'"
exits 65 authctl signin --ci buildkite --audience api --issuer "$ISSUER"
err "claim 'organization_id' is missing or contradicts"
exits 69 authctl signin --ci buildkite --audience other
err 'no token for you'

#: Client credentials: the client signs in as itself, and requests a new token instead of a refresh.
emulator --client-secret client-secret-1
secret_file client-secret-1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
for command in "signin" "signin test" "token" "exec -- env"; do
    CI=1 authctl $command >stdout 2>stderr </dev/null && fail "accepted: $command"
    err 'hint: authctl signin (oidc\.)?test --flow client-credentials$'
done
works authctl signin --flow client-credentials --scope deploy --json
json "d['account']['isMachine'] and d['account']['displayName'] == 'emulator-client' and d['credential']['scopes'] == ['deploy']"
works authctl token
mv stdout first
works authctl token --force-refresh
! cmp -s stdout first || fail "it was not renewed"
works authctl reauth --flow client-credentials
# Nobody else than the client can prove its identity.
older 301
exits 5 authctl accounts delete --yes
err "hint: to re-authenticate first: add --reauth$"
works authctl reauth --json
json "d['operation'] == 'reauthenticate'"
uid=$(field "d['account']['uid']")
works authctl signout
works authctl accounts switch "$uid"
exits 4 authctl token
err 'hint: authctl signin oidc.test --flow client-credentials$'
works authctl signin --provider oidc.test --flow client-credentials
older 301
works authctl accounts delete --yes --reauth

#: Client credentials require a client secret or a private key.
emulator
works authctl providers add oidc.test --replace --issuer "$ISSUER" --client-id emulator-client
exits 78 authctl signin --flow client-credentials
err 'client secret or a private key'

#: A machine account and a user account are never linked.
unset CI
emulator --client-secret client-secret-1 --user emulator-client
secret_file client-secret-1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
works authctl signin --flow client-credentials --json
MACHINE=$(field "d['account']['uid']")
exits 7 authctl signin
err "cannot be linked to a user's account.*operation-not-allowed"
exits 7 authctl accounts set-email machine@example.com
err "a CI job's account cannot be linked to a user's account, and has no email address or password"
exits 7 bash -c "echo 'correct horse battery staple' | authctl accounts set-password --password-stdin"
works authctl providers add oauth.api --authorization-endpoint "$ISSUER/authorize" --token-endpoint "$ISSUER/token" --client-id emulator-client --client-secret-file "$PWD/secret"
issuer google.com
works authctl providers add google.com --base-url "$ISSUER" --client-id emulator-client
exits 7 authctl link --provider google.com
works authctl accounts list --json
json "[a['uid'] for a in d['accounts']] == ['$MACHINE'] and d['accounts'][0]['isMachine']"
# Tokens that name no user are not the machine's.
works authctl signin --provider oauth.api --scope openid --json
json "d['isNewUser'] and d['account']['uid'] != '$MACHINE'"
