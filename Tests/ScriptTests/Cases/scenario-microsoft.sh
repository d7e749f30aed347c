# Sign in with Microsoft: one tenant, custom parameters, and a scope of Microsoft Graph.
# Runs on both directories.
public_client microsoft.com --tenant 72f988bf-86f1-41af-91ab-2d7cd011db47 --user ada@contoso.example

works authctl signin --provider microsoft.com --tenant 72f988bf-86f1-41af-91ab-2d7cd011db47 \
    --param domain_hint=contoso.example --prompt consent --login-hint ada@contoso.example --scope User.Read --json
json "d['account']['providerData'][0]['tenantId'] == '72f988bf-86f1-41af-91ab-2d7cd011db47'"
json "'User.Read' in d['credential']['scopes'] and d['account']['emailVerified'] is False"
err '/72f988bf-86f1-41af-91ab-2d7cd011db47/oauth2/v2.0/authorize'
err '&domain_hint=contoso.example'
err '&prompt=consent'
err '&login_hint=ada%40contoso.example'
works authctl request "$ISSUER/v1.0/me"
json "d['userPrincipalName'] == 'ada@contoso.example'"
