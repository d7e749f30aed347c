/// The result of one check.
struct Finding: Sendable {
    enum State: String, Sendable {
        case ok, note, wrong
    }

    let name: String
    let state: State
    let detail: String
    var remedy: Hint?
    /// The provider that it is about; nil for this machine.
    var subject: String?
    /// Whether an earlier problem prevented the check.
    var isUnchecked = false
    var isFine: Bool { state == .ok }

    func about(_ subject: String?) -> Finding {
        var finding = self
        finding.subject = subject
        return finding
    }

    func repeating(_ given: RepeatedOptions) -> Finding {
        var finding = self
        finding.remedy = remedy?.forUser(given)
        return finding
    }

    static func ok(_ name: String, _ detail: String) -> Finding { Finding(name: name, state: .ok, detail: detail) }

    static func note(_ name: String, _ detail: String, _ remedy: Hint? = nil) -> Finding {
        Finding(name: name, state: .note, detail: detail, remedy: remedy)
    }

    static func wrong(_ name: String, _ detail: String, _ remedy: Hint?) -> Finding {
        Finding(name: name, state: .wrong, detail: detail, remedy: remedy)
    }

    static func wrong(_ name: String, error: any Error, provider: String? = nil) -> Finding {
        let failure = Failure(error, while: ErrorContext(provider: provider))
        return .wrong(name, failure.message, failure.hint)
    }
}
