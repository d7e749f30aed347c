import AuthCore

/// A value of `serve --allow`: one session whose token clients of the socket can get.
struct AllowedToken: Sendable, Equatable {
    var provider: String
    var resource: HTTPURL?
    var account: String?

    private static let keys = ["provider", "resource", "account"]

    /// Reads `provider=ID[,resource=URL][,account=A]`.
    init(_ text: String) throws {
        var values: [String: String] = [:]
        func fail(_ problem: String) -> UsageProblem {
            .other(
                "invalid value of --allow '\(shown: text)': \(shown: problem)",
                hint: "the form is provider=ID,resource=URL,account=A, and only the provider is required")
        }
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2 else { throw fail("'\(part)' is not key=value") }
            guard AllowedToken.keys.contains(sides[0]) else { throw fail("unknown key '\(sides[0])'") }
            guard !sides[1].isEmpty else { throw fail("\(sides[0]) has no value") }
            guard values.updateValue(sides[1], forKey: sides[0]) == nil else { throw fail("\(sides[0]) is repeated") }
        }
        guard let provider = values["provider"] else { throw fail("provider is missing") }
        self.provider = Dialect.id(called: provider)
        if let url = values["resource"] {
            guard let resource = try? HTTPURL(url) else { throw fail("'\(url)' is not a URL") }
            self.resource = resource
        }
        account = values["account"]
    }

    /// The value as the user types it.
    var text: String {
        "provider=\(provider)" + (resource.map { ",resource=\($0.text)" } ?? "")
            + (account.map { ",account=\($0)" } ?? "")
    }

    var request: CurrentToken.Request {
        var request = CurrentToken.Request()
        request.kind = .access
        (request.provider, request.resource, request.account) = (provider, resource, account)
        return request
    }
}
