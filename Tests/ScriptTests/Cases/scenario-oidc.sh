# Sign in with any OpenID Provider: its issuer is enough.
# Runs on both directories.
emulator
works authctl providers add oidc.company --issuer "$ISSUER" --client-id emulator-client --trust-email
works authctl signin --provider oidc.company --json
json "d['providerId'] == 'oidc.company' and d['account']['emailVerified'] is True and d['credential']['hasIdToken']"
works authctl token --type id --provider oidc.company
cp stdout id-token
works authctl verify id-token --issuer "$ISSUER" --audience emulator-client
