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
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        func fail(_ problem: String, _ corrected: [String]? = nil) -> UsageProblem {
            let value = corrected?.joined(separator: ",") ?? "provider=ID"
            return .value(
                text, of: "--allow", problem, corrected: value,
                otherwise: "authctl serve --socket FILE --allow \(value)")
        }
        for (index, part) in parts.enumerated() {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            func replacing(_ new: String) -> [String] {
                parts.enumerated().map { $0.offset == index ? new : $0.element }
            }
            guard sides.count == 2 else {
                let isProvider = index == 0 && (try? ProviderID(Dialect.id(called: part))) != nil
                throw fail("'\(part)' is not key=value", isProvider ? replacing("provider=\(part)") : nil)
            }
            guard AllowedToken.keys.contains(sides[0]) else {
                let near = Spelling.suggestions(for: sides[0], among: AllowedToken.keys).first
                throw fail("unknown key '\(sides[0])'", near.map { replacing("\($0)=\(sides[1])") })
            }
            guard !sides[1].isEmpty else { throw fail("\(sides[0]) has no value") }
            guard values.updateValue(sides[1], forKey: sides[0]) == nil else { throw fail("\(sides[0]) is repeated") }
        }
        guard let provider = values["provider"] else { throw fail("provider is missing", ["provider=ID", text]) }
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
