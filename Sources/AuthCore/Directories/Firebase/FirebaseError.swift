/// An error of a Firebase project.
package enum FirebaseError: CodedError, Sendable, Equatable {
    case refused(code: String, detail: ServerText?)
    case apiKey(ServerText)
    case serviceDisabled(ServerText)
    case appCheck(hadToken: Bool)
    /// The project requires a second factor that cannot be presented.
    case secondFactor(SecondFactor.Problem)
    case emailNeedsVerification(String)
    case invalidResponse(Fault)
    case noSuchCall(call: String)

    package var code: ErrorCode {
        switch self {
        case .refused(let code, _): FirebaseError.codes[code] ?? .internalError
        case .apiKey: isBlocked ? .appNotAuthorized : .invalidAPIKey
        case .serviceDisabled: .invalidConfiguration
        case .appCheck: .appNotAuthorized
        case .secondFactor: .multiFactorAuthRequired
        case .emailNeedsVerification: .emailChangeNeedsVerification
        case .invalidResponse: .invalidResponse
        case .noSuchCall: .unsupported
        }
    }

    package var libraryCode: ErrorCode { code == .internalError ? .refused : code.general }

    package var isBlocked: Bool {
        if case .apiKey(let message) = self { message.description.contains("blocked") } else { false }
    }

    package enum Fault: Sendable, Equatable {
        case noMessage(status: Int)
        case noObject(status: Int)
        case missing(String)
        case noTokens
        case notOneAccount
        case otherAccount(String)
        case noUID, noProviderID, insecurePage, pageWithoutMark
    }

    init(_ body: JSONObject, status: Int, secrets: [String], hasAppCheck: Bool = false) {
        let error = body["error"]?.object
        guard let message = error?["message"]?.string ?? body["error"]?.string else {
            self = .invalidResponse(.noMessage(status: status))
            return
        }
        let reasons = (error?["details"]?.array ?? []).compactMap { $0.object?["reason"]?.string }
        if status == 401, error?["status"] == "UNAUTHENTICATED" {
            // Only App Check identifies the client: an invalid API key has other statuses.
            self = .appCheck(hadToken: hasAppCheck)
        } else if reasons.contains("SERVICE_DISABLED") {
            self = .serviceDisabled(ServerText(message, secrets: secrets))
        } else if reasons.contains("API_KEY_INVALID") || reasons.contains("API_KEY_SERVICE_BLOCKED")
            || error?["status"] == "PERMISSION_DENIED"
        {
            self = .apiKey(ServerText(message, secrets: secrets))
        } else {
            self = FirebaseError(message: message, secrets: secrets)
        }
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

    var projectCode: String? { if case .refused(let code, _) = self { code } else { nil } }

    /// Whether the error does not concern the session: a retry may succeed, or the response is not from the project.
    var isTransient: Bool {
        switch self {
        case .refused(let code, _): code == "TOO_MANY_ATTEMPTS_TRY_LATER" || code == "QUOTA_EXCEEDED"
        case .invalidResponse(.noObject): true
        default: false
        }
    }

    /// Why the project's session is over; nil for an error that does not end it.
    var sessionEnd: ProjectSessionEnded.Cause? {
        switch projectCode {
        case "USER_NOT_FOUND": .accountDeleted
        case "USER_DISABLED": .disabled
        case "TOKEN_EXPIRED", "INVALID_ID_TOKEN", "INVALID_REFRESH_TOKEN", "MISSING_REFRESH_TOKEN": .ended
        default: nil
        }
    }

    private static let codes: [String: ErrorCode] = [
        "EMAIL_EXISTS": .emailAlreadyInUse, "FEDERATED_USER_ID_ALREADY_LINKED": .credentialAlreadyInUse,
        "MISSING_OR_INVALID_NONCE": .missingOrInvalidNonce, "INVALID_PENDING_TOKEN": .invalidCredential,
        "INVALID_LOGIN_CREDENTIALS": .invalidCredential, "INVALID_CREDENTIAL_OR_PROVIDER_ID": .invalidCredential,
        "REJECTED_CREDENTIAL": .invalidCredential, "INVALID_IDP_RESPONSE": .invalidCredential,
        "INVALID_CODE": .invalidVerificationCode, "INVALID_MFA_PENDING_CREDENTIAL": .invalidMultiFactorSession,
        "MFA_ENROLLMENT_NOT_FOUND": .invalidMultiFactorSession, "INVALID_PASSWORD": .wrongPassword,
        "EMAIL_NOT_FOUND": .userNotFound, "INVALID_OOB_CODE": .invalidActionCode,
        "EXPIRED_OOB_CODE": .expiredActionCode,
        "INVALID_CUSTOM_TOKEN": .invalidCustomToken, "CREDENTIAL_MISMATCH": .customTokenMismatch,
        "USER_NOT_FOUND": .userTokenExpired, "TOKEN_EXPIRED": .userTokenExpired, "INVALID_ID_TOKEN": .invalidUserToken,
        "INVALID_REFRESH_TOKEN": .signInRequired, "MISSING_REFRESH_TOKEN": .signInRequired,
        "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .requiresRecentLogin, "USER_DISABLED": .userDisabled,
        "OPERATION_NOT_ALLOWED": .operationNotAllowed, "PASSWORD_LOGIN_DISABLED": .operationNotAllowed,
        "BLOCKING_FUNCTION_ERROR_RESPONSE": .operationNotAllowed, "ADMIN_ONLY_OPERATION": .adminRestrictedOperation,
        "WEAK_PASSWORD": .weakPassword, "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": .passwordDoesNotMeetRequirements,
        "EMAIL_CHANGE_NEEDS_VERIFICATION": .emailChangeNeedsVerification, "UNVERIFIED_EMAIL": .unverifiedEmail,
        "INVALID_EMAIL": .invalidEmail, "INVALID_IDENTIFIER": .invalidEmail, "MISSING_EMAIL": .missingEmail,
        "MISSING_PASSWORD": .missingPassword, "TENANT_ID_MISMATCH": .tenantIDMismatch,
        "INVALID_TENANT_ID": .invalidTenantID, "UNSUPPORTED_TENANT_OPERATION": .unsupportedTenantOperation,
        "INVALID_PROVIDER_ID": .invalidProviderID, "INVALID_CONTINUE_URI": .invalidContinueURI,
        "UNAUTHORIZED_DOMAIN": .unauthorizedContinueURI, "USER_CANCELLED": .cancelled,
        "CAPTCHA_CHECK_FAILED": .captchaCheckFailed, "MISSING_RECAPTCHA_TOKEN": .captchaCheckFailed,
        "INVALID_RECAPTCHA_TOKEN": .captchaCheckFailed, "INVALID_RECAPTCHA_ACTION": .captchaCheckFailed,
        "MISSING_RECAPTCHA_VERSION": .captchaCheckFailed, "INVALID_RECAPTCHA_VERSION": .captchaCheckFailed,
        "RECAPTCHA_NOT_ENABLED": .captchaCheckFailed, "MISSING_CLIENT_TYPE": .captchaCheckFailed,
        "TOO_MANY_ATTEMPTS_TRY_LATER": .tooManyRequests, "RESET_PASSWORD_EXCEED_LIMIT": .tooManyRequests,
        "QUOTA_EXCEEDED": .tooManyRequests, "PROJECT_DISABLED": .invalidConfiguration,
        "CONFIGURATION_NOT_FOUND": .invalidConfiguration, "PROJECT_NUMBER_MISMATCH": .invalidConfiguration,
    ]
}
