import AuthCore

extension CatalogError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let place = path.map { "'\(shown: $0)'\(line.map { " line \($0)" } ?? ""): " } ?? ""
        return .init(message: place + fault.message)
    }
}

extension CatalogError.Fault {
    fileprivate var message: String {
        switch self {
        case .file(let reason): reason.message
        case .content(let fault): fault.message
        case .key(let key): "unknown key '\(shown: key)'"
        case .value(let key): "'\(key)' has an invalid value"
        case .setting(let key, let fault): "\(key): \(fault.message)"
        case .taken(let what): "'\(shown: what)' is part of authctl's own catalog"
        }
    }
}

extension CatalogEntry.Question {
    /// Why an answer cannot be used; follows the answer.
    var problem: String {
        if let form { return "does not have the form \(form)" }
        return switch kind {
        case .host: "is not a domain, such as id.example.com"
        case .url: "is not a URL, such as https://id.example.com/path"
        case .label: "has other characters than letters, digits, - and _"
        case .segment: "has other characters than letters, digits, -, _, . and ~"
        }
    }
}
