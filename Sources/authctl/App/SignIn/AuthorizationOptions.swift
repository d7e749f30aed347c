import ArgumentParser
import AuthCore

struct AuthorizationOptions: ParsableArguments {
    @Option(help: "Also request this scope; repeatable, or separated by commas or spaces.")
    var scope: [String] = []

    @Option(help: .init("Send this parameter to the provider; repeatable.", valueName: "key=value"))
    var param: [String] = []

    @Option(help: .init("The user who is expected to sign in, for example an email address.", valueName: "email"))
    var loginHint: String?

    @Option(help: "The prompts that the provider shows: login, consent, select_account or none.")
    var prompt: String?

    @Option(
        help: .init("The maximum age of the user's sign-in at the provider, for example 90 or 5m.", valueName: "time"))
    var maxAge: TimeSpan?

    @Option(help: .init("Accept only these authentication context classes (acr).", valueName: "values"))
    var acr: String?

    @Flag(help: "Use a pushed authorization request (PAR, RFC 9126).")
    var par = false

    @Flag(help: "Bind tokens to a local key (DPoP, RFC 9449), so that a stolen token cannot be used.")
    var dpop = false

    @Option(help: .init("The language of the provider's pages, for example de or pt-BR.", valueName: "tag"))
    var language: String?

    @Option(help: "At microsoft.com: a tenant's GUID or domain, common, organizations or consumers.")
    var tenant: String?

    var given: GivenOptions {
        [
            "--scope": scope, "--param": param, "--login-hint": loginHint, "--prompt": prompt, "--max-age": maxAge,
            "--acr": acr, "--par": par, "--dpop": dpop, "--language": language, "--tenant": tenant,
        ]
    }
}
