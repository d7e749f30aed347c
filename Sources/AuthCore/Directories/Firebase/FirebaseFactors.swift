extension IdentityToolkit {
    private static let tries = 3

    /// Presents the second factor, and returns the first factor's response with the tokens (Identity Toolkit API v2,
    /// `mfaSignIn:finalize`).
    func completed(_ response: JSONObject, pending: PendingToken) async throws -> JSONObject {
        let enrolled = (response["mfaInfo"]?.array ?? []).compactMap(\.object)
        let apps = enrolled.compactMap { factor -> SecondFactor.App? in
            guard factor["totpInfo"] != nil, let id = factor["mfaEnrollmentId"]?.string else { return nil }
            return SecondFactor.App(enrollmentID: id, name: factor["displayName"]?.string)
        }
        guard !apps.isEmpty else {
            throw FirebaseError.secondFactor(enrolled.contains { $0["phoneInfo"] != nil } ? .phone : .unknown)
        }
        for attempt in 1...IdentityToolkit.tries {
            let factor = SecondFactor(apps: apps, isRetry: attempt > 1)
            guard let given = try secondFactor(factor) else { break }
            do {
                let tokens = try await finalized(given, apps: apps, for: pending)
                var whole = response
                for name in ["mfaPendingCredential", "mfaInfo"] { whole[name] = nil }
                whole.merge(tokens)
                return whole
            } catch let error as FirebaseError where error.projectCode == "INVALID_CODE" {
                guard given.isTyped, attempt < IdentityToolkit.tries else { throw error }
            }
        }
        throw FirebaseError.secondFactor(.interactionRequired)
    }

    /// A code without a factor's ID is tried with each authenticator app.
    private func finalized(
        _ given: SecondFactor.EnteredCode, apps: [SecondFactor.App], for pending: PendingToken
    ) async throws -> JSONObject {
        var tried = given.app.map { [apps[$0]] } ?? apps
        while true {
            let app = tried.removeFirst()
            do {
                return try await call(
                    "mfaSignIn:finalize", of: "accounts/", version: "v2",
                    with: [
                        "mfaEnrollmentId": .string(app.enrollmentID),
                        "totpVerificationInfo": ["verificationCode": .string(given.code.revealed())],
                    ], secret: ["mfaPendingCredential": pending.revealed()], hiding: [given.code.revealed()])
            } catch let error as FirebaseError where error.projectCode == "INVALID_CODE" && !tried.isEmpty {}
        }
    }
}
