import Testing

@testable import AuthCore

/// The rules that decide which stored session a caller may use.
@Suite struct `The session rule` {
    struct Stored: SessionCandidate, Equatable, CustomStringConvertible {
        let accountUID: String
        let providerID: String
        var resource: HTTPURL?
        var isDefault = false

        var description: String { "\(accountUID)@\(providerID)\(resource.map { " for \($0.text)" } ?? "")" }
    }

    /// "ada@github.com", "ada@github.com as default" or "ada@oidc.a for https://api.example.com/a".
    private static func stored(_ text: String) throws -> Stored {
        let parts = text.split(separator: " for ", maxSplits: 1).map(String.init)
        let name = parts[0].split(separator: "@").map(String.init)
        let (provider, mark) = (name[1].replacing(" as default", with: ""), name[1].hasSuffix(" as default"))
        return Stored(
            accountUID: name[0], providerID: provider, resource: try parts.count == 2 ? HTTPURL(parts[1]) : nil,
            isDefault: mark)
    }

    private static func text(_ outcome: SessionRule.Outcome<Stored>) -> String {
        switch outcome {
        case .session(let session, let isOfOther): "\(session)\(isOfOther ? " (other account)" : "")"
        case .none: "none"
        case .severalProviders(let ids): "several providers: \(ids.joined(separator: " "))"
        case .severalAccounts(let provider, let uids): "several accounts at \(provider): \(uids.joined(separator: " "))"
        case .onlyForResources(let sessions): "only for resources: \(sessions.count)"
        case .passwordOnly: "password only"
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let stored: [String]
        var named: String?
        var current: String? = "ada"
        var providers: [String]?
        var resource: String?
        var isSubject = false
        let outcome: String

        var testDescription: String { "\(stored) \(providers ?? []) \(resource ?? "") → \(outcome)" }
    }

    private static let api = "https://api.example.com"
    private static let a = "ada@oidc.a for https://api.example.com/a"
    private static let ab = "ada@oidc.a for https://api.example.com/a/b"

    static let cases = [
        // Neither an account nor a provider is named.
        Case(stored: [], outcome: "none"),
        Case(stored: [], current: nil, outcome: "none"),
        Case(stored: ["ada@github.com"], outcome: "ada@github.com"),
        Case(stored: ["ada@github.com"], current: nil, outcome: "none"),
        Case(stored: ["bob@github.com"], outcome: "none"),
        Case(stored: ["ada@github.com", "ada@oidc.a"], outcome: "several providers: github.com oidc.a"),
        Case(stored: ["ada@github.com", "ada@oidc.a as default"], outcome: "ada@oidc.a"),
        Case(stored: ["ada@github.com", "bob@oidc.a as default"], outcome: "ada@github.com"),
        Case(stored: [a, "ada@github.com as default", "ada@oidc.b"], outcome: "ada@github.com"),
        Case(stored: ["ada@github.com as default", "ada@oidc.a"], providers: ["oidc.a"], outcome: "ada@oidc.a"),
        Case(stored: ["ada@github.com as default", "ada@oidc.a"], providers: ["oidc.b"], outcome: "none"),
        Case(stored: ["ada@github.com", "ada@firebase", "ada@oidc.a"], outcome: "ada@firebase"),
        Case(stored: ["ada@github.com as default", "ada@firebase"], outcome: "ada@firebase"),
        Case(stored: ["ada@password"], outcome: "password only"),
        Case(stored: ["ada@password", "ada@github.com"], outcome: "ada@github.com"),
        Case(stored: [a], outcome: "only for resources: 1"),
        Case(stored: [a, ab], outcome: "only for resources: 2"),
        Case(stored: [a, "ada@oidc.a"], outcome: "ada@oidc.a"),
        Case(stored: [a, "ada@github.com"], outcome: "ada@github.com"),
        Case(stored: [a, "ada@password"], outcome: "only for resources: 1"),
        Case(stored: [a, "bob@oidc.a"], outcome: "only for resources: 1"),
        // A provider is named.
        Case(stored: ["ada@github.com", "bob@github.com"], providers: ["github.com"], outcome: "ada@github.com"),
        Case(stored: ["bob@github.com"], providers: ["github.com"], outcome: "bob@github.com (other account)"),
        Case(
            stored: ["ada@oidc.a", "bob@github.com"], providers: ["github.com"],
            outcome: "bob@github.com (other account)"),
        Case(
            stored: ["bob@github.com", "eve@github.com"], providers: ["github.com"],
            outcome: "several accounts at github.com: bob eve"),
        // Without a current account, for example after a sign-out.
        Case(stored: ["bob@github.com"], current: nil, providers: ["github.com"], outcome: "none"),
        Case(stored: ["ada@oidc.a", "bob@oidc.b"], providers: ["github.com"], outcome: "none"),
        Case(stored: [a], providers: ["oidc.a"], outcome: "only for resources: 1"),
        Case(stored: [a, "bob@oidc.a"], providers: ["oidc.a"], outcome: "bob@oidc.a (other account)"),
        Case(stored: ["bob@oidc.a for \(api)/a"], providers: ["oidc.a"], outcome: "none"),
        Case(stored: ["ada@password"], providers: ["password"], outcome: "password only"),
        // An account is named: sessions of other accounts are not used, not even of the current one.
        Case(stored: ["ada@github.com", "bob@github.com"], named: "bob", outcome: "bob@github.com"),
        Case(stored: ["ada@github.com"], named: "bob", providers: ["github.com"], outcome: "none"),
        Case(stored: ["ada@github.com"], named: "bob", outcome: "none"),
        Case(stored: ["bob@oidc.a for \(api)/a"], named: "bob", outcome: "only for resources: 1"),
        // Several providers may have the host, in the user's order.
        Case(stored: ["ada@oidc.b", "ada@oidc.a"], providers: ["oidc.a", "oidc.b"], outcome: "ada@oidc.a"),
        Case(stored: ["ada@oidc.b", "bob@oidc.a"], providers: ["oidc.a", "oidc.b"], outcome: "ada@oidc.b"),
        Case(
            stored: ["bob@oidc.b", "bob@oidc.a"], providers: ["oidc.a", "oidc.b"],
            outcome: "bob@oidc.a (other account)"),
        Case(
            stored: ["bob@oidc.b", "eve@oidc.a"], providers: ["oidc.a", "oidc.b"],
            outcome: "several accounts at oidc.a: bob eve"),
        // A URL is named: a session for its resource is required.
        Case(stored: [a, ab], resource: "\(api)/a/b/c", outcome: ab),
        Case(stored: [a, ab], resource: "\(api)/a/c", outcome: a),
        Case(stored: [a, ab, "ada@oidc.a"], resource: "\(api)/c", outcome: "none"),
        Case(stored: [a], resource: "https://evil.example/a", outcome: "none"),
        Case(stored: [a], resource: "\(api)/a/../c", outcome: "none"),
        Case(
            stored: [a, "ada@oidc.b for \(api)/a"], resource: "\(api)/a", outcome: "several providers: oidc.a oidc.b"),
        Case(stored: [a, "ada@oidc.b for \(api)/a"], providers: ["oidc.a"], resource: "\(api)/a", outcome: a),
        Case(stored: ["bob@oidc.a for \(api)/a"], resource: "\(api)/a", outcome: "none"),
        Case(stored: ["bob@oidc.a for \(api)/a"], current: nil, resource: "\(api)/a", outcome: "none"),
        Case(stored: ["bob@oidc.a for \(api)/a"], providers: ["oidc.a"], resource: "\(api)/a", outcome: "none"),
        Case(
            stored: ["bob@oidc.a for \(api)/a"], named: "bob", resource: "\(api)/a",
            outcome: "bob@oidc.a for \(api)/a"),
        // The subject of an exchange may be the only session for a resource.
        Case(stored: [a], isSubject: true, outcome: a),
        Case(stored: [a, ab], isSubject: true, outcome: "only for resources: 2"),
        Case(stored: [a, "ada@oidc.a"], isSubject: true, outcome: "ada@oidc.a"),
        Case(stored: ["bob@oidc.a for \(api)/a"], providers: ["oidc.a"], isSubject: true, outcome: "none"),
    ]

    @Test(arguments: cases)
    func `The session rule chooses by account, provider and resource, in any order of sessions`(example: Case) throws {
        let rule = SessionRule(
            named: example.named, current: example.current, providers: example.providers,
            resource: try example.resource.map { try HTTPURL($0) }, acceptsResourceSession: example.isSubject)
        let stored = try example.stored.map(Self.stored)
        #expect(Self.text(rule(stored)) == example.outcome)
        #expect(Self.text(rule(stored.reversed())).count == example.outcome.count, "in reverse order")
    }
}
