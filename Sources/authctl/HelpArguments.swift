// Made by Packaging/help-arguments of the parser's description: `make help` after a change of an option.

extension DescribedArgument {
    /// The arguments of a command that the help shows, a line each; those of every command are of `*`.
    static func lines(of command: String) -> String {
        switch command {
        case "*":
            """
            --profile\tname\to\t\t\t\tUse this profile (AUTHCTL_PROFILE).
            --account\taccount\to\t\t\t\tUse this account, by alias, uid or address, for this command only (AUTHCTL_ACCOUNT).
            --json\t\to\t\t\t\tPrint JSON.
            -q --quiet\t\to\t\t\t\tDo not print notes.
            -v --verbose\t\to\t\t\t\tTrace HTTP on standard error, without secrets.
            --no-input\t\to\t\t\t\tNever prompt and never open a browser (implied when CI is set).
            --timeout\ttime\to\t\t300\t\tHow long to wait for the user, for example 90, 5m or 1h.
            --passphrase-fd\tn\to\t\t\t\tRead the key's passphrase from this open file descriptor.
            --config-dir\tdir\to\t\t\t\tThe configuration directory (AUTHCTL_CONFIG_DIR).
            -h --help\t\to\t\t\t\tShow help information.
            """
        case "":
            """
            --version\t\to\t\t\t\tShow the version.
            """
        case "signin":
            """
            --provider\tid\to\t\t\t\tThe provider.
            --flow\tflow\to\tauto|browser|device|paste|client-credentials\tauto\t\tThe sign-in flow: auto, browser, device, paste, or client-credentials (without a user).
            --port\tport\to\t\t\t\tListen on this loopback port.
            --no-browser\t\to\t\t\t\tPrint the URL instead of opening a browser.
            --scope\tscope\tor\t\t\tAuthorization request\tAlso request this scope; repeatable, or separated by commas.
            --param\tkey=value\tor\t\t\tAuthorization request\tSend this parameter to the provider; repeatable.
            --login-hint\temail\to\t\t\tAuthorization request\tThe user who is expected to sign in, for example an email address.
            --prompt\tprompt\to\t\t\tAuthorization request\tThe prompts to request from the provider: login, consent, select_account or none.
            --max-age\ttime\to\t\t\tAuthorization request\tThe maximum age of the user's sign-in at the provider, for example 90 or 5m.
            --acr\tvalues\to\t\t\tAuthorization request\tAccept only these authentication context classes.
            --par\t\to\t\t\tAuthorization request\tUse a pushed authorization request (PAR, RFC 9126).
            --dpop\t\to\t\t\tAuthorization request\tBind tokens to a local key (DPoP, RFC 9449), so that a stolen token cannot be used.
            --language\ttag\to\t\t\tAuthorization request\tThe language of the provider's pages.
            --tenant\ttenant\to\t\t\tAuthorization request\tAt microsoft.com: a tenant's GUID or domain, common, organizations or consumers.
            --id-token\tfile|-\to\t\t\tExisting tokens\tRead an ID token from a file, or from standard input (-).
            --nonce\traw\to\t\t\tExisting tokens\tThe raw nonce of the ID token.
            --access-token\tfile|-\to\t\t\tExisting tokens\tRead an access token from a file, or from standard input (-): a personal access token, or one issued to this client.
            --begin\t\to\t\t\tTwo-step sign-in for programs\tPrint the URL, its expiry and an ID as JSON, and exit; continue with --complete.
            --complete\tid\to\t\t\tTwo-step sign-in for programs\tComplete a sign-in of --begin with the callback URL on standard input.
            --resource\turl\to\t\t\tA protected URL\tSign in to the authorization server of this URL, for tokens that are valid only for this URL.
            --client-metadata\turl\to\t\t\tA protected URL\tWith --resource: the URL of this client's metadata document, used as client ID if the server supports it.
            --email\taddress\to\t\t\tA password\tWith --provider password or emailLink: the address.
            --password-stdin\t\to\t\t\tA password\tWith --provider password: read the password from standard input.
            --create\t\to\t\t\tA password\tWith --provider password: create a new account.
            --ci\tsystem\to\t\t\tA job of a CI system\tSign this job in with its CI system's token: auto, github, gitlab, azure, circleci, buildkite, bitbucket, kubernetes, google, file.
            --audience\taudience\to\t\t\tA job of a CI system\tWith --ci: the audience of the token.
            --issuer\turl\to\t\t\tA job of a CI system\tWith --ci: the token's expected issuer.
            --ci-source\tname\to\t\t\tA job of a CI system\tWith --ci: the variable, file or service connection with the token.
            --require\tclaim=value\tor\t\t\tA job of a CI system\tWith --ci: a claim that the token must have, with its exact value; repeatable.
            --exchange\tid\to\t\t\tA job of a CI system\tWith --ci: exchange the token for this provider's access token.
            --exchange-by\texchange-by\to\ttoken-exchange|jwt-bearer|client-assertion\t\tA job of a CI system\tWith --exchange: the grant: token-exchange, jwt-bearer or client-assertion.
            --custom-token\tfile|-\to\t\t\tA Firebase project\tWith a Firebase project: read a custom token from a file, or from standard input (-).
            --code\tfile|-\to\t\t\tA Firebase project\tWith --provider emailLink: do not send an email; read its link or code from a file, or from standard input (-).
            --totp-stdin\t\to\t\t\tA Firebase project\tIf the project requires the code of an authenticator app: read it from standard input, on the line after any other input.
            --pending\tid\tos\t\t\tAfter a conflict\tSign in with the pending credential of a conflict; the ID is optional if there is only one.
            --link-pending\t\to\t\t\tAfter a conflict\tAfter the sign-in, link the pending credential for this account's email.
            --consent\t\to\t\t\tAfter a conflict\tWith --link-pending or --resource: the user has agreed to link an Apple identity to other data.
            """
        case "signout":
            """
            --provider\tid\to\t\t\t\tThe provider.
            --revoke\t\to\t\t\t\tAlso revoke the refresh token, then the access token, at the provider.
            --end-session\t\to\t\t\t\tAlso open the provider's logout page.
            --all\t\to\t\t\t\tSign out every account.
            --retry\t\to\t\t\t\tRetry revocations that providers did not confirm, without signing out.
            --yes\t\to\t\t\t\tDo not ask before signing out of an anonymous account, which cannot be recovered.
            """
        case "link":
            """
            --provider\tid\to\t\t\t\tThe provider.
            --flow\tflow\to\tauto|browser|device|paste|client-credentials\tauto\t\tThe sign-in flow: auto, browser, device, paste, or client-credentials (without a user).
            --port\tport\to\t\t\t\tListen on this loopback port.
            --no-browser\t\to\t\t\t\tPrint the URL instead of opening a browser.
            --scope\tscope\tor\t\t\tAuthorization request\tAlso request this scope; repeatable, or separated by commas.
            --param\tkey=value\tor\t\t\tAuthorization request\tSend this parameter to the provider; repeatable.
            --login-hint\temail\to\t\t\tAuthorization request\tThe user who is expected to sign in, for example an email address.
            --prompt\tprompt\to\t\t\tAuthorization request\tThe prompts to request from the provider: login, consent, select_account or none.
            --max-age\ttime\to\t\t\tAuthorization request\tThe maximum age of the user's sign-in at the provider, for example 90 or 5m.
            --acr\tvalues\to\t\t\tAuthorization request\tAccept only these authentication context classes.
            --par\t\to\t\t\tAuthorization request\tUse a pushed authorization request (PAR, RFC 9126).
            --dpop\t\to\t\t\tAuthorization request\tBind tokens to a local key (DPoP, RFC 9449), so that a stolen token cannot be used.
            --language\ttag\to\t\t\tAuthorization request\tThe language of the provider's pages.
            --tenant\ttenant\to\t\t\tAuthorization request\tAt microsoft.com: a tenant's GUID or domain, common, organizations or consumers.
            --id-token\tfile|-\to\t\t\tExisting tokens\tRead an ID token from a file, or from standard input (-).
            --nonce\traw\to\t\t\tExisting tokens\tThe raw nonce of the ID token.
            --access-token\tfile|-\to\t\t\tExisting tokens\tRead an access token from a file, or from standard input (-): a personal access token, or one issued to this client.
            --begin\t\to\t\t\tTwo-step sign-in for programs\tPrint the URL, its expiry and an ID as JSON, and exit; continue with --complete.
            --complete\tid\to\t\t\tTwo-step sign-in for programs\tComplete a sign-in of --begin with the callback URL on standard input.
            --code\tfile|-\to\t\t\tA Firebase project\tWith --provider emailLink: do not send an email; read its link or code from a file, or from standard input (-).
            --totp-stdin\t\to\t\t\tA Firebase project\tIf the project requires the code of an authenticator app: read it from standard input, on the line after any other input.
            --email\taddress\to\t\t\t\tWith --provider password or emailLink: the email address, if the account has none yet.
            --password-stdin\t\to\t\t\t\tWith --provider password: read the new password from standard input.
            --pending\tid\tos\t\t\t\tLink the pending credential; the ID is optional if there is only one.
            --consent\t\to\t\t\t\tThe user has agreed to link an Apple identity to other data.
            """
        case "unlink":
            """
            --provider\tid\to\t\t\t\tThe provider.
            --reauth\t\to\t\t\t\tRe-authenticate first if the last sign-in is older than five minutes.
            """
        case "reauth":
            """
            --provider\tid\to\t\t\t\tThe provider.
            --flow\tflow\to\tauto|browser|device|paste|client-credentials\tauto\t\tThe sign-in flow: auto, browser, device, paste, or client-credentials (without a user).
            --port\tport\to\t\t\t\tListen on this loopback port.
            --no-browser\t\to\t\t\t\tPrint the URL instead of opening a browser.
            --scope\tscope\tor\t\t\tAuthorization request\tAlso request this scope; repeatable, or separated by commas.
            --param\tkey=value\tor\t\t\tAuthorization request\tSend this parameter to the provider; repeatable.
            --login-hint\temail\to\t\t\tAuthorization request\tThe user who is expected to sign in, for example an email address.
            --prompt\tprompt\to\t\t\tAuthorization request\tThe prompts to request from the provider: login, consent, select_account or none.
            --max-age\ttime\to\t\t\tAuthorization request\tThe maximum age of the user's sign-in at the provider, for example 90 or 5m.
            --acr\tvalues\to\t\t\tAuthorization request\tAccept only these authentication context classes.
            --par\t\to\t\t\tAuthorization request\tUse a pushed authorization request (PAR, RFC 9126).
            --dpop\t\to\t\t\tAuthorization request\tBind tokens to a local key (DPoP, RFC 9449), so that a stolen token cannot be used.
            --language\ttag\to\t\t\tAuthorization request\tThe language of the provider's pages.
            --tenant\ttenant\to\t\t\tAuthorization request\tAt microsoft.com: a tenant's GUID or domain, common, organizations or consumers.
            --id-token\tfile|-\to\t\t\tExisting tokens\tRead an ID token from a file, or from standard input (-).
            --nonce\traw\to\t\t\tExisting tokens\tThe raw nonce of the ID token.
            --access-token\tfile|-\to\t\t\tExisting tokens\tRead an access token from a file, or from standard input (-): a personal access token, or one issued to this client.
            --begin\t\to\t\t\tTwo-step sign-in for programs\tPrint the URL, its expiry and an ID as JSON, and exit; continue with --complete.
            --complete\tid\to\t\t\tTwo-step sign-in for programs\tComplete a sign-in of --begin with the callback URL on standard input.
            --custom-token\tfile|-\to\t\t\tA Firebase project\tWith a Firebase project: read a custom token from a file, or from standard input (-).
            --code\tfile|-\to\t\t\tA Firebase project\tWith --provider emailLink: do not send an email; read its link or code from a file, or from standard input (-).
            --totp-stdin\t\to\t\t\tA Firebase project\tIf the project requires the code of an authenticator app: read it from standard input, on the line after any other input.
            --password-stdin\t\to\t\t\t\tWith --provider password: read the password from standard input.
            """
        case "token":
            """
            --provider\tid\to\t\t\t\tThe provider.
            --type\ttype\to\taccess|id\t\t\tThe token's type: access or id (default: access, or id for a CI job without an access token).
            --min-ttl\ttime\to\t\t\t\tRefresh the token if it expires within this time, for example 90 or 5m (default: 60, or a quarter of the token's lifetime if that is less).
            --resource\turl\to\t\t\t\tPrint the token for this resource URL; with --exchange: the target resource.
            --exchange\tid\to\t\t\t\tExchange the token at this provider (RFC 8693).
            --audience\taudience\tor\t\t\t\tWith --exchange: the audience of the new token; repeatable.
            --scope\tscope\tor\t\t\t\tWith --exchange: a scope of the new token; repeatable, or separated by commas.
            --force-refresh\t\to\t\t\t\tRefresh even if the token is still valid.
            --header\t\to\t\t\t\tPrint it as an Authorization header.
            --env\t\to\t\t\t\tPrint shell code that sets AUTHCTL_TOKEN, for eval.
            --proof\tmethod url\tor\t\t\t\tPrint both headers of one request with a DPoP-bound token (RFC 9449), for this method and URL.
            --shell\tshell\to\tposix|fish|powershell\t\t\tWith --env, the shell: posix, fish or powershell.
            """
        case "exec":
            """
            --provider\tid\to\t\t\t\tThe provider.
            --type\ttype\to\taccess|id\t\t\tThe token's type: access or id (default: access, or id for a CI job without an access token).
            --min-ttl\ttime\to\t\t\t\tRefresh the token if it expires within this time, for example 90 or 5m (default: 60, or a quarter of the token's lifetime if that is less).
            --resource\turl\to\t\t\t\tPrint the token for this resource URL; with --exchange: the target resource.
            --exchange\tid\to\t\t\t\tExchange the token at this provider (RFC 8693).
            --audience\taudience\tor\t\t\t\tWith --exchange: the audience of the new token; repeatable.
            --scope\tscope\tor\t\t\t\tWith --exchange: a scope of the new token; repeatable, or separated by commas.
            --as\tname\tor\t\t\t\tThe variable's name (default: AUTHCTL_TOKEN); repeatable.
            --renew\t\to\t\t\t\tKeep a fresh token in a file while the command runs.
            \tcommand\trt\t\t\t\tThe command and its arguments, after --.
            """
        case "request":
            """
            \turl\t\t\t\t\tThe URL.
            --provider\tid\to\t\t\t\tThe provider.
            -X --method\tmethod\to\tGET|HEAD|POST|PUT|PATCH|DELETE\t\t\tThe method.
            -H --header\theader\tor\t\t\t\tAdd a header, 'Name: value'; repeatable.
            --data\tfile|-\to\t\t\t\tSend this file, or standard input (-), as the body.
            --step-up\t\to\t\t\t\tIf the API requires more scopes or re-authentication: sign in, and send the request again.
            """
        case "credential git":
            """
            \toperation\t\t\t\t\tThe git credential operation: get, store or erase.
            --provider\tid\to\t\t\t\tThe provider.
            """
        case "credential docker":
            """
            \toperation\t\t\t\t\tThe docker credential operation: get, store, erase or list.
            """
        case "credential kubectl":
            """
            --provider\tid\to\t\t\t\tThe provider.
            --type\ttype\to\taccess|id\tid\t\tThe token's type: access or id.
            """
        case "credential aws":
            """
            --provider\tid\to\t\t\t\tThe provider.
            --role-arn\tarn\to\t\t\tThe role\tThe role's ARN.
            --role-session-name\tname\to\t\tauthctl\tThe role\tThe session name in the cloud provider's logs.
            --duration-seconds\ttime\to\t\t\tThe role\tThe lifetime of the credentials, for example 3600 or 1h.
            --region\tregion\to\t\t\tThe role\tThe region of the Security Token Service.
            --sts-endpoint\turl\to\t\t\tThe role\tThe URL of the Security Token Service.
            """
        case "credential mcp":
            """
            \turl\t\t\t\t\tThe URL of the server.
            """
        case "credential netrc":
            """
            \thost\t\t\t\t\tThe host.
            --provider\tid\to\t\t\t\tThe provider.
            """
        case "credential install":
            """
            \ttool\t\tgit|docker|kubectl|aws|mcp|netrc\t\t\tThe tool: git, docker, kubectl, aws or mcp.
            --provider\tid\to\t\t\t\tThe provider.
            --role-arn\tarn\to\t\t\tThe role\tThe role's ARN.
            --role-session-name\tname\to\t\tauthctl\tThe role\tThe session name in the cloud provider's logs.
            --duration-seconds\ttime\to\t\t\tThe role\tThe lifetime of the credentials, for example 3600 or 1h.
            --region\tregion\to\t\t\tThe role\tThe region of the Security Token Service.
            --sts-endpoint\turl\to\t\t\tThe role\tThe URL of the Security Token Service.
            --host\thost\tor\t\t\t\tThe host to configure (git, docker); repeatable (default: the hosts of all configured providers; for uninstall, every configured host).
            --bin-dir\tdir\to\t\t\t\tThe directory for the helper program (docker), in PATH.
            --name\tname\to\t\tauthctl\t\tThe name of the kubectl user, AWS profile or MCP server.
            --resource\turl\to\t\t\t\tThe URL of the server (mcp).
            --file\tfile\to\t\t\t\tThe MCP client's configuration file (default: .mcp.json).
            """
        case "credential uninstall":
            """
            \ttool\t\tgit|docker|kubectl|aws|mcp|netrc\t\t\tThe tool: git, docker, kubectl, aws or mcp.
            --host\thost\tor\t\t\t\tThe host to configure (git, docker); repeatable (default: the hosts of all configured providers; for uninstall, every configured host).
            --bin-dir\tdir\to\t\t\t\tThe directory for the helper program (docker), in PATH.
            --name\tname\to\t\tauthctl\t\tThe name of the kubectl user, AWS profile or MCP server.
            --resource\turl\to\t\t\t\tThe URL of the server (mcp).
            --file\tfile\to\t\t\t\tThe MCP client's configuration file (default: .mcp.json).
            """
        case "verify":
            """
            \tfile|-\to\t\t-\t\tA file with one token, or - for one per line.
            --issuer\turl\to\t\t\t\tThe expected issuer, whose published keys are used.
            --audience\tclient-id\to\t\t\t\tThe expected audience.
            --jwks\tfile\to\t\t\t\tRead the keys from this JWK Set.
            --signature-only\t\to\t\t\t\tVerify only the signature and print the payload.
            --introspect\t\to\t\t\tIntrospection\tIntrospect the token at the provider (RFC 7662), and print the response.
            --provider\tid\to\t\t\tIntrospection\tThe provider.
            --token-type-hint\ttype\to\taccess_token|refresh_token\t\tIntrospection\tA hint about the token's type: access_token or refresh_token.
            --require\tname=value\tor\t\t\tIntrospection\tRequire this member in the introspection response, as client_id=my-client or /cnf/jkt=…; repeatable.
            """
        case "whoami":
            """
            --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.
            """
        case "status":
            """
            --provider\tid\to\t\t\t\tThe provider.
            --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.
            """
        case "accounts list":
            """
            --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.
            """
        case "accounts switch":
            """
            \taccount\t\t\t\t\tThe account.
            """
        case "accounts show":
            """
            \taccount\to\t\t\t\tThe account (default: the current account).
            --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.
            """
        case "accounts name":
            """
            \tname\to\t\t\t\tThe alias; with --remove the account that has one.
            \taccount\to\t\t\t\tThe account, by its alias, uid or address (default: the current account).
            --remove\t\to\t\t\t\tRemove an account's alias.
            """
        case "accounts delete":
            """
            \taccount\to\t\t\t\tThe account (default: the current account).
            --reauth\t\to\t\t\t\tRe-authenticate first if the last sign-in is older than five minutes.
            --yes\t\to\t\t\t\tDo not ask for confirmation.
            --here\t\to\t\t\t\tRemove a Firebase project's account from this machine only; the project keeps it.
            """
        case "accounts set-email":
            """
            \taddress\t\t\t\t\tThe new address.
            --reauth\t\to\t\t\t\tRe-authenticate first if the last sign-in is older than five minutes.
            """
        case "accounts set-password":
            """
            --reauth\t\to\t\t\t\tRe-authenticate first if the last sign-in is older than five minutes.
            --password-stdin\t\to\t\t\t\tRead the new password from standard input.
            """
        case "accounts reset-password":
            """
            \taddress\t\t\t\t\tThe address.
            --code\tfile|-\to\t\t\t\tDo not send an email; read its link or code from a file, or from standard input (-).
            --password-stdin\t\to\t\t\t\tWith --code: read the new password from standard input, after the line of --code -.
            """
        case "accounts verify-email":
            """
            --code\tfile|-\to\t\t\t\tDo not send an email; read its link or code from a file, or from standard input (-).
            """
        case "accounts set-name":
            """
            \tname\to\t\t\t\tThe name.
            --clear\t\to\t\t\t\tRemove the name.
            """
        case "accounts set-photo":
            """
            \turl\to\t\t\t\tThe photo's URL.
            --clear\t\to\t\t\t\tRemove the photo.
            """
        case "accounts reload":
            """
            --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.
            """
        case "accounts lookup":
            """
            \taddress\t\t\t\t\tThe address.
            """
        case "accounts export":
            """
            --reauth\t\to\t\t\t\tRe-authenticate first if the last sign-in is older than five minutes.
            --with-secrets\t\to\t\t\t\tInclude password hashes and tokens [anyone who reads the file can use these accounts].
            """
        case "accounts import":
            """
            \tfile|-\t\t\t\t\tThe export, or - for standard input.
            """
        case "pending discard":
            """
            \tid\to\t\t\t\tThe ID (default: all).
            """
        case "setup":
            """
            \tprovider\to\t\t\t\tThe provider: a built-in one such as github.com, oidc.NAME, or an issuer's URL (default: asks).
            --issuer\turl\to\t\t\t\tThe issuer of an OpenID Provider.
            --base-url\turl\to\t\t\t\tThe base URL of a built-in provider, for example of an Enterprise Server, an emulator.
            --redirect-uri\turi\to\t\t\t\tThe redirect URI to register, if it differs from the default.
            --port\tport\to\t\t\t\tThe loopback port for the sign-in.
            --no-signin\t\to\t\t\t\tAdd the provider without signing in.
            --no-browser\t\to\t\t\t\tPrint URLs instead of opening a browser.
            """
        case "providers list":
            """
            --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.
            """
        case "providers show":
            """
            \tid\t\t\t\t\tThe provider.
            --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.
            """
        case "providers add":
            """
            \tid\t\t\t\t\tA built-in provider such as github.com, or a name of your choice: oidc.NAME.
            --issuer\turl\to\t\t\t\tThe issuer of oidc.NAME, exactly as in the provider's metadata.
            --base-url\turl\to\t\t\t\tThe base URL of a built-in provider, for example of an Enterprise Server, a sovereign cloud, an emulator.
            --preset\tpreset\to\tokta|auth0|keycloak|cognito|gitlab|oauth\t\t\tThe service behind oidc.NAME, for its known differences; oauth implies --discovery oauth.
            --tenant\ttenant\to\t\t\t\tAt microsoft.com: a tenant's GUID or domain, common, organizations or consumers.
            --team-id\tid\to\t\t\t\tAt apple.com: your ten-character team ID.
            --api-host\thost\tor\t\t\t\tAnother host that 'authctl request' may send the token to; repeatable.
            --discovery\tdiscovery\to\topenid|oauth|openid-inserted\t\t\tThe metadata document: openid (OpenID Connect Discovery) or oauth (RFC 8414).
            --scope\tscope\tor\t\t\t\tRequest this scope at every sign-in; repeatable.
            --param\tkey=value\tor\t\t\t\tSend this parameter at every sign-in; repeatable.
            --device-authorization-endpoint\turl\to\t\t\t\tThe device authorization endpoint (RFC 8628), if the provider's metadata lacks it.
            --revocation-endpoint\turl\to\t\t\t\tThe revocation endpoint (RFC 7009), if the provider's metadata lacks it.
            --par-endpoint\turl\to\t\t\t\tThe PAR endpoint (RFC 9126), if the provider's metadata lacks it.
            --par\t\to\t\t\t\tUse pushed authorization requests (PAR, RFC 9126) even if the provider does not require them.
            --dpop\t\to\t\t\t\tUse DPoP-bound tokens for every sign-in (RFC 9449).
            --fapi2\t\to\t\t\t\tEnforce the FAPI 2.0 Security Profile; includes PAR and sender-constrained tokens.
            --trust-email\t\to\t\t\t\tTrust the provider's email_verified claim.
            --nonce-mode\tnonce-mode\to\traw|sha256\t\t\tHow the nonce is sent: raw or sha256.
            --allow-http\t\to\t\t\t\tAllow a plain http issuer that is not on loopback [others on the network can read the tokens].
            --client-id\tid\to\t\t\tThe client\tThe client ID that the provider gave you.
            --client-secret-stdin\t\to\t\t\tThe client\tRead the client secret from standard input.
            --client-secret-file\tfile\to\t\t\tThe client\tRead the client secret from this file whenever it is needed.
            --client-secret-env\tvariable\to\t\t\tThe client\tRead the client secret from this environment variable.
            --redirect-uri\turi\to\t\t\tThe client\tThe registered redirect URI.
            --auth-method\tauth-method\to\tnone|client_secret_basic|client_secret_post|client_secret_jwt|private_key_jwt|tls_client_auth|self_signed_tls_client_auth\t\tThe client\tThe client authentication method (default: chosen from the provider's metadata).
            --private-key\tfile\to\t\t\tThe client\tThe PEM file with the key for private_key_jwt or for the certificate, or Apple's .p8 file.
            --certificate\tfile\to\t\t\tThe client\tThe PEM file with the client certificate for mutual TLS (RFC 8705), its chain and, optionally, its key.
            --private-key-passphrase-file\tfile\to\t\t\tThe client\tRead the passphrase of an encrypted key from this file whenever it is needed (default: asks on a terminal).
            --key-alg\talg\to\tRS256|RS384|RS512|PS256|PS384|PS512|ES256|ES384|ES512|EdDSA|Ed25519\t\tThe client\tThe signature algorithm: RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519 (default: one that the key and the provider support).
            --key-id\tkid\to\t\t\tThe client\tThe key's ID at the provider.
            --assertion-audience\tassertion-audience\to\tissuer|token-endpoint\t\tThe client\tThe audience of client assertions: issuer, or token-endpoint for an older server (default: issuer).
            --register\t\to\t\t\t\tRegister a client at the provider (OpenID Dynamic Client Registration).
            --replace\t\to\t\t\t\tReplace an existing configuration with all of its settings.
            """
        case "providers set":
            """
            \tid\t\t\t\t\tThe provider.
            --issuer\turl\to\t\t\t\tThe issuer of oidc.NAME, exactly as in the provider's metadata.
            --base-url\turl\to\t\t\t\tThe base URL of a built-in provider, for example of an Enterprise Server, a sovereign cloud, an emulator.
            --preset\tpreset\to\tokta|auth0|keycloak|cognito|gitlab|oauth\t\t\tThe service behind oidc.NAME, for its known differences; oauth implies --discovery oauth.
            --tenant\ttenant\to\t\t\t\tAt microsoft.com: a tenant's GUID or domain, common, organizations or consumers.
            --team-id\tid\to\t\t\t\tAt apple.com: your ten-character team ID.
            --api-host\thost\tor\t\t\t\tAnother host that 'authctl request' may send the token to; repeatable.
            --discovery\tdiscovery\to\topenid|oauth|openid-inserted\t\t\tThe metadata document: openid (OpenID Connect Discovery) or oauth (RFC 8414).
            --scope\tscope\tor\t\t\t\tRequest this scope at every sign-in; repeatable.
            --param\tkey=value\tor\t\t\t\tSend this parameter at every sign-in; repeatable.
            --device-authorization-endpoint\turl\to\t\t\t\tThe device authorization endpoint (RFC 8628), if the provider's metadata lacks it.
            --revocation-endpoint\turl\to\t\t\t\tThe revocation endpoint (RFC 7009), if the provider's metadata lacks it.
            --par-endpoint\turl\to\t\t\t\tThe PAR endpoint (RFC 9126), if the provider's metadata lacks it.
            --par\t\to\t\t\t\tUse pushed authorization requests (PAR, RFC 9126) even if the provider does not require them.
            --dpop\t\to\t\t\t\tUse DPoP-bound tokens for every sign-in (RFC 9449).
            --fapi2\t\to\t\t\t\tEnforce the FAPI 2.0 Security Profile; includes PAR and sender-constrained tokens.
            --trust-email\t\to\t\t\t\tTrust the provider's email_verified claim.
            --nonce-mode\tnonce-mode\to\traw|sha256\t\t\tHow the nonce is sent: raw or sha256.
            --allow-http\t\to\t\t\t\tAllow a plain http issuer that is not on loopback [others on the network can read the tokens].
            --client-id\tid\to\t\t\tThe client\tThe client ID that the provider gave you.
            --client-secret-stdin\t\to\t\t\tThe client\tRead the client secret from standard input.
            --client-secret-file\tfile\to\t\t\tThe client\tRead the client secret from this file whenever it is needed.
            --client-secret-env\tvariable\to\t\t\tThe client\tRead the client secret from this environment variable.
            --redirect-uri\turi\to\t\t\tThe client\tThe registered redirect URI.
            --auth-method\tauth-method\to\tnone|client_secret_basic|client_secret_post|client_secret_jwt|private_key_jwt|tls_client_auth|self_signed_tls_client_auth\t\tThe client\tThe client authentication method (default: chosen from the provider's metadata).
            --private-key\tfile\to\t\t\tThe client\tThe PEM file with the key for private_key_jwt or for the certificate, or Apple's .p8 file.
            --certificate\tfile\to\t\t\tThe client\tThe PEM file with the client certificate for mutual TLS (RFC 8705), its chain and, optionally, its key.
            --private-key-passphrase-file\tfile\to\t\t\tThe client\tRead the passphrase of an encrypted key from this file whenever it is needed (default: asks on a terminal).
            --key-alg\talg\to\tRS256|RS384|RS512|PS256|PS384|PS512|ES256|ES384|ES512|EdDSA|Ed25519\t\tThe client\tThe signature algorithm: RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519 (default: one that the key and the provider support).
            --key-id\tkid\to\t\t\tThe client\tThe key's ID at the provider.
            --assertion-audience\tassertion-audience\to\tissuer|token-endpoint\t\tThe client\tThe audience of client assertions: issuer, or token-endpoint for an older server (default: issuer).
            --unset\tsetting\tor\tbase-url|preset|tenant|client-secret|scope|param|redirect-uri|auth-method|private-key|private-key-passphrase-file|key-id|key-alg|certificate|assertion-audience|discovery|allow-http|nonce-mode|device-authorization-endpoint|revocation-endpoint|par-endpoint|api-host|par|dpop|fapi2|trust-email|team-id\t\t\tRemove this setting before others are set; repeatable.
            """
        case "providers remove":
            """
            \tid\t\t\t\t\tThe provider.
            """
        case "providers check":
            """
            \tid\to\t\t\t\tThe provider (default: all).
            """
        case "providers discover":
            """
            \turl\t\t\t\t\tThe URL.
            --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.
            """
        case "providers export":
            """
            \tid\t\t\t\t\tThe provider.
            """
        case "profile use":
            """
            \tname\t\t\t\t\tThe profile.
            --create\t\to\t\t\t\tCreate the profile if it does not exist.
            """
        case "profile set":
            """
            --one-account-per-email\tone-account-per-email\to\t\t\t\tAllow only one account for each email address: on or off.
            --directory\tdirectory\to\t\t\t\tWhere accounts are stored: local, or firebase with --api-key and --project-id.
            --vault\tvault\to\tfile|keyring|passphrase\t\t\tChooses where the encryption key of this machine's sessions is stored: in the desktop's keyring, in a file protected by a passphrase, or in a plain file. The key is moved for every profile of this configuration directory.
            --weak\t\to\t\t\t\tAccept a new passphrase of fewer than 8 characters.
            --api-key\tkey\to\t\t\tThe Firebase project\tThe project's web API key, which is not a secret.
            --project-id\tid\to\t\t\tThe Firebase project\tThe project's ID.
            --auth-domain\tdomain\to\t\t\tThe Firebase project\tThe project's domain for sign-in pages.
            --locale\ttag\to\t\t\tThe Firebase project\tThe language of the project's emails.
            --bundle-id\tid\to\t\t\tThe Firebase project\tThe iOS app that the key is restricted to.
            --referer\turl\to\t\t\tThe Firebase project\tThe page that the key is restricted to.
            --android-package\tpackage\to\t\t\tThe Firebase project\tThe Android app that the key is restricted to.
            --android-cert\tsha-1\to\t\t\tThe Firebase project\tThe SHA-1 of that app's certificate, in hexadecimal.
            --tenant-id\tid\to\t\t\tThe Firebase project\tOne of the project's tenants.
            --redirect-uri\turi\to\t\t\tThe Firebase project\tThe redirect URI for providers whose client is the project (default: http://localhost:8400/callback).
            --emulator-host\thost\to\t\t\tThe Firebase project\tA remote host that FIREBASE_AUTH_EMULATOR_HOST may name [all requests to it use plain http].
            --api-host\thost\tor\t\t\tThe Firebase project\tA host that 'authctl request' may send the project's token to; repeatable, '' removes all.
            """
        case "profile import":
            """
            \tfile|-\t\t\t\t\tThe file, or standard input (-).
            --tenant-id\tid\to\t\t\tThe Firebase project\tOne of the project's tenants.
            --redirect-uri\turi\to\t\t\tThe Firebase project\tThe redirect URI for providers whose client is the project (default: http://localhost:8400/callback).
            --emulator-host\thost\to\t\t\tThe Firebase project\tA remote host that FIREBASE_AUTH_EMULATOR_HOST may name [all requests to it use plain http].
            --api-host\thost\tor\t\t\tThe Firebase project\tA host that 'authctl request' may send the project's token to; repeatable, '' removes all.
            """
        case "profile unlock":
            """
            --for\tduration\to\t\t\t\tHow long it stays unlocked, for example 90, 30m, 8h, 2d (default: 8h).
            """
        case "completion":
            """
            \tshell\t\t\t\t\tThe shell: bash, zsh or fish.
            """
        case "doctor":
            """
            --report\t\to\t\t\t\tPrint a Markdown report without names, addresses and hosts, to share with others.
            """
        default: ""
        }
    }
}
