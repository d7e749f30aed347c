import AuthCore

extension FirebaseError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .refused(let code, let detail):
            "the project returned \(code)\(detail.map { ": \($0)" } ?? "")".hint(FirebaseError.hint(code))
        case .apiKey(let message):
            "the project rejects the API key: \(message)".hint(
                isBlocked
                    ? "name the app that the key is restricted to: \(run: "authctl profile set --referer URL"), or --bundle-id or --android-package"
                    : .run("authctl profile set --api-key KEY"))
        case .serviceDisabled(let message):
            "the Identity Toolkit API is disabled in the project: \(message)"
                .hint("enable it in the console of Google Cloud: APIs and services")
        case .appCheck(let hadToken):
            "the project enforces App Check, and \(hadToken ? "rejects the token in AUTHCTL_FIREBASE_APP_CHECK_TOKEN" : "no App Check token was sent")"
                .hint("set AUTHCTL_FIREBASE_APP_CHECK_TOKEN to an App Check token of one of the project's apps")
        case .secondFactor(.interactionRequired):
            "the account requires a code from its authenticator app".hint(
                context.signsIn
                    ? "run it on a terminal, or pass the code on standard input with --totp-stdin"
                    : "\(run: "authctl reauth --totp-stdin"), then run it again")
        case .secondFactor(.phone):
            "the account requires a code sent by SMS, which is only possible in a browser (reCAPTCHA)"
                .hint("enroll an authenticator app in the browser; authctl supports its codes")
        case .secondFactor(.unknown): "the account requires a second factor that authctl does not support"
        case .emailNeedsVerification(let email):
            "the address changes after you open the link in the email".hint(
                "then sign in with it: \(run: "authctl signin password --email \(email)")")
        case .invalidResponse(let fault):
            "invalid response from the project: \(fault.message)"
        case .noSuchCall(let call):
            "the official emulator does not support '\(shown: call)' for this".hint("use authctl-emulator instead")
        }
    }

    private static func hint(_ code: String) -> Hint? {
        switch code {
        case "EMAIL_EXISTS": "sign in to that account, then link"
        case "FEDERATED_USER_ID_ALREADY_LINKED": .run("authctl signin --pending")
        case "MISSING_OR_INVALID_NONCE": "get a new token whose nonce is the hexadecimal SHA-256 of the raw nonce"
        case "INVALID_PENDING_TOKEN", "INVALID_IDP_RESPONSE": "sign in at the provider again"
        case "INVALID_LOGIN_CREDENTIALS": "the address or the password is wrong"
        case "INVALID_CREDENTIAL_OR_PROVIDER_ID", "REJECTED_CREDENTIAL":
            "the project does not accept this kind of credential from this provider"
        case "INVALID_CODE": "codes depend on the clock of the app's device"
        case "INVALID_MFA_PENDING_CREDENTIAL", "MFA_ENROLLMENT_NOT_FOUND", "TOKEN_EXPIRED", "INVALID_REFRESH_TOKEN",
            "MISSING_REFRESH_TOKEN", "INVALID_ID_TOKEN":
            .signIn(nil)
        case "USER_NOT_FOUND": "the account no longer exists: \(run: "authctl signin")"
        case "INVALID_PASSWORD": "if you forgot it: \(run: "authctl accounts reset-password ADDRESS")"
        case "EMAIL_NOT_FOUND": "for a new account: \(run: "authctl signin password --create")"
        case "INVALID_OOB_CODE", "EXPIRED_OOB_CODE": "request a new link"
        case "INVALID_CUSTOM_TOKEN", "CREDENTIAL_MISMATCH": "create a custom token for this project"
        case "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": "\(run: "authctl reauth"), then run it again"
        case "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED", "INVALID_PROVIDER_ID":
            "enable it in the project's console"
        case "ADMIN_ONLY_OPERATION": "sign-up or deletion is disabled in this project"
        case "WEAK_PASSWORD": .strongPassword
        case "EMAIL_CHANGE_NEEDS_VERIFICATION", "UNVERIFIED_EMAIL": "open the link in the email"
        case "BLOCKING_FUNCTION_ERROR_RESPONSE": "a blocking function of the project refused it"
        case "MISSING_EMAIL": "add --email ADDRESS"
        case "MISSING_PASSWORD": "add --password-stdin"
        case "TENANT_ID_MISMATCH", "INVALID_TENANT_ID", "UNSUPPORTED_TENANT_OPERATION":
            .run("authctl profile set --tenant-id ID")
        case "INVALID_CONTINUE_URI", "UNAUTHORIZED_DOMAIN":
            "authorize the domain of the redirect URI ('localhost' unless set) or, for links in emails, --auth-domain, in the console: Authentication, Settings"
        case "CAPTCHA_CHECK_FAILED", "MISSING_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_ACTION",
            "MISSING_RECAPTCHA_VERSION", "INVALID_RECAPTCHA_VERSION", "RECAPTCHA_NOT_ENABLED", "MISSING_CLIENT_TYPE":
            "the project requires a reCAPTCHA, which is only possible in a browser"
        case "PROJECT_DISABLED", "CONFIGURATION_NOT_FOUND", "PROJECT_NUMBER_MISMATCH":
            "the API key may belong to another project: \(run: "authctl profile set --api-key KEY")"
        default: nil
        }
    }
}

extension ActionLink.Fault: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "unexpected input: \(message)".hint("use the link of the newest email")
    }

    var message: String {
        switch self {
        case .noCode: "neither a link from the project's email nor a code"
        case .notFor(.resetPassword): "a link that does not reset a password"
        case .notFor(.verifyEmail): "a link that does not verify an address"
        case .notFor(.signIn): "a link from another kind of email"
        case .otherAddress(let email): "it is for '\(shown: email)'"
        }
    }
}

extension FirebaseError.Fault {
    fileprivate var message: String {
        switch self {
        case .noMessage(let status): "status \(status) without a message"
        case .noObject(let status): "status \(status), and the body is not a JSON object"
        case .missing(let name): "'\(name)' is missing"
        case .noTokens: "tokens are missing"
        case .notOneAccount: "'users' does not contain exactly one account"
        case .otherAccount(let name): "'\(name)' belongs to another account"
        case .noUID: "'localId' is missing or invalid"
        case .noProviderID: "a provider ID has invalid characters"
        case .insecurePage: "'authUri' is not an https URL"
        case .pageWithoutMark: "'authUri' has neither a state nor an oauth_token"
        }
    }
}
