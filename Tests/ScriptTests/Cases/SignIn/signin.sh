# A whole sign-in: the provider by discovery, the browser, the account, the token, sign-out.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl providers list
out "oidc.test +$ISSUER +emulator-client"

works authctl signin --provider oidc.test --json
json "d['operation'] == 'signIn' and d['isNewUser'] and d['providerId'] == 'oidc.test'"
json "d['account']['email'] == 'ada@example.com' and d['account']['emailVerified'] is False"
json "d['account']['providerData'][0]['federatedId'] == 'ada@example.com'"
json "d['credential'] == {'scopes': ['openid','profile','email'], 'expiresAt': d['credential']['expiresAt'], 'hasRefreshToken': True, 'hasIdToken': True, 'binding': 'bearer'}"
json "d['profile']['name'] == 'Ada Example'"
err 'visit this URL'

# The same identity opens the same account.
works authctl login --provider oidc.test --json
json "not d['isNewUser']"

works authctl whoami --json
json "d['projectId'] is None and d['account']['displayName'] == 'Ada Example'"
works authctl status --json
json "d['accounts'][0]['current'] and d['accounts'][0]['sessions'][0]['source'] == 'browser'"
works authctl accounts list
out '^\* +ada@example.com'
works authctl accounts switch ada@example.com
works authctl accounts show
out '^session +test/ada@example.com: renews itself$'

works authctl token
[ "$(wc -l <stdout)" = 1 ] || fail "one token, one line"
token=$(cat stdout)
works authctl token --header
[ "$(cat stdout)" = "Authorization: Bearer $token" ] || fail "the header"
works authctl token --env
[ "$(cat stdout)" = "export AUTHCTL_TOKEN='$token'" ] || fail "the shell's form"
[ "$(eval "$(cat stdout)"; sh -c 'echo $AUTHCTL_TOKEN')" = "$token" ] || fail "what is evaluated is exported"
works authctl token --env --shell fish
[ "$(fish -c 'source stdout; sh -c "echo \$AUTHCTL_TOKEN"')" = "$token" ] || fail "what fish sources is exported"
works authctl token --env --shell pwsh
[ "$(cat stdout)" = "\$env:AUTHCTL_TOKEN = '$token'" ] || fail "PowerShell's form"
exits 64 authctl token --shell fish
err '--shell requires --env'
works authctl token --json
json "d['token_type'] == 'Bearer' and d['expires_on'] > 1700000000 and d['scope'] == 'openid profile email'"
works curl -sS -H "Authorization: Bearer $token" "$ISSUER/userinfo"
json "d['sub'] == 'ada@example.com'"

works authctl token --type id
cp stdout id-token
works authctl verify id-token --issuer "$ISSUER" --audience emulator-client
json "d['iss'] == '$ISSUER'"

works authctl token --force-refresh
[ "$(cat stdout)" != "$token" ] || fail "a refresh gives a new token"

# The same provider by its RFC 8414 document.
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --discovery oauth
grep -q 'discovery: oauth' "$HOME/.config/authctl/config.yaml" || fail "the setting is kept"
works authctl signin --provider oidc.test

works authctl signout --json
json "d == {'signedOut': [{'uid': d['signedOut'][0]['uid'], 'providerId': 'oidc.test', 'resource': None, 'revoked': 'not-asked', 'keptUntil': None}]}"
exits 4 authctl token
err 'not signed in .*\(not-signed-in\)'
err '^authctl: hint: authctl signin'
exits 4 authctl status --json
json "d['accounts'] == [] and d['accountsWithoutSession'] == 1"

# If a command of BROWSER fails at once, the next one is used.
BROWSER="false:/nowhere:$BROWSER" works authctl signin --provider oidc.test
# A command with quotes, as xdg-open reads it.
mkdir 'my tools'
printf '#!/bin/sh\n[ "$1" = "a b" ] && [ "$2" = 100%% ] && exec curl -sS -L -o /dev/null "$3"\n' >'my tools/run'
chmod +x 'my tools/run'
BROWSER="'$PWD/my tools/run' \"a b\" 100%% %s" works authctl signin --provider oidc.test --flow browser

# Signed in, but without a current account.
works authctl signin --provider oidc.test
works bash -c 'authctl signin --provider password --email bob@example.com --password-stdin --create <<<"correct horse battery"'
works authctl signout
exits 4 authctl token
err 'no current account; signed in: ada@example.com .not-signed-in.'
err 'hint: authctl accounts switch ada@example.com$'
works authctl accounts switch ada@example.com
works authctl token
works authctl signout
