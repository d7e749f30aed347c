# Setup of any OpenID Provider, with and without dynamic client registration.
. "$ROOT/Tests/ScriptTests/setup.sh"
port=$(free_port)

#: With dynamic client registration, asks only for the issuer and a local name.
emulator
callback=http://127.0.0.1:$port/callback/oidc.local
person 0 'a name, or an issuer=13' 'Issuer (the provider=not a url' 'Invalid input' "Issuer (the provider=$ISSUER/wrong" 'Invalid input' \
    "Issuer (the provider=$ISSUER" 'Name for this provider [local]: =a b' 'Invalid input' 'Name for this provider [local]: =' \
    -- authctl setup --redirect-uri "$callback"
out 'The provider registered the client'
out "Added provider 'oidc.local': issuer '$ISSUER'"
out "[Ss]igned in to local as ada@example.com"
works authctl token
person 0 'Sign in with it now?=n' -- authctl setup "$ISSUER"
out "'oidc.local' is already configured"

#: Asks for a client ID, with or without a secret, if the provider does not support registration.
emulator --fault oauth-document-wrong-issuer --client-secret client-secret-1
callback=http://127.0.0.1:$port/callback/oidc.work
person 0 'Client ID: =wrong' 'Client secret (Enter for none), hidden: =' 'rejects this client: invalid_client' 'Client ID: =emulator-client' \
    'Client secret (Enter for none), hidden: =client-secret-1' -- authctl setup work --issuer "$ISSUER" --redirect-uri "$callback"
out 'register +a native .public. client with PKCE'
out "Redirect URI +$callback"
out "[Ss]igned in to work"
no_out 'client-secret-1'
works authctl token --force-refresh

#: If the registration fails, asks for the client ID.
emulator --fault escapes-in-client-id
person 0 'The provider does not support dynamic client registration' 'Client ID: =emulator-client' 'Client secret (Enter for none), hidden: =' \
    -- authctl setup oidc.work --issuer "$ISSUER" --port "$port"
out "Redirect URI +http://127.0.0.1:$port/callback/oidc.work"
works authctl token

#: signin configures a missing provider, and continues with its own options.
emulator --fault offline-wants-consent
person 0 "Issuer (the provider=$ISSUER" -- authctl signin --provider oidc.work --port "$port" --scope offline_access
out "Added provider 'oidc.work'"
out "[Ss]igned in to work"
works authctl token --force-refresh

#: link configures a missing provider and creates no account; without a terminal, the hint shows the commands.
signed_in --user ada@example.com
emulator --user grace@example.com
exits 78 authctl link --provider oidc.work
err 'hint: authctl setup oidc.work --no-signin$'
person 0 "Issuer (the provider=$ISSUER" -- authctl link --provider oidc.work --port "$port"
out "'work' is linked to ada@example.com"
person 0 'is already configured' -- authctl setup "$ISSUER" --no-signin
emulator --user linus@example.com
person 0 'Name for this provider [local]: =' -- authctl setup "$ISSUER" --no-signin --port "$port"
works authctl providers show oidc.local
works authctl accounts list --json
json "len(d['accounts']) == 1"

#: Cancelling at any prompt stores nothing.
emulator --fault oauth-document-wrong-issuer
answers=('a name, or an issuer=oidc' "Issuer (the provider=$ISSUER" 'Name for this provider=work' 'Client ID: =emulator-client' 'Client secret (Enter for none), hidden: =')
for count in 1 2 3 4 5; do
    for key in 2=^D 130=^C; do
        person ${key%=*} "${answers[@]:0:count-1}" "${answers[count-1]%%=*}=${key#*=}" -- authctl setup
        nothing
    done
done

#: Treats an issuer with and without a trailing slash as equal; the commands of a non-interactive run also register a client.
emulator
works authctl setup oidc.work --issuer "$ISSUER/"
out "^  authctl providers add oidc.work --issuer $ISSUER --register --redirect-uri http://127.0.0.1:8400/callback/oidc.work$"
works authctl setup "$ISSUER" --json
json "d['providerId'] == 'oidc.local' and d['page'] is None and d['commands'][1] == 'authctl signin oidc.local'"
works authctl setup oidc.work
out '^  ISSUER +issuer$'
exits 69 authctl setup https://no-such-host.invalid
exits 78 authctl setup "$ISSUER/elsewhere"
nothing

#: The URL of a configured provider means that provider, for setup and signin, also without a terminal.
signed_in
works authctl setup "$ISSUER"
out "^'oidc.test' is already configured"
works authctl setup "$ISSUER/.well-known/openid-configuration" --json
json "d['isConfigured'] and d['commands'] == ['authctl signin oidc.test']"
person 0 "'oidc.test' is already configured" 'Sign in with it now? [Y/n]=' -- authctl setup "$ISSUER"
out 'igned in to test as '
person 0 -- authctl signin "$ISSUER"
out 'igned in to test as '
works authctl signin "$ISSUER"
err 'igned in to test as '

#: The URL of the discovery document stands for its issuer, which the document must name.
emulator
document=$ISSUER/.well-known/openid-configuration
works authctl setup "$document"
out "providers add oidc.local --issuer $ISSUER --register"
works authctl providers add oidc.test --issuer "$document" --client-id emulator-client
err "issuer '$ISSUER'"
works authctl providers set oidc.test --issuer "$document"
works authctl signin oidc.test
exits 78 authctl providers add oidc.other --issuer "$ISSUER/wrong/.well-known/openid-configuration" --client-id emulator-client
err "'$ISSUER/wrong/.well-known/openid-configuration'"
