# Setup of services by their names: okta, auth0, keycloak, cognito, gitlab and entra.
. "$ROOT/Tests/ScriptTests/setup.sh"
port=$(free_port)

#: GitLab: Asks for the host, shows where to register, and the name is accepted by later commands.
emulator
person 0 'GitLab host [gitlab.com]: =a b' "Invalid input: 'a b' is not a domain" 'GitLab host [gitlab.com]: =nowhere' 'is not a domain' \
    "GitLab host [gitlab.com]: =$ISSUER/group/project?tab=1" 'Client ID: =wrong' 'hidden: =' \
    'rejects this client' 'Client ID: =emulator-client' 'Client secret (Enter for none), hidden: =' -- authctl setup gitlab
out "^$ISSUER/-/user_settings/applications"
out 'console +Applications > Add new application, without Confidential, with openid, profile and email'
out 'Redirect URI +http://127.0.0.1/callback/oidc.gitlab'
out "Added provider 'oidc.gitlab': issuer '$ISSUER'"
out "[Ss]igned in to gitlab as ada@example.com"
grep -q 'preset: gitlab' "$config/config.yaml" || fail "the preset is not stored"
works authctl token --provider gitlab
works authctl signin gitlab
person 0 "'oidc.gitlab' is already configured" 'Sign in with it now?=n' -- authctl setup gitlab
works authctl setup gitlab
out "'oidc.gitlab' is already configured"
# The same issuer is not added under another name.
person 0 "'oidc.gitlab' is already configured" 'Sign in with it now?=n' -- authctl setup okta --issuer "$ISSUER"

#: A client that has a secret, although its service requires none: the secret is asked for first, and never shown.
callback=http://127.0.0.1:8400/callback/oauth.spotify
emulator --as spotify --client-id client-1 --client-secret secret-of-spotify --redirect-uri "$callback"
person 2 'Client ID: =client-1' 'rejects this client' 'Client secret (Enter for none), hidden: =secret-of-spotify' \
    'Client ID [client-1]: =^D' -- authctl setup spotify --base-url "$ISSUER"
no_out 'secret-of-spotify'

#: Okta: With --issuer, the domain is not asked for; the redirect URI contains the port.
emulator
person 0 'Client ID: =emulator-client' 'Client secret (Enter for none), hidden: =' -- authctl setup okta --issuer "$ISSUER" --port "$port"
no_out 'Okta domain'
out 'console +Applications > Applications > Create App Integration > OIDC - OpenID Connect > Native Application'
out "Redirect URI +http://127.0.0.1:$port/callback/oidc.okta"
out "[Ss]igned in to okta"
works authctl token --provider okta
works authctl providers show oidc.okta
out 'preset +okta'

#: Keycloak: Asks for the realm if the URL does not contain it.
emulator
person 2 'Keycloak URL, for example https://id.example.com/realms/main: =http://' 'Invalid input' "Keycloak URL=$ISSUER" 'Realm: =a b' \
    "'a b' has other characters than letters" 'Realm: =main' 'Invalid input' "Keycloak URL=$ISSUER/realms/main" 'Invalid input' 'Keycloak URL=^D' \
    -- authctl setup keycloak
nothing

#: Cognito and Auth0: Refuse an answer in the wrong form, and store nothing if cancelled.
person 2 'Cognito user pool ID=eu-west-1' "'eu-west-1' does not have the form {region}_{number}" 'Cognito user pool ID= ' 'the input is empty' \
    'Cognito user pool ID=^D' -- authctl setup cognito
person 130 'Auth0 domain=a@b.example' 'is not a domain' 'Auth0 domain=^C' -- authctl setup auth0
nothing

#: Entra: Configures microsoft.com for work and school accounts, and asks for the tenant.
emulator --as microsoft.com --client-id client-1
person 0 'Tenant (a GUID, a domain, common, organizations or consumers) [organizations]: =contoso.example' \
    'Application (client) ID: =client-1' -- authctl setup entra --base-url "$ISSUER"
out 'console +App registrations > New registration'
out "[Ss]igned in to microsoft.com"
grep -q 'tenant: 72f988bf-' "$config/config.yaml" || fail "the GUID is not kept"
works authctl setup entra
out "'microsoft.com' is already configured"

#: In a non-interactive run, prints the console's path, the issuer's form and working commands.
emulator
works authctl setup okta
out '^  DOMAIN +Okta domain, for example dev-123.okta.com$'
out '^  authctl providers add okta --answer domain="\$DOMAIN" --client-id "\$CLIENT_ID"$'
no_out page
works authctl setup gitea
no_out '[{}]'
works authctl setup auth0 --json
json "d['console'] == 'Applications > Applications > Create Application > Native' and d['providerId'] == 'oidc.auth0'"
json "d['needs'][0] == {'variable': 'DOMAIN', 'label': 'Auth0 domain, for example my.eu.auth0.com'}"
works authctl setup entra
out 'authctl providers add microsoft.com --client-id "\$CLIENT_ID" --tenant organizations$'
works authctl setup entra --issuer https://login.microsoftonline.com/contoso.example/v2.0
out 'authctl providers add microsoft.com --client-id "\$CLIENT_ID" --tenant contoso.example$'
exits 78 authctl setup entra --issuer "$ISSUER"
err "'microsoft.com' is built in"
works authctl setup gitlab --issuer "$ISSUER/"
out "page +$ISSUER/-/user_settings/applications"
grep -E '^  authctl' stdout >commands
works env CLIENT_ID=emulator-client sh -e commands
works authctl token --provider gitlab
works authctl setup
out '^  authctl setup okta$'

#: An unknown name gets a suggestion, and a known one that is not configured gets the command.
exits 78 authctl setup okat
err "unknown provider 'okat': did you mean 'okta'\?"
exits 78 authctl setup gitlub
err "did you mean 'gitlab'\?"
person 2 'a name, or an issuer=keycloack' "did you mean 'keycloak'?" 'a name, or an issuer=auth' 'Auth0 domain=^D' -- authctl setup
nothing
exits 78 authctl signin okta
err 'hint: authctl setup okta$'
exits 78 authctl signin linear.app
err "'linear.app' is not configured"
err 'hint: authctl setup linear$'

#: On a terminal, signin configures a service.
emulator
person 0 "GitLab host [gitlab.com]: =$ISSUER" \
    'Client ID: =emulator-client' 'Client secret (Enter for none), hidden: =' -- authctl signin gitlab
out "[Ss]igned in to gitlab"

#: The printed commands repeat --profile and --config-dir, also in JSON and after a sign-in.
emulator
for service in github.com okta "$ISSUER"; do
    works authctl setup "$service" --profile work --config-dir cfg
    [ "$(grep -c '^  authctl .* --profile work --config-dir cfg$' stdout)" = 2 ] || fail "commands of another profile"
    works authctl setup "$service" --profile work --config-dir cfg --json
    json "len(d['commands']) == 2 and all(c.endswith(' --profile work --config-dir cfg') for c in d['commands'])"
done
works authctl setup --profile work
out '^  authctl setup okta --profile work$'
person 0 'Name for this provider [local]: =' -- authctl setup "$ISSUER" --redirect-uri "http://127.0.0.1:$port/callback/oidc.local" --profile work
out '^Next: authctl token local --profile work'
