import ArgumentParser
import Testing

@testable import authctl

@Suite struct `Command lines of former versions` {
    @Test(arguments: documented)
    func `a command line that 0.1.0 or 0.2.0 documented is accepted, and runs the same command`(line: String) throws {
        let words = try #require(Shell.split(line))
        let place = CommandPlace(of: FormerCommands.renamed(in: CommandPlace.commandFirst(words)))
        let expected = Self.renamed.first { line == $0.key || line.hasPrefix($0.key + " ") }?.value
        #expect(place.path.joined(separator: " ") == expected ?? words.prefix(place.path.count).joined(separator: " "))
        let command = try Authctl.parseAsRoot(FormerCommands.renamed(in: CommandPlace.commandFirst(words)))
        #expect(command is any Command)
    }

    @Test(arguments: ["login": "signin", "logout": "signout"])
    func `the aliases of former versions are the same commands`(alias: String, name: String) {
        #expect(CommandPlace(of: [alias]).path == [name])
    }

    @Test func `neither the help nor a completion shows a former name`() {
        let screens = ([CommandPlace()] + CommandPlace.all).map { Help($0, columns: 80, extent: .all).text }
        let scripts = [CompletionShell.bash, .zsh, .fish].map { CompletionScript<Authctl>.text(for: $0) }
        for name in Self.renamed.keys where name.contains(" ") {
            let isShown = (screens + scripts).contains { $0.contains("authctl \(name)") }
            #expect(!isShown, "\(name)")
        }
    }

    /// The former names, and the commands that have their work now.
    private static let renamed = [
        "credential install": "use", "credential list": "use", "credential uninstall": "use", "profile lock": "vault",
        "profile unlock": "vault", "login": "signin", "logout": "signout",
    ]

    /// From README, docs and the manual at 0.1.0 and 0.2.0.
    private static let documented = """
        accounts delete
        accounts delete --reauth
        accounts delete --yes
        accounts delete --yes --reauth
        accounts delete ada@example.com --here --yes
        accounts export
        accounts export --reauth
        accounts export --reauth --with-secrets
        accounts export --with-secrets --reauth
        accounts import - --profile work
        accounts import accounts.json
        accounts list
        accounts list --field accounts.0.uid
        accounts lookup ada@example.com
        accounts lookup ada@example.com --json
        accounts name --remove work
        accounts name work
        accounts reload
        accounts reload --field account.emailVerified
        accounts reset-password ada@example.com
        accounts reset-password ada@example.com --code - --password-stdin
        accounts reset-password linus@example.com
        accounts reset-password linus@example.com --code - --password-stdin
        accounts set-email ada@example.org
        accounts set-email ada@example.org --reauth
        accounts set-email alan.turing@example.com
        accounts set-name 'Ada Lovelace'
        accounts set-name --clear
        accounts set-name Ada
        accounts set-password
        accounts set-password --password-stdin
        accounts set-password --reauth
        accounts set-photo --clear
        accounts set-photo https://example.com/ada.png
        accounts show
        accounts show kX2mPq8vYt --field account.email
        accounts switch
        accounts switch ada@example.com
        accounts switch grace@example.com
        accounts switch work
        accounts verify-email
        accounts verify-email --code -
        completion bash
        completion fish
        credential aws --provider oidc.work --role-arn arn:aws:iam::123456789012:role/deploy
        credential docker get
        credential git get
        credential install aws --provider oidc.work --role-arn arn:aws:iam::123456789012:role/ci --name ci
        credential install aws --provider oidc.work --role-arn arn:aws:iam::123456789012:role/deploy
        credential install docker --host ghcr.io
        credential install docker --host ghcr.io --bin-dir ~/.local/bin
        credential install git
        credential install kubectl --provider oidc.work
        credential install kubectl --provider oidc.work --name ada
        credential install mcp --resource https://mcp.example.com/api --name notes
        credential install mcp --resource https://mcp.example.com/mcp
        credential kubectl
        credential kubectl --provider oidc.work
        credential mcp https://mcp.example.com/api
        credential mcp https://mcp.example.com/mcp
        credential netrc api.example.com
        credential netrc github.com --provider github.com
        credential uninstall docker --bin-dir ~/.local/bin
        credential uninstall docker --host ghcr.io
        credential uninstall git
        doctor
        doctor --report
        exec -- make
        exec --as API_TOKEN -- ./publish.sh
        exec --provider github.com --as GITHUB_TOKEN -- npm publish
        exec --renew -- ./server
        link
        link --pending
        link --provider github.com
        link --provider microsoft.com
        link --provider password --email ada@example.com
        link --provider password --email lin@example.com --password-stdin
        login --provider github
        login --provider github --with-token
        pending discard
        pending discard p7Rk2w
        pending list
        pending list --json
        profile import -
        profile import config.js
        profile import google-services.json
        profile list
        profile list --json
        profile lock
        profile lock --config-dir ~/.config/authctl-work
        profile set --api-host https://api.example.com
        profile set --directory firebase --api-key AIzaExample --project-id demo-project
        profile set --vault file
        profile set --vault keyring
        profile set --vault passphrase
        profile unlock
        profile unlock --for 30m
        profile unlock --for 8h
        profile use staging --create
        profile use work
        profile use work --create
        providers add apple.com --client-id com.example.signin --team-id TEAM123456 --key-id KEY1234567 --private-key AuthKey_KEY1234567.p8 --redirect-uri https://signin.example.com/apple/callback
        providers add facebook.com --client-id 123456789012345 --client-secret-stdin
        providers add github.com --client-id Ov23liEXAMPLE
        providers add github.com --client-id Ov23liEXAMPLE --client-secret-file github-secret
        providers add github.com --client-id Ov23liEXAMPLE --client-secret-file secret
        providers add github.com --client-id Ov23liEXAMPLE --client-secret-file secret --scope read:user,user:email,read:packages
        providers add github.com --client-id Ov23liEXAMPLE --client-secret-stdin
        providers add github.com --client-id Ov23liExample
        providers add github.com --client-id Ov23liExample --base-url https://github.example.com
        providers add github.com --client-id Ov23liExample --client-secret-stdin
        providers add google.com --client-id 1234-abc.apps.googleusercontent.com --client-secret-file google-secret
        providers add google.com --client-id 1234-abc.apps.googleusercontent.com --client-secret-stdin
        providers add microsoft.com --client-id 00001111-aaaa-2222-bbbb-3333cccc4444
        providers add oidc.bank --issuer https://bank.example.com --client-id my-client --private-key key.pem --fapi2
        providers add oidc.bank --issuer https://id.example.com --client-id my-client --certificate ~/client.pem --private-key ~/client.key
        providers add oidc.gitlab --preset gitlab --issuer https://gitlab.com --client-id 0a1b2c
        providers add oidc.okta --preset okta --issuer https://dev-1.okta.com --client-id 0oaEXAMPLE
        providers add oidc.shop --issuer https://shop.example.com --client-id my-client --private-key key.pem --fapi2
        providers add oidc.sso --preset keycloak --issuer https://sso.example.com/realms/work --client-id authctl
        providers add oidc.typo --issuer https://id.example.com/ --client-id my-client
        providers add oidc.work --issuer https://id.example.com --client-id kubernetes
        providers add oidc.work --issuer https://id.example.com --client-id kubernetes --scope openid,email
        providers add oidc.work --issuer https://id.example.com --client-id my-client
        providers add oidc.work --issuer https://id.example.com --client-id my-client --api-host api.example.com
        providers add oidc.work --issuer https://id.example.com --client-id my-client --private-key client.pem
        providers add oidc.work --issuer https://id.example.com --client-id sts.amazonaws.com
        providers add oidc.work --issuer https://id.example.com --register
        providers add twitter.com --client-id bXktY2xpZW50
        providers check
        providers check oidc.bank
        providers check oidc.work
        providers check oidc.work --verbose
        providers discover https://api.example.com/
        providers discover https://id.example.com/api --field issuer
        providers discover https://id.example.com/api/notes
        providers discover https://mcp.example.com/mcp --field issuer
        providers export oidc.work
        providers list
        providers list --field providers.0.clientId
        providers remove oidc.work
        providers remove oidc.work --profile staging
        providers set github.com --api-host ghcr.io
        providers set github.com --client-secret-stdin
        providers set github.com --scope read:user,user:email,repo
        providers set google.com --client-secret-stdin
        providers set oidc.work --api-host api.example.com
        providers set oidc.work --par
        providers set oidc.work --unset scope --scope openid --scope email
        providers show github.com
        providers show microsoft.com
        providers show oidc.work
        reauth
        reauth --provider github.com
        reauth --provider github.com --flow device
        request https://api.example.com/hello
        request https://api.example.com/me
        request https://api.example.com/notes --data note.json -H 'Content-Type: application/json'
        request https://api.github.com/user
        request https://api.x.com/2/users/me
        request https://graph.microsoft.com/v1.0/me
        request https://id.example.com/api/notes
        request https://id.example.com/api/write --step-up
        request https://id.example.com/userinfo
        setup
        setup apple.com
        setup facebook.com
        setup github.com
        setup google.com
        setup https://id.example.com
        setup microsoft.com
        setup microsoft.com --json
        setup twitter.com
        signin
        signin --begin
        signin --ci auto
        signin --ci auto --audience https://api.example.com
        signin --ci github --audience https://api.example.com --require repository_owner_id=87882619
        signin --ci github --audience https://id.example.com --exchange oidc.deploy
        signin --ci gitlab --audience https://api.example.com --require namespace_id=87882619
        signin --custom-token custom-token
        signin --flow client-credentials
        signin --flow device
        signin --flow paste
        signin --json
        signin --link-pending
        signin --pending
        signin --provider anonymous
        signin --provider apple.com --id-token id-token --nonce ada-nonce-1
        signin --provider apple.com --port 8400
        signin --provider emailLink --email ada@example.com
        signin --provider emailLink --email hedy@example.com --begin
        signin --provider emailLink --email hedy@example.com --code - --totp-stdin
        signin --provider emailLink --email hedy@example.com --code link
        signin --provider facebook.com
        signin --provider facebook.com --access-token access-token
        signin --provider facebook.com --id-token id-token --nonce raw-nonce-1
        signin --provider github.com
        signin --provider github.com --flow device
        signin --provider github.com --prompt select_account
        signin --provider github.com --scope repo
        signin --provider github.com --scope repo,read:org
        signin --provider github.com --web
        signin --provider google.com
        signin --provider google.com --link-pending
        signin --provider google.com --param hd=example.com
        signin --provider microsoft.com
        signin --provider microsoft.com --scope User.Read
        signin --provider microsoft.com --scope User.Read --param prompt=consent
        signin --provider oidc.bank
        signin --provider oidc.gitlab
        signin --provider oidc.nowhere
        signin --provider oidc.okta
        signin --provider oidc.sso
        signin --provider oidc.test
        signin --provider oidc.work
        signin --provider oidc.work --dpop
        signin --provider oidc.work --flow client-credentials
        signin --provider oidc.work --flow device
        signin --provider oidc.work --par --no-input --begin
        signin --provider oidc.work --scope calendar.read --no-browser
        signin --provider password --create
        signin --provider password --email alan@example.com --password-stdin --create
        signin --provider password --email grace@example.com --password-stdin --create
        signin --provider password --email linus@example.com --password-stdin
        signin --provider password --email linus@example.com --password-stdin --create
        signin --provider twitter.com
        signin --resource https://id.example.com/api
        signin --resource https://id.example.com/api --scope notes.read
        signin --resource https://mcp.example.com/api
        signin --resource https://mcp.example.com/mcp
        signout
        signout --account ada@example.com
        signout --all
        signout --all --revoke
        signout --retry
        signout --revoke
        status
        status --field accounts.0.sessions.0.binding
        status --json
        status --provider github.com --json
        token
        token --env
        token --exchange oidc.id.example.com --audience https://orders.example.com
        token --exchange oidc.work --audience https://api.example.com
        token --force-refresh
        token --header
        token --no-input
        token --passphrase-fd 3
        token --proof GET https://id.example.com/userinfo
        token --provider facebook.com
        token --provider github.com
        token --provider google.com --type id
        token --provider microsoft.com
        token --provider oidc.work
        token --provider oidc.work --min-ttl 600
        token --provider oidc.work --type id --min-ttl 5m
        token --type id
        unlink --provider github.com
        unlink --provider github.com --reauth
        unlink --provider google.com
        unlink --provider microsoft.com
        unlink --provider password --reauth
        verify -
        verify - --jwks keys.json --signature-only
        verify --introspect --provider oidc.work token.txt
        verify id-token --issuer https://accounts.google.com --audience 1234-abc.apps.googleusercontent.com
        verify id-token --issuer https://id.example.com --audience somebody-else
        verify token.txt --issuer https://id.example.com --audience my-api
        whoami
        whoami --account work --field account.email
        whoami --field account.email
        whoami --field account.uid
        whoami --field claims.role
        """.split(separator: "\n").map(String.init)
}
