# Microsoft: each tenant is an issuer, and email addresses are not verified.

#: The tenant ID and the object ID identify the user, and the email address is unverified.
public_client microsoft.com
works authctl signin --json
json "d['account']['email'] == 'ada@example.com' and d['account']['emailVerified'] is False"
json "d['account']['providerData'][0]['tenantId'] == '72f988bf-0000-4000-8000-2d7cd011db47'"
json "len(d['account']['providerData'][0]['federatedId']) == 36 and d['account']['photoURL'] is None"
json "d['credential']['hasRefreshToken'] and d['credential']['hasIdToken']"
no_err 'did not grant'
err 'redirect_uri=http%3A%2F%2Flocalhost%3A'

#: A personal account has a padded object ID and the tenant of personal accounts.
public_client microsoft.com --fault personal-account
works authctl signin --tenant consumers --json
json "d['account']['providerData'][0]['federatedId'].startswith('00000000-0000-0000-')"
json "d['account']['providerData'][0]['tenantId'] == '9188040d-6c67-4c5b-b112-36a304b66dad'"

#: An address is verified only if xms_edov confirms that the tenant owns its domain.
public_client microsoft.com --fault verified-domain
works authctl signin --json
json "d['account']['emailVerified'] is True and d['profile']['xms_edov'] == '1'"

#: The listener accepts both loopback addresses, for browsers that try IPv6 first.
public_client microsoft.com
rm stderr
authctl signin --no-browser >stdout 2>stderr &
servers+=($!)
port=$(awaits stderr 'localhost%3A[0-9]+' | cut -c13-)
[ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/favicon.ico" -H "Host: localhost:$port")" = 404 ] || fail "IPv4"
if [ -e /proc/net/if_inet6 ] && grep -q ' lo$' /proc/net/if_inet6; then
    [ "$(curl -s -o /dev/null -w '%{http_code}' "http://[::1]:$port/favicon.ico" -H "Host: localhost:$port")" = 404 ] || fail "IPv6"
fi

#: A tenant's domain is resolved once, and its GUID is stored.
emulator --as microsoft.com --client-id client-1
works authctl providers add microsoft.com --base-url "$ISSUER" --client-id client-1 --tenant contoso.example
err "tenant 'contoso.example' is '72f988bf-0000-4000-8000-2d7cd011db47'"
grep -q 'tenant: 72f988bf-' "$HOME/.config/authctl/config.yaml" || fail "the GUID is not kept"
works authctl signin
err "/72f988bf-0000-4000-8000-2d7cd011db47/oauth2/v2.0/authorize"
works authctl signin --tenant contoso.example
err "/72f988bf-0000-4000-8000-2d7cd011db47/oauth2/v2.0/authorize"
exits 78 authctl providers add microsoft.com --base-url "$ISSUER" --client-id client-1 --tenant nowhere.example
err "tenant not found: 'nowhere.example'"
exits 78 authctl signin --tenant 'no tenant'
err 'must be a GUID, a domain, common, organizations or consumers'

#: Refuses an ID token that was signed with the key of another tenant.
public_client microsoft.com --fault foreign-key
exits 65 authctl signin
err 'invalid ID token: its issuer is'

#: Refuses the issuer template as an issuer.
public_client microsoft.com --fault template-issuer
exits 65 authctl signin
err 'invalid ID token: its issuer is .http.*tenantid'

#: An error description of several lines is printed as one line.
public_client microsoft.com --code-ttl 0
exits 65 authctl signin
err 'AADSTS70008: The code has expired; Trace ID: 0b1f; Correlation ID: 7c2a'
[ "$(wc -l <stderr)" -le 7 ] || fail "too many lines"

#: A refresh request goes to the tenant of the session.
public_client microsoft.com
works authctl signin
works authctl token --force-refresh --verbose
err '> POST http://127.0.0.1:[0-9]+/72f988bf-0000-4000-8000-2d7cd011db47/oauth2/v2.0/token'

#: Refuses an access token obtained elsewhere, because its client cannot be verified.
public_client microsoft.com
works authctl signin
works authctl token
cp stdout token
exits 7 authctl signin --access-token token
err 'the client of an access token of .* cannot be verified'
err 'operation-not-allowed'

#: authctl request gets JSON from Graph, and a photo byte for byte.
public_client microsoft.com
works authctl signin
works authctl request "$ISSUER/v1.0/me"
json "d['displayName'] == 'Ada Example'"
works authctl request "$ISSUER/v1.0/me/photo/\$value"
python3 -c "import sys; sys.exit(open('stdout','rb').read() != b'\xff\xd8\xff\xe0' + bytes(range(256)))" || fail "the photo changed on the way"

#: Sends login_hint, domain_hint and additional scopes to Microsoft.
public_client microsoft.com
url --login-hint ada@contoso.example --param domain_hint=contoso.example --scope User.Read
grep -q '&login_hint=ada%40contoso.example' url || fail "no login_hint"
grep -q '&domain_hint=contoso.example' url || fail "no domain_hint"
grep -q 'scope=openid%20profile%20email%20offline_access%20User.Read&' url || fail "scopes"
