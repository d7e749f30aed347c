// Made by Packaging/help-arguments of the parser's description: `make help` after a change of an option.

extension DescribedArgument {
    /// Each command and its arguments that the help shows, a line each. `*` has those of every command, a line with
    /// `+` those of another section.
    static let lines = """
        *
        --profile\tname\to\t\t\t\tUse this profile (AUTHCTL_PROFILE).
        --account\taccount\to\t\t\t\tUse this account, by alias, uid or address, for this command only (AUTHCTL_ACCOUNT).
        --json\t\to\t\t\t\tPrint JSON.
        -q --quiet\t\to\t\t\t\tDo not print notes on standard error.
        -v --verbose\t\to\t\t\t\tTrace HTTP on standard error, without secrets.
        --no-input\t\to\t\t\t\tNever prompt and never open a browser (implied when CI is set).
        --timeout\ttime\to\t\t300\t\tHow long to wait for the user, for example 90, 5m or 1h.
        --passphrase-fd\tn\to\t\t\t\tRead the passphrase of the encryption key from this open file descriptor.
        --config-dir\tdir\to\t\t\t\tThe configuration directory (AUTHCTL_CONFIG_DIR).
        --help-all\t\to\t\t\t\tShow help with all options.
        -h --help\t\to\t\t\t\tShow help information.

        authctl
        --version\t\to\t\t\t\tShow the version.

        authctl signin
        \tprovider\to\t\t\t\tThe same as --provider, for example github.com.
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        + --flow
        --resource\turl\to\t\t\tProtected resource\tSign in to the authorization server of this URL, for tokens that are valid only for this URL.
        --client-metadata\turl\to\t\t\tProtected resource\tThe URL of this client's metadata document, used as client ID if the server supports it (requires --resource).
        --email\taddress\to\t\t\tPassword\tThe email address (requires --provider password or emailLink).
        --password-stdin\t\to\t\t\tPassword\tRead the password from standard input (requires --provider password).
        --create\t\to\t\t\tPassword\tCreate a new account (requires --provider password).
        --ci\tsystem\to\t\t\tCI job\tSign in as this job, with the token of its CI system: auto, github, gitlab, azure, circleci, buildkite, bitbucket, kubernetes, google, file.
        --audience\taudience\to\t\t\tCI job\tThe audience of the token (requires --ci).
        --issuer\turl\to\t\t\tCI job\tThe token's expected issuer (requires --ci).
        --ci-source\tname\to\t\t\tCI job\tThe variable, file or service connection with the token (requires --ci).
        --require\tclaim=value\tor\t\t\tCI job\tRequire this claim in the token, with its exact value; repeatable (requires --ci).
        --exchange\tid\to\t\t\tCI job\tExchange the token for this provider's access token (requires --ci).
        --exchange-by\texchange-by\to\ttoken-exchange|jwt-bearer|client-assertion\t\tCI job\tThe grant: token-exchange, jwt-bearer or client-assertion (requires --exchange or --resource).
        --custom-token\tfile|-\to\t\t\tFirebase project\tSign in with a custom token from a file, or from standard input (-).
        --code\tfile|-\to\t\t\tFirebase project\tDo not send an email; read its link or code from a file, or - for standard input (requires --provider emailLink).
        --totp-stdin\t\to\t\t\tFirebase project\tRead the code of an authenticator app from standard input, on the line after any other input.
        --pending\tid\tos\t\t\tPending credential\tSign in with a pending credential; the ID is optional if there is only one.
        --link-pending\t\to\t\t\tPending credential\tAfter the sign-in, link the pending credential for this account's email address.
        --consent\t\to\t\t\tPending credential\tThe user has agreed to link an Apple identity to other data (requires --link-pending or --resource).

        authctl signout
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        --revoke\t\to\t\t\t\tAlso revoke the refresh token, then the access token, at the provider.
        --end-session\t\to\t\t\t\tAlso open the provider's logout page.
        --all\t\to\t\t\t\tSign out every account.
        --retry\t\to\t\t\t\tRetry revocations that providers did not confirm, without signing out.
        --yes\t\to\t\t\t\tDo not ask before signing out an anonymous account, which cannot be recovered.

        authctl link
        \tprovider\to\t\t\t\tThe same as --provider, for example github.com.
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        + --flow
        --code\tfile|-\to\t\t\tFirebase project\tDo not send an email; read its link or code from a file, or - for standard input (requires --provider emailLink).
        --totp-stdin\t\to\t\t\tFirebase project\tRead the code of an authenticator app from standard input, on the line after any other input.
        --email\taddress\to\t\t\t\tThe email address, if the account does not have one yet (requires --provider password or emailLink).
        --password-stdin\t\to\t\t\t\tRead the new password from standard input (requires --provider password).
        --pending\tid\tos\t\t\t\tLink the pending credential; the ID is optional if there is only one.
        --consent\t\to\t\t\t\tThe user has agreed to link an Apple identity to other data.

        authctl unlink
        \tprovider\to\t\t\t\tThe same as --provider, for example github.com.
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        --reauth\t\to\t\t\t\tRe-authenticate first if the last sign-in is older than five minutes.

        authctl reauth
        \tprovider\to\t\t\t\tThe same as --provider, for example github.com.
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        + --flow
        --custom-token\tfile|-\to\t\t\tFirebase project\tSign in with a custom token from a file, or from standard input (-).
        --code\tfile|-\to\t\t\tFirebase project\tDo not send an email; read its link or code from a file, or - for standard input (requires --provider emailLink).
        --totp-stdin\t\to\t\t\tFirebase project\tRead the code of an authenticator app from standard input, on the line after any other input.
        --password-stdin\t\to\t\t\t\tRead the password from standard input (requires --provider password).

        authctl token
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        + --type
        --force-refresh\t\to\t\t\t\tRefresh even if the token is still valid.
        --header\t\to\t\t\t\tPrint the token as an Authorization header.
        --env\t\to\t\t\t\tPrint shell code that sets AUTHCTL_TOKEN, for eval.
        --proof\tmethod url\tor\t\t\t\tPrint the headers Authorization and DPoP for one request with this method and URL (RFC 9449).
        --shell\tshell\to\tposix|fish|powershell\t\t\tThe shell: posix, fish or powershell (default: posix; requires --env).

        authctl exec
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        + --type
        --as\tname\tor\t\t\t\tThe environment variable for the token (default: AUTHCTL_TOKEN); repeatable.
        --renew\t\to\t\t\t\tKeep a valid token in a file while the command runs.
        --file-as\tvariable\tor\t\t\t\tThe variable for the path of such a file; ,type=id and ,audience=AUDIENCE can follow; repeatable (requires --renew).
        \tcommand\trt\t\t\t\tThe command and its arguments, after --.

        authctl request
        \turl\t\t\t\t\tThe URL.
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        -X --method\tmethod\to\tGET|HEAD|POST|PUT|PATCH|DELETE\t\t\tThe method: GET, HEAD, POST, PUT, PATCH or DELETE (default: GET, or POST with --data).
        -H --header\theader\tor\t\t\t\tAdd a header, 'Name: value'; repeatable.
        --data\tfile|-\to\t\t\t\tSend this file, or standard input (-), as the body.
        --step-up\t\to\t\t\t\tIf the API requires more scopes or re-authentication: sign in, and send the request again.

        authctl credential git
        \toperation\t\t\t\t\tThe git credential operation: get, store or erase.
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        --permission\tname=level\tor\t\t\t\tA permission of the installation token, for example contents=read; repeatable (default: all of the installation).

        authctl credential docker
        \toperation\t\t\t\t\tThe docker credential operation: get, store, erase or list.

        authctl credential kubectl
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        --type\ttype\to\taccess|id\tid\t\tThe token's type: access or id.

        authctl credential aws
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        + --role-arn

        authctl credential gcp
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        --audience\taudience\to\t\t\t\tIn a CI job: the audience of its token (default: the pool's provider, as an https URL).

        authctl credential mcp
        \turl\t\t\t\t\tThe URL of the server.
        --stdio\t\to\t\t\t\tForward messages between standard input and output and the server.

        authctl credential netrc
        \thost\t\t\t\t\tThe host.
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.

        authctl credential install
        \ttool\t\tgit|docker|kubectl|aws|gcp|mcp|claude-code|codex|vscode|cursor|opencode|goose\t\t\tThe tool: git, docker, kubectl, aws, gcp, mcp, claude-code, codex, vscode, cursor, opencode or goose.
        \turl\to\t\t\t\tFor an MCP client: the URL of the server.
        --stdio\t\to\t\t\t\tFor claude-code: start the bridge, as the other clients do, instead of the headers helper.
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        + --role-arn
        --workload-provider\tname\to\t\t\tGoogle Cloud\tThe full name of the workload identity pool's provider, beginning with projects/.
        --service-account\temail\to\t\t\tGoogle Cloud\tThe service account to impersonate.
        --audience\taudience\to\t\t\tGoogle Cloud\tIn a CI job: the audience of its token (default: the pool's provider, as an https URL).
        + --host
        --file\tfile\to\t\t\t\tFor mcp and gcp: the configuration file (default: .mcp.json; for gcp, that of gcloud).

        authctl credential list
        --file\tfile\to\t\t\t\tFor mcp and gcp: the configuration file (default: .mcp.json; for gcp, that of gcloud).

        authctl credential uninstall
        \ttool\t\tgit|docker|kubectl|aws|gcp|mcp|claude-code|codex|vscode|cursor|opencode|goose\t\t\tThe tool: git, docker, kubectl, aws, gcp, mcp, claude-code, codex, vscode, cursor, opencode or goose.
        \turl\to\t\t\t\tFor an MCP client: the URL of the server (default: all servers of authctl).
        + --host
        --file\tfile\to\t\t\t\tFor mcp and gcp: the configuration file (default: .mcp.json; for gcp, that of gcloud).

        authctl serve
        --socket\tpath\to\t\t\t\tThe socket to make, unless systemd passes one. Others must not be able to write to its directory.
        --allow\tsession|rule\tr\t\t\t\tAllow the token of this session: provider=ID[,resource=URL][,account=A]; repeatable. With --upstream: requests.
        --for\tduration\to\t\t\t\tEnd after this time, for example 30m or 8h (default: no end).
        --audit\tfile\to\t\t\t\tRecord each use in this file (default: serve-audit.jsonl in the configuration directory).
        --upstream\turl\to\t\t\tProxy\tForward requests to this server with the token, instead of giving it to the clients. --allow is then 'METHOD PATH'.
        --port\tnumber\to\t\t\tProxy\tListen on this port of 127.0.0.1, or on a free one (0), and print the URL and a local key.
        --resource\turl\to\t\t\tProxy\tUse the token for this resource.
        --provider\tid\to\t\t\tProxy\tThe provider, for example github.com or oidc.work.

        authctl verify
        \tfile|-\to\t\t-\t\tA file with one token, or - for one per line.
        --issuer\turl\to\t\t\t\tThe expected issuer, whose published keys are used.
        --audience\tclient-id\to\t\t\t\tThe expected audience.
        --jwks\tfile\to\t\t\t\tRead the keys from this JWK Set.
        --signature-only\t\to\t\t\t\tVerify only the signature and print the payload.
        --introspect\t\to\t\t\tIntrospection\tIntrospect the token at the provider (RFC 7662), and print the response.
        --provider\tid\to\t\t\tIntrospection\tThe provider, for example github.com or oidc.work.
        --token-type-hint\ttype\to\taccess_token|refresh_token\t\tIntrospection\tA hint about the token's type: access_token or refresh_token (requires --introspect).
        --require\tname=value\tor\t\t\tIntrospection\tRequire this member in the introspection response, as client_id=my-client or /cnf/jkt=…; repeatable (requires --introspect).

        authctl whoami
        --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.

        authctl status
        --provider\tid\to\t\t\t\tThe provider, for example github.com or oidc.work.
        --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.
        --why\t\to\t\t\t\tAlso show what chose the account: an option, a rule, or that it is the current one.
        --long\t\to\t\t\t\tAlso show each session, when it expires, and where the encryption key is.

        authctl accounts list
        --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.

        authctl accounts switch
        \taccount\to\t\t\t\tThe account (default: choose from a list).

        authctl accounts show
        \taccount\to\t\t\t\tThe account (default: the current account).
        --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.

        authctl accounts name
        \tname\to\t\t\t\tThe alias; with --remove: the account, by its alias, uid or address.
        \taccount\to\t\t\t\tThe account, by its alias, uid or address (default: the current account).
        --remove\t\to\t\t\t\tRemove an account's alias.

        authctl accounts rule
        \toperation\t\tadd|list|remove\t\t\tThe operation: add, list or remove.
        \taccount\to\t\t\t\tThe account, by alias, uid or address.
        --directory\tdir\to\t\t\t\tThis directory and everything below it.
        --remote\tpattern\to\t\t\t\tRepositories with this remote: HOST/PATH. * stands for any part of a name, ** at the end for any path.
        --git-config\t\to\t\t\t\tUse authctl.account of your global git configuration, for example with includeIf.

        authctl accounts delete
        \taccount\to\t\t\t\tThe account (default: the current account).
        --reauth\t\to\t\t\t\tRe-authenticate first if the last sign-in is older than five minutes.
        --yes\t\to\t\t\t\tDo not ask for confirmation.
        --here\t\to\t\t\t\tRemove a Firebase project's account from this machine only; it remains in the project.

        authctl accounts set-email
        \taddress\t\t\t\t\tThe new address.
        --reauth\t\to\t\t\t\tRe-authenticate first if the last sign-in is older than five minutes.

        authctl accounts set-password
        --reauth\t\to\t\t\t\tRe-authenticate first if the last sign-in is older than five minutes.
        --password-stdin\t\to\t\t\t\tRead the new password from standard input.

        authctl accounts reset-password
        \taddress\t\t\t\t\tThe email address.
        --code\tfile|-\to\t\t\t\tDo not send another email; read the link or code of the last one from a file, or from standard input (-).
        --password-stdin\t\to\t\t\t\tRead the new password from standard input, after the line of --code - (requires --code).

        authctl accounts verify-email
        --code\tfile|-\to\t\t\t\tDo not send another email; read the link or code of the last one from a file, or from standard input (-).

        authctl accounts set-name
        \tname\to\t\t\t\tThe name.
        --clear\t\to\t\t\t\tRemove the name.

        authctl accounts set-photo
        \turl\to\t\t\t\tThe photo's URL.
        --clear\t\to\t\t\t\tRemove the photo.

        authctl accounts reload
        --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.

        authctl accounts lookup
        \taddress\t\t\t\t\tThe address.

        authctl accounts export
        --reauth\t\to\t\t\t\tRe-authenticate first if the last sign-in is older than five minutes.
        --with-secrets\t\to\t\t\t\tInclude password hashes and tokens. Anyone who reads the file can use these accounts.

        authctl accounts import
        \tfile|-\t\t\t\t\tThe export, or - for standard input.

        authctl pending discard
        \tid\to\t\t\t\tThe ID of the pending credential (default: all).

        authctl setup
        \tprovider\to\t\t\t\tThe provider, such as github.com or okta, or an issuer's URL (default: asks).
        --issuer\turl\to\t\t\t\tThe issuer of an OpenID Provider.
        --base-url\turl\to\t\t\t\tThe base URL of a built-in provider, for example of an Enterprise Server or an emulator.
        --redirect-uri\turi\to\t\t\t\tThe redirect URI to register (default: a loopback URI).
        --port\tport\to\t\t\t\tThe loopback port for the sign-in.
        --no-signin\t\to\t\t\t\tAdd the provider without signing in.
        --no-browser\t\to\t\t\t\tPrint URLs instead of opening a browser.

        authctl providers list
        --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.

        authctl providers show
        \tid\t\t\t\t\tThe provider.
        --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.

        authctl providers add
        \tid\t\t\t\t\tA built-in provider such as github.com, or a name of your choice: oidc.NAME.
        + --issuer
        --register\t\to\t\t\t\tRegister a client at the provider (OpenID Dynamic Client Registration).
        --replace\t\to\t\t\t\tReplace an existing configuration and remove settings that are not given.

        authctl providers set
        \tid\t\t\t\t\tThe provider.
        + --issuer
        --unset\tsetting\tor\tbase-url|preset|tenant|client-secret|scope|param|redirect-uri|auth-method|app-id|private-key|private-key-passphrase-file|key-id|key-alg|certificate|assertion-audience|assertion-from|discovery|allow-http|nonce-mode|device-authorization-endpoint|revocation-endpoint|par-endpoint|api-host|par|dpop|fapi2|trust-email|team-id\t\t\tRemove this setting before others are set; repeatable.

        authctl providers remove
        \tid\t\t\t\t\tThe provider.

        authctl providers check
        \tid\to\t\t\t\tThe provider (default: all).

        authctl providers discover
        \turl\t\t\t\t\tThe URL.
        --field\tpath\to\t\t\t\tPrint only this value of the JSON, for example account.email.

        authctl providers export
        \tid\t\t\t\t\tThe provider.

        authctl profile use
        \tname\t\t\t\t\tThe profile.
        --create\t\to\t\t\t\tCreate the profile if it does not exist.

        authctl profile set
        --one-account-per-email\tone-account-per-email\to\t\t\t\tAllow only one account for each email address: on or off.
        --directory\tdirectory\to\t\t\t\tWhere accounts are stored: local, or firebase with --api-key and --project-id.
        --vault\tvault\to\tfile|keyring|passphrase\t\t\tChooses where the encryption key of this machine's sessions is stored: in the desktop's keyring, in a file protected by a passphrase, or in a plain file. The key is moved for every profile of this configuration directory.
        --weak\t\to\t\t\t\tAccept a new passphrase of fewer than 8 characters (requires --vault passphrase).
        --api-key\tkey\to\t\t\tFirebase project\tThe project's web API key, which is not a secret.
        --project-id\tid\to\t\t\tFirebase project\tThe project's ID.
        --auth-domain\tdomain\to\t\t\tFirebase project\tThe project's domain for sign-in pages.
        --locale\ttag\to\t\t\tFirebase project\tThe language of the project's emails.
        --bundle-id\tid\to\t\t\tFirebase project\tThe bundle ID of the iOS app to which the key is restricted.
        --referer\turl\to\t\t\tFirebase project\tThe URL of the page to which the key is restricted.
        --android-package\tpackage\to\t\t\tFirebase project\tThe package name of the Android app to which the key is restricted.
        --android-cert\tsha-1\to\t\t\tFirebase project\tThe SHA-1 of that app's certificate, in hexadecimal.
        + --tenant-id

        authctl profile rename
        \tname\t\t\t\t\tThe profile.
        \tnew-name\t\t\t\t\tThe new name.

        authctl profile remove
        \tname\t\t\t\t\tThe profile.
        --yes\t\to\t\t\t\tDo not ask for confirmation.

        authctl profile import
        \tfile|-\t\t\t\t\tThe file, or - for standard input.
        + --tenant-id

        authctl profile unlock
        --for\tduration\to\t\t\t\tHow long it stays unlocked, for example 90, 30m, 8h, 2d (default: 8h).

        authctl schema
        \tcommand\tor\t\t\t\tThe command, for example status or accounts list.

        authctl completion
        \tshell\t\t\t\t\tThe shell: bash, zsh or fish.

        authctl doctor
        --report\t\to\t\t\t\tPrint a Markdown report without names, addresses and hosts, to share with others.

        + --flow
        --flow\tflow\to\tauto|browser|device|paste|client-credentials\tauto\t\tThe sign-in flow: auto, browser, device, paste, or client-credentials (without a user).
        --port\tport\to\t\t\t\tListen on this loopback port (default: that of the redirect URI, otherwise a free port).
        --no-browser\t\to\t\t\t\tPrint the URL instead of opening a browser.
        --scope\tscope\tor\t\t\tAuthorization request\tAlso request this scope; repeatable, or separated by commas or spaces.
        --param\tkey=value\tor\t\t\tAuthorization request\tSend this parameter to the provider; repeatable.
        --login-hint\temail\to\t\t\tAuthorization request\tThe user who is expected to sign in, for example an email address.
        --prompt\tprompt\to\t\t\tAuthorization request\tThe prompts that the provider shows: login, consent, select_account or none.
        --max-age\ttime\to\t\t\tAuthorization request\tThe maximum age of the user's sign-in at the provider, for example 90 or 5m.
        --acr\tvalues\to\t\t\tAuthorization request\tAccept only these authentication context classes (acr).
        --par\t\to\t\t\tAuthorization request\tUse a pushed authorization request (PAR, RFC 9126).
        --dpop\t\to\t\t\tAuthorization request\tBind tokens to a local key (DPoP, RFC 9449), so that a stolen token cannot be used.
        --language\ttag\to\t\t\tAuthorization request\tThe language of the provider's pages, for example de or pt-BR.
        --tenant\ttenant\to\t\t\tAuthorization request\tAt microsoft.com: a tenant's GUID or domain, common, organizations or consumers.
        --id-token\tfile|-\to\t\t\tExisting tokens\tSign in with an existing ID token from a file, or from standard input (-).
        --nonce\traw\to\t\t\tExisting tokens\tThe raw nonce of the ID token (requires --id-token).
        --access-token\tfile|-\to\t\t\tExisting tokens\tSign in with an existing access token from a file, or from standard input (-): a personal access token, or one issued to this client.
        --begin\t\to\t\t\tTwo-step sign-in for programs\tPrint the URL, its expiry and an ID as JSON, and exit; continue with --complete.
        --complete\tid\to\t\t\tTwo-step sign-in for programs\tComplete the sign-in with this ID; reads the callback URL from standard input.

        + --type
        --type\ttype\to\taccess|id\t\t\tThe token's type: access or id (default: access, or id for a CI job without an access token).
        --min-ttl\ttime\to\t\t\t\tRefresh the token if it expires within this time, for example 90 or 5m (default: 60, or a quarter of the token's lifetime if that is less).
        --resource\turl\to\t\t\t\tUse the token for this resource URL (RFC 8707); with --exchange: the target resource.
        --exchange\tid\to\t\t\tExchange\tExchange the token at this provider (RFC 8693).
        --audience\taudience\tor\t\t\tExchange\tThe audience of the new token; repeatable (requires --exchange).
        --scope\tscope\tor\t\t\tExchange\tA scope of the new token; repeatable, or separated by commas or spaces (requires --exchange).
        --exchange-param\tkey=value\tor\t\t\tExchange\tSend this parameter with the exchange; repeatable (requires --exchange).
        --repository\towner/repo\to\t\t\tGitHub App\tUse a GitHub App's installation token for this repository only; it is not stored.
        --permission\tname=level\tor\t\t\tGitHub App\tA permission of the installation token, for example contents=read; repeatable (default: all of the installation).

        + --role-arn
        --role-arn\tarn\to\t\t\tAWS role\tThe ARN of the role.
        --role-session-name\tname\to\t\tauthctl\tAWS role\tThe session name in the logs of AWS.
        --duration-seconds\ttime\to\t\t\tAWS role\tThe lifetime of the credentials, 900 to 43200 seconds, for example 3600 or 1h (default: one hour).
        --region\tregion\to\t\t\tAWS role\tThe region of the Security Token Service (default: the global endpoint).
        --sts-endpoint\turl\to\t\t\tAWS role\tThe URL of the Security Token Service (default: that of the region).

        + --host
        --host\thost\tor\t\t\t\tFor git and docker: the host; repeatable (default: all hosts of the configured providers; for uninstall, all configured hosts).
        --bin-dir\tdir\to\t\t\t\tFor docker: the directory of the program, in PATH.
        --name\tname\to\t\tauthctl\t\tThe name of the kubectl user, AWS profile or MCP server.
        --resource\turl\to\t\t\t\tFor mcp: the URL of the server.

        + --issuer
        --issuer\turl\to\t\t\t\tThe issuer of oidc.NAME, exactly as in the provider's metadata.
        --base-url\turl\to\t\t\t\tThe base URL of a built-in provider, for example of an Enterprise Server, a sovereign cloud or an emulator.
        --preset\tpreset\to\tokta|auth0|keycloak|cognito|gitlab|oauth\t\t\tThe service behind oidc.NAME, if it differs from the standard; oauth implies --discovery oauth.
        --tenant\ttenant\to\t\t\t\tAt microsoft.com: a tenant's GUID or domain, common, organizations or consumers.
        --team-id\tid\to\t\t\t\tAt apple.com: your ten-character team ID.
        --api-host\thost\tor\t\t\t\tAnother host that 'authctl request' may send the token to; repeatable.
        --assertion-from\tid\to\t\t\t\tGet tokens with identity assertions of this provider (ID-JAG), without a browser.
        --discovery\tdiscovery\to\topenid|oauth|openid-inserted\t\t\tThe metadata document: openid (OpenID Connect Discovery), openid-inserted (its URL by RFC 8414), or oauth (RFC 8414) (default: openid).
        --scope\tscope\tor\t\t\t\tRequest this scope at every sign-in; repeatable.
        --param\tkey=value\tor\t\t\t\tSend this parameter at every sign-in; repeatable.
        --device-authorization-endpoint\turl\to\t\t\t\tThe device authorization endpoint (RFC 8628), if the provider's metadata lacks it.
        --revocation-endpoint\turl\to\t\t\t\tThe revocation endpoint (RFC 7009), if the provider's metadata lacks it.
        --par-endpoint\turl\to\t\t\t\tThe PAR endpoint (RFC 9126), if the provider's metadata lacks it.
        --par\t\to\t\t\t\tUse pushed authorization requests (PAR, RFC 9126) even if the provider does not require them.
        --dpop\t\to\t\t\t\tUse DPoP-bound tokens for every sign-in (RFC 9449).
        --fapi2\t\to\t\t\t\tEnforce the FAPI 2.0 Security Profile; includes PAR and sender-constrained tokens.
        --trust-email\t\to\t\t\t\tTrust the provider's email_verified claim.
        --nonce-mode\tnonce-mode\to\traw|sha256\t\t\tHow the nonce is sent: raw or sha256 (default: raw, except at apple.com and facebook.com).
        --allow-http\t\to\t\t\t\tAllow a plain http issuer that is not on loopback. Others on the network can read the tokens.
        --client-id\tid\to\t\t\tClient\tThe client ID that the provider gave you.
        --client-secret-stdin\t\to\t\t\tClient\tRead the client secret from standard input.
        --client-secret-file\tfile\to\t\t\tClient\tRead the client secret from this file at each use.
        --client-secret-env\tvariable\to\t\t\tClient\tRead the client secret from this environment variable at each use.
        --redirect-uri\turi\to\t\t\tClient\tThe registered redirect URI.
        --auth-method\tauth-method\to\tnone|client_secret_basic|client_secret_post|client_secret_jwt|private_key_jwt|tls_client_auth|self_signed_tls_client_auth\t\tClient\tThe client authentication method: none, client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt, tls_client_auth, self_signed_tls_client_auth (default: chosen from the provider's metadata).
        --app-id\tnumber\to\t\t\tClient\tAt github.com: the ID of your GitHub App, for installation tokens (requires --private-key).
        --private-key\tfile\to\t\t\tClient\tThe PEM file with the key for private_key_jwt or for the certificate, Apple's .p8 file, or a GitHub App's key.
        --certificate\tfile\to\t\t\tClient\tThe PEM file with the client certificate for mutual TLS (RFC 8705), its chain and, optionally, its key.
        --private-key-passphrase-file\tfile\to\t\t\tClient\tRead the passphrase of an encrypted key from this file at each use (default: asks on a terminal).
        --key-alg\talg\to\tRS256|RS384|RS512|PS256|PS384|PS512|ES256|ES384|ES512|EdDSA|Ed25519\t\tClient\tThe signature algorithm: RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519 (default: one that the key and the provider support).
        --key-id\tkid\to\t\t\tClient\tThe key's ID at the provider.
        --assertion-audience\tassertion-audience\to\tissuer|token-endpoint\t\tClient\tThe audience of client assertions: issuer, or token-endpoint for an older server (default: issuer).

        + --tenant-id
        --tenant-id\tid\to\t\t\tFirebase project\tA tenant of the project.
        --redirect-uri\turi\to\t\t\tFirebase project\tThe redirect URI for providers whose client is the project (default: http://localhost:8400/callback).
        --emulator-host\thost\to\t\t\tFirebase project\tA remote host that FIREBASE_AUTH_EMULATOR_HOST may name. All requests to it use plain http.
        --api-host\thost\tor\t\t\tFirebase project\tA host that 'authctl request' may send the project's token to; repeatable, '' removes all.
        """
}
