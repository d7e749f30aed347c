/// What a Firebase project refuses with.
package enum FirebaseError: Error, Sendable, Equatable {
    /// A code of the Identity Toolkit, such as `EMAIL_EXISTS`, and what it says besides, safe to show.
    case refused(code: String, detail: ServerText?)
    /// The API key is not one, or is not for this.
    case apiKey(ServerText)
    /// The project has the service switched off.
    case serviceDisabled(ServerText)
    /// The project enforces App Check.
    /// - Parameter hadToken: one was sent, and refused.
    case appCheck(hadToken: Bool)
    /// A second factor is wanted, and cannot be shown.
    case secondFactor(SecondFactor.Problem)
    /// The address changes to this one once the link in a mail is followed.
    case emailNeedsVerification(String)
    case invalidResponse(Fault)
    /// The official emulator has no such call (status 501).
    case notThere(call: String)

    /// What is wrong with an answer that cannot be used.
    package enum Fault: Sendable, Equatable {
        /// An error that says nothing.
        case noMessage(status: Int)
        /// The body is no JSON object.
        case noObject(status: Int)
        case missing(String)
        /// Not all of those that belong together.
        case noTokens
        /// `users` has none, or several.
        case notOneAccount
        /// A member tells of somebody who was not asked about.
        case otherAccount(String)
        /// `localId` is not there, or no identifier.
        case noUID
        /// A provider's ID that none may have.
        case noProviderID
        /// `authUri` is no page that a person may be sent to.
        case insecurePage
        /// `authUri` has nothing that its answer could be known by.
        case pageWithoutMark
    }

    /// Reads an error body: the code ends at the first colon, and the spacing around it varies.
    /// - Parameters:
    ///   - secrets: what the request carried: messages quote tokens and nonces.
    ///   - hasAppCheck: it carried a token of App Check.
    init(_ body: JSONObject, status: Int, secrets: [String], hasAppCheck: Bool = false) {
        let error = body["error"]?.object
        guard let message = error?["message"]?.string ?? body["error"]?.string else {
            self = .invalidResponse(.noMessage(status: status))
            return
        }
        // Nobody but App Check asks a client who it is: an API key is refused with other statuses.
        if status == 401, error?["status"] == "UNAUTHENTICATED" {
            self = .appCheck(hadToken: hasAppCheck)
            return
        }
        let reasons = (error?["details"]?.array ?? []).compactMap { $0.object?["reason"]?.string }
        if reasons.contains("SERVICE_DISABLED") {
            self = .serviceDisabled(ServerText(message, secrets: secrets))
            return
        }
        if reasons.contains("API_KEY_INVALID") || reasons.contains("API_KEY_SERVICE_BLOCKED")
            || error?["status"] == "PERMISSION_DENIED"
        {
            self = .apiKey(ServerText(message, secrets: secrets))
            return
        }
        self = FirebaseError(message: message, secrets: secrets)
    }

    init(message: String, secrets: [String]) {
        let halves = message.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let code = String(halves[0]).trimmingSpaces()
        let detail = halves.count == 2 ? String(halves[1]).trimmingSpaces() : ""
        let isCode =
            !code.isEmpty && code.utf8.count <= 64
            && code.utf8.allSatisfy { $0.isUppercaseLetter || $0.isDigit || $0 == 0x5F }
        self = .refused(
            code: isCode ? code : "UNKNOWN",
            detail: detail.isEmpty
                ? (isCode ? nil : ServerText(message, secrets: secrets)) : ServerText(detail, secrets: secrets))
    }

    /// The code of a refusal.
    var code: String? { if case .refused(let code, _) = self { code } else { nil } }

    /// True for what says nothing of the session: it may go another time, or was never the project's answer.
    var isPassing: Bool {
        switch self {
        case .refused(let code, _): code == "TOO_MANY_ATTEMPTS_TRY_LATER" || code == "QUOTA_EXCEEDED"
        case .invalidResponse(.noObject): true
        default: false
        }
    }

    /// Codes that mean that the session is over, whatever was asked.
    static let endsSession: Set<String> = [
        "TOKEN_EXPIRED", "USER_NOT_FOUND", "USER_DISABLED", "INVALID_ID_TOKEN", "INVALID_REFRESH_TOKEN",
        "MISSING_REFRESH_TOKEN",
    ]
}
