import ArgumentParser
import Testing

@testable import authctl

/// Which options of `signin`, `link` and `reauth` can be used together.
@Suite struct `Sign-in options` {
    @Test(arguments: [
        ("signin --pending --provider github.com", "--provider cannot be used with --pending"),
        ("signin --pending --link-pending", "--link-pending cannot be used with --pending"),
        ("signin --provider github.com --consent", "--consent requires --resource or --link-pending"),
        ("signin --custom-token - --provider github.com", "--provider cannot be used with --custom-token"),
        ("signin --custom-token - --dpop", "--dpop cannot be used with --custom-token"),
        ("signin --ci auto --id-token -", "--id-token cannot be used with --ci"),
        ("signin --ci auto --par", "--par cannot be used with --ci"),
        ("signin --ci auto --dpop", "--dpop with --ci requires --exchange"),
        ("signin --audience x", "--audience requires --ci"),
        ("signin --ci auto --exchange-by jwt-bearer", "--exchange-by requires --exchange"),
        ("signin --resource https://a.example --email a@b.example", "--email cannot be used with --resource"),
        (
            "signin --resource https://a.example --provider password",
            "--resource cannot be used with --provider password"
        ),
        ("signin --resource https://a.example --complete x", "--resource cannot be used with --complete"),
        ("signin --resource https://a.example --param resource=x", "--resource cannot be used with --param resource"),
        ("signin --client-metadata https://a.example", "--client-metadata requires --resource"),
        ("signin --complete x --provider github.com", "--provider cannot be used with --complete"),
        ("signin --complete x --begin", "--begin cannot be used with --complete"),
        ("signin --provider password --begin", "--begin cannot be used with --provider password"),
        ("signin --provider password --dpop", "--dpop cannot be used with --provider password"),
        ("signin --provider password --scope x", "--scope cannot be used with --provider password"),
        ("signin --provider anonymous --link-pending", "--link-pending cannot be used with --provider anonymous"),
        ("signin --provider emailLink --create", "--create cannot be used with --provider emailLink"),
        ("signin --provider emailLink --code - --begin", "--begin cannot be used with --code"),
        ("signin --provider emailLink --id-token -", "--id-token cannot be used with --provider emailLink"),
        ("signin --email a@b.example", "--email requires --provider password or --provider emailLink"),
        ("signin --nonce x", "--nonce requires --id-token"),
        ("signin --id-token - --access-token -", "--access-token cannot be used with --id-token"),
        ("signin --id-token - --par", "--par cannot be used with --id-token"),
        ("signin --flow device --begin", "--begin cannot be used with --flow device"),
        ("signin --use-device-code --par", "--par cannot be used with --flow device"),
        ("signin --flow client-credentials --complete x", "--flow cannot be used with --complete"),
        ("link --pending --provider github.com", "--provider cannot be used with --pending"),
        ("link --provider github.com --password-stdin", "--password-stdin requires --provider password"),
        ("link --provider password --id-token -", "--id-token cannot be used with --provider password"),
        ("reauth --code -", "--code requires --provider emailLink"),
        ("reauth --custom-token - --password-stdin", "--password-stdin cannot be used with --custom-token"),
    ])
    func `options that cannot be used together are refused`(command: String, message: String) {
        do {
            _ = try Authctl.parseAsRoot(command.split(separator: " ").map(String.init))
            Issue.record("accepted")
        } catch {
            #expect(Authctl.message(for: error).hasPrefix(message))
        }
    }

    @Test(arguments: [
        "signin --provider google.com --scope a --dpop --par --begin", "signin --link-pending --consent",
        "signin --ci github --exchange oidc.a --dpop --scope b", "signin --provider password --create --no-browser",
        "signin --provider emailLink --email a@b.example --begin", "signin --complete x --link-pending",
        "signin --resource https://a.example --provider oidc.a --consent --flow device",
        "link --provider password --email a@b.example --password-stdin", "link --pending --consent",
        "reauth --password-stdin", "reauth --provider password --password-stdin", "reauth --custom-token -",
    ])
    func `the options of one sign-in method are accepted`(command: String) {
        #expect(throws: Never.self) { try Authctl.parseAsRoot(command.split(separator: " ").map(String.init)) }
    }
}
