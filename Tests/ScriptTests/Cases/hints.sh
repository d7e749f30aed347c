# Hints can be pasted: they contain the profile, the account and the options of the command that failed.

# entry [FLAGS…]: starts an emulator with these flags, and adds it as oidc.test.
entry() {
    emulator "$@"
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --replace
}

#: A hint to sign in again contains the --dpop, --par, --scope and --flow options of the failed command.
for fault in dpop-refused dpop-bearer; do
    entry --fault $fault
    exits 65 authctl signin --provider oidc.test --dpop --scope notes.read --timeout 20
    err "hint: authctl signin --provider oidc.test --scope notes.read --dpop$"
    kill "$EMULATOR"
done
entry
CI=1 exits 4 authctl signin --provider oidc.test --par --dpop
err 'on a terminal: authctl signin --provider oidc.test --par --dpop$'
no_err 'client-credentials'
CI=1 exits 4 authctl signin --provider oidc.test --flow device --scope notes.read
err 'on a terminal: authctl signin --provider oidc.test --flow device --scope notes.read$'
works authctl signin --provider oidc.test
CI=1 exits 4 authctl reauth --provider oidc.test --dpop
err 'hint: on a terminal: authctl reauth --provider oidc.test --dpop$'
# The account has no password.
CI=1 exits 4 authctl reauth
err 'hint: on a terminal: authctl reauth$'
older 600
CI=1 exits 4 authctl accounts export --reauth
err 'hint: on a terminal: authctl accounts export --reauth$'
works authctl providers add oidc.second --issuer "$ISSUER" --client-id emulator-client
CI=1 exits 4 authctl link --provider oidc.second --prompt login
err 'hint: on a terminal: authctl link --provider oidc.second --prompt login$'

#: If a provider requires DPoP, the hint contains --dpop.
entry --fault dpop-required
exits 65 authctl signin --provider oidc.test
err 'hint: with DPoP-bound tokens: authctl signin --provider oidc.test --dpop$'
works authctl signin --provider oidc.test --dpop

#: A hint contains the profile, the account and the config directory of the failed command.
entry
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --profile staging
works authctl signin --provider oidc.test
exits 4 authctl token --profile staging
err "hint: authctl signin --profile staging$"
exits 4 authctl request "$ISSUER/userinfo" --profile staging --config-dir "$HOME/.config/authctl"
err "hint: authctl signin --profile staging --config-dir $HOME/.config/authctl$"
exits 4 authctl token --resource "$ISSUER/api" --account ada@example.com
err "hint: authctl signin --resource $ISSUER/api$"
# The provider decides which user signs in.
exits 64 authctl signin oidc.test --account bob@example.com
err '^authctl: error: --account cannot be used with signin'
err '^authctl: hint: authctl signin oidc.test --login-hint bob@example.com$'
exits 64 authctl signin oidc.test --account=bob@example.com
err '^authctl: hint: authctl signin oidc.test --login-hint=bob@example.com$'
AUTHCTL_ACCOUNT=bob@example.com works authctl signin oidc.test
exits 64 authctl token --account nobody@example.com
err 'hint: authctl accounts list, or sign in: authctl signin --login-hint nobody@example.com$'
exits 64 authctl token --account nobody
err 'hint: authctl accounts list$'
exits 4 authctl token --profile nowhere
err 'hint: authctl profile list$'
AUTHCTL_PROFILE=staging exits 4 authctl token
err 'hint: authctl signin$'
CI=1 exits 4 authctl signin --provider oidc.test --profile staging
err 'in a CI job: authctl signin --ci auto --profile staging; .*on a terminal: authctl signin --provider oidc.test --profile staging$'
works authctl doctor --profile staging --config-dir "$PWD/nothing"
out "→ authctl signin --profile staging --config-dir $PWD/nothing$"

#: A provider that cannot be used does not prevent listing and checking the others.
entry
good=$ISSUER
openssl ecparam -name prime256v1 -genkey -noout -out key.pem
works authctl providers add oidc.akey --issuer "$good" --client-id emulator-client --private-key "$PWD/key.pem"
works authctl providers add oidc.closed --issuer "$good" --client-id emulator-client
sed -i "/oidc.closed/,\$s|issuer: .*|issuer: http://127.0.0.1:1|" "$HOME/.config/authctl/config.yaml"
echo broken >key.pem
exits 1 authctl providers check
out "^FAIL +oidc.akey .*key.pem' does not contain a private key"
out "^FAIL +oidc.closed .*cannot reach"
out "^ok +oidc.test +"
exits 1 authctl providers check --json
json "{c['providerId']: c['ok'] for c in d['checks']} == {'oidc.akey': False, 'oidc.closed': False, 'oidc.test': True}"
out '"hint":"[^"]*HTTPS_PROXY'
# Checking a named provider that cannot be used is an error with its own code.
exits 78 authctl providers check oidc.akey
exits 69 authctl providers check oidc.closed
sed -i "/oidc.closed/,\$s|issuer: .*|issuer: nonsense|" "$HOME/.config/authctl/config.yaml"
works authctl providers list
out "^oidc.test +$good +emulator-client$"
out "^oidc.closed +cannot be used"
err "'oidc.closed' cannot be used: .*issuer.*; to check it: authctl providers check oidc.closed"
works authctl providers list --json
json "{p['providerId']: p['error'] is not None for p in d['providers']} == {'oidc.akey': False, 'oidc.closed': True, 'oidc.test': False}"
json "[p['error']['code'] for p in d['providers'] if p['error']] == ['invalid-configuration']"

#: Request and signout report an unusable client key even if there are other sessions.
openssl ecparam -name prime256v1 -genkey -noout -out key.pem
entry
works authctl signin --provider oidc.test
emulator --client-key key.pem
works authctl providers add oidc.akey --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/key.pem"
works authctl link --provider oidc.akey
works authctl request "$ISSUER/userinfo"
cp key.pem good.pem
echo broken >key.pem
exits 78 authctl request "$ISSUER/userinfo"
err "'$PWD/key.pem' does not contain a private key"
exits 78 authctl signout --provider oidc.akey --revoke
err "signed out on this machine, but the tokens of 'oidc.akey' were not revoked: '$PWD/key.pem' does not contain a private key"
err "authctl signout --retry --provider oidc.akey$"
exits 78 authctl signout --retry
err "error: the tokens of 'oidc.akey' were not revoked: '$PWD/key.pem' does not contain a private key"
cp good.pem key.pem
works authctl signout --retry
err "the provider confirmed"

#: An error about an invalid value shows valid values.
exits 64 authctl token --min-ttl abc
err "'abc' is invalid for '--min-ttl <time>': a time must be like 90, 5m or 1h"
exits 64 authctl token --min-ttl -5
err "'--min-ttl <time>': a time must be like 90, 5m or 1h"
exits 64 authctl providers discover 127.0.0.1:9100/api
err "a URL must be like https://host/path"
exits 64 authctl request https://api.example.com --data '{"a":1}'
err 'names a file'
err '--data -'
