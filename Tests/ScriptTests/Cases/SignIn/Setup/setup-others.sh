# Setup of the other built-in providers.
. "$ROOT/Tests/ScriptTests/setup.sh"

port=$(free_port)

#: Google: Asks for the client ID and the secret, which is not shown.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
person 0 'Client ID: =client-1' 'Client secret, hidden: =wrong-secret-1' 'rejects this client: invalid_client' \
    'Client ID: =client-1' 'Client secret, hidden: =client-secret-1' -- authctl setup google --base-url "$ISSUER"
out 'choose +an OAuth client of the type Desktop app'
out "[Ss]igned in to google.com"
no_out 'secret-1'
works authctl token --provider google.com
works authctl providers show google.com
out 'client secret +encrypted in the store'
works authctl setup microsoft.com --json
json "d['needs'] == [{'variable': 'CLIENT_ID', 'label': 'Application (client) ID'}] and d['page'].startswith('https://')"

#: Google: Cancelling at the secret stores nothing.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
person 2 'Client ID: =client-1' 'Client secret, hidden: =^D' -- authctl setup google.com --base-url "$ISSUER"
nothing
person 130 'Client ID: =client-1' 'Client secret, hidden: =^C' -- authctl setup google.com --base-url "$ISSUER"
nothing

#: Microsoft: Asks for the tenant and the client ID, and no secret.
emulator --as microsoft.com --client-id client-1
person 0 'Tenant (a GUID=nowhere.example' "tenant not found: 'nowhere.example'" 'Tenant (a GUID=contoso.example' \
    'Application (client) ID: =wrong' 'rejects this client' 'Tenant (a GUID=' 'Application (client) ID: =client-1' \
    -- authctl setup microsoft --base-url "$ISSUER"
out 'Redirect URI +http://localhost/callback/microsoft.com'
out "[Ss]igned in to microsoft.com"
grep -q 'tenant: 72f988bf-' "$config/config.yaml" || fail "the GUID is not kept"
for question in 'Tenant (a GUID' 'Application (client) ID: '; do
    export AUTHCTL_CONFIG_DIR=$PWD/other config=$PWD/other
    answers=()
    [ "$question" = 'Tenant (a GUID' ] || answers+=('Tenant (a GUID=')
    person 2 "${answers[@]}" "$question=^D" -- authctl setup microsoft.com --base-url "$ISSUER"
    nothing
done

#: Facebook: Asks for the app ID and the app secret.
emulator --as facebook.com --client-id 1234567890 --client-secret client-secret-1
person 0 'App ID: =1234567890' 'App secret, hidden: =wrong-secret-1' 'rejects this client: OAuthException' \
    'App ID: =1234567890' 'App secret, hidden: =client-secret-1' -- authctl setup facebook --base-url "$ISSUER"
out 'Valid OAuth Redirect URIs +http://localhost/callback/facebook.com'
out "[Ss]igned in to facebook.com"
no_out 'secret-1'

#: X: Asks for the client ID; the callback URI contains the port.
callback=http://127.0.0.1:$port/callback/twitter.com
emulator --as twitter.com --client-id client-1 --redirect-uri "$callback"
person 0 'OAuth 2.0 Client ID: =wrong' 'rejects this client' 'Client ID: =client-1' \
    -- authctl setup x --base-url "$ISSUER" --redirect-uri "$callback"
out "Callback URI +$callback"
out "[Ss]igned in to twitter.com"
works authctl token

#: Facebook and Google: A configuration without the required secret is not set up.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
works authctl providers add google.com --base-url "$ISSUER" --client-id client-1
person 78 "'google.com' is configured without its client secret" -- authctl setup google.com
out 'authctl: hint: authctl providers set google.com --client-secret-stdin'
works bash -c 'echo client-secret-1 | authctl providers set google.com --client-secret-stdin'
person 0 'Sign in with it now? [Y/n]=' -- authctl setup google.com
out "[Ss]igned in to google.com"
