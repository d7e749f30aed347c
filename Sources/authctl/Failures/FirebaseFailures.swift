import AuthCore

extension FirebaseError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let otherFactor: Hint =
            "enroll an authenticator app beside it, where you sign in in a browser: its codes can be typed here"
        return switch self {
        case .refused(let code, let detail):
            "the project says \(code)\(detail.map { ": \($0)" } ?? "")".hint(FirebaseError.hint(code))
        case .apiKey(let said):
            "the project refuses the API key: \(said)".hint(
                isBlocked
                    ? "name what the key is restricted to, with --referer, --bundle-id or --android-package: \(run: "authctl profile set --help")"
                    : "check the key and its restrictions; to set another: \(run: "authctl profile set --help")")
        case .serviceDisabled(let said):
            "the project has its Identity Toolkit API switched off: \(said)"
                .hint("enable it in the console of Google Cloud: APIs and services")
        case .appCheck(let hadToken):
            "the project enforces App Check, and \(hadToken ? "refuses the token of AUTHCTL_FIREBASE_APP_CHECK_TOKEN" : "no token of it was sent")"
                .hint(
                    "put a token that the project's App Check made for one of its apps into AUTHCTL_FIREBASE_APP_CHECK_TOKEN"
                )
        case .secondFactor(.nobodyToAsk):
            "the account wants the code of its authenticator app"
                .hint("at a terminal it is asked for; without one it is a line of standard input: --totp-stdin")
        case .secondFactor(.phone):
            "the account wants a code sent to a phone, before which the service wants a reCAPTCHA of a browser"
                .hint(otherFactor)
        case .secondFactor(.unknown): "the account wants a second factor that cannot be shown here".hint(otherFactor)
        case .emailNeedsVerification(let email):
            "the address changes once the link in the mail is followed".hint(
                "look into the new mailbox, then sign in with the new address: \(run: "authctl signin --provider password --email \(email)")"
            )
        case .invalidResponse(let fault):
            "the project's answer cannot be used: \(fault.message)"
                .hint("check FIREBASE_AUTH_EMULATOR_HOST, or try again")
        case .notThere(let call):
            "the official emulator has no '\(shown: call)' of this kind".hint(
                "use authctl-emulator as the project; or give this machine a client of its own: \(run: context.adding)")
        }
    }

    /// What to do about a code of the Identity Toolkit.
    private static func hint(_ code: String) -> Hint {
        switch code {
        case "EMAIL_EXISTS": "sign in to that account, then link"
        case "FEDERATED_USER_ID_ALREADY_LINKED": .run("authctl signin --pending")
        case "MISSING_OR_INVALID_NONCE": "get a fresh token whose nonce is the SHA-256 hex of the raw one"
        case "INVALID_PENDING_TOKEN": "it waited too long: sign in at the provider again"
        case "INVALID_IDP_RESPONSE": "sign in at the provider again"
        case "INVALID_LOGIN_CREDENTIALS": "the address or the password is wrong"
        case "INVALID_CREDENTIAL_OR_PROVIDER_ID", "REJECTED_CREDENTIAL":
            "the project takes no such credential of this provider"
        case "INVALID_CODE": "take what the authenticator app shows now; its device's clock must be right"
        case "INVALID_MFA_PENDING_CREDENTIAL": "it waited too long: sign in again"
        case "MFA_ENROLLMENT_NOT_FOUND": "that app is no longer enrolled: sign in again"
        case "INVALID_PASSWORD": "try again, or set another: \(run: "authctl accounts reset-password --help")"
        case "EMAIL_NOT_FOUND": "to make an account: \(run: "authctl signin --provider password --create")"
        case "INVALID_OOB_CODE", "EXPIRED_OOB_CODE": "ask for a new link"
        case "INVALID_CUSTOM_TOKEN", "CREDENTIAL_MISMATCH": "mint it for this project"
        case "USER_NOT_FOUND": "the account is gone: \(run: "authctl signin")"
        case "TOKEN_EXPIRED", "INVALID_REFRESH_TOKEN", "MISSING_REFRESH_TOKEN": .signIn(nil)
        case "INVALID_ID_TOKEN": "\(run: "authctl signin"); and check that key and project belong together"
        case "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": "\(run: "authctl reauth"), then run it again"
        case "USER_DISABLED": "ask the project's administrator"
        case "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED", "INVALID_PROVIDER_ID":
            "enable it in the project's console"
        case "ADMIN_ONLY_OPERATION": "sign-up or deletion is off for this project"
        case "WEAK_PASSWORD": .goodPassword
        case "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": "the project says what it wants"
        case "EMAIL_CHANGE_NEEDS_VERIFICATION": "use the link in the mail"
        case "UNVERIFIED_EMAIL": "verify the address by the link in the mail"
        case "BLOCKING_FUNCTION_ERROR_RESPONSE": "the project's own function refused it"
        case "INVALID_EMAIL", "INVALID_IDENTIFIER": "check the address"
        case "MISSING_EMAIL": "give the address with --email"
        case "MISSING_PASSWORD": "give the password with --password-stdin"
        case "TENANT_ID_MISMATCH", "INVALID_TENANT_ID", "UNSUPPORTED_TENANT_OPERATION": "check --tenant-id"
        case "INVALID_CONTINUE_URI", "UNAUTHORIZED_DOMAIN":
            "authorize the domain of the redirect URI ('localhost' unless set) or, for links in mails, --auth-domain, in the console: Authentication, Settings"
        case "USER_CANCELLED": "run it again"
        case "CAPTCHA_CHECK_FAILED", "MISSING_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_ACTION",
            "MISSING_RECAPTCHA_VERSION", "INVALID_RECAPTCHA_VERSION", "RECAPTCHA_NOT_ENABLED", "MISSING_CLIENT_TYPE":
            "the project wants a reCAPTCHA: use a browser's sign-in"
        case "TOO_MANY_ATTEMPTS_TRY_LATER", "RESET_PASSWORD_EXCEED_LIMIT", "QUOTA_EXCEEDED": .again
        case "PROJECT_DISABLED", "CONFIGURATION_NOT_FOUND", "PROJECT_NUMBER_MISMATCH":
            "check the key, the project and their restrictions; to set others: \(run: "authctl profile set --help")"
        default: "run it again with --verbose"
        }
    }
}

extension ActionLink.Fault: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "that is not it: \(message)".hint("look for the newest mail, or: \(run: context.again)")
    }

    /// What it is instead.
    var message: String {
        switch self {
        case .noCode: "no link of the project's mail, and no code"
        case .notFor(.resetPassword): "the link of a mail that sets no password"
        case .notFor(.verifyEmail): "the link of a mail that verifies no address"
        case .notFor(.signIn): "the link of a mail that signs nobody in"
        case .otherAddress(let email): "it is for '\(shown: email)'"
        }
    }
}

extension FirebaseError.Fault {
    fileprivate var message: String {
        switch self {
        case .noMessage(let status): "status \(status) without a message"
        case .noObject(let status): "status \(status), and the body is no JSON object"
        case .missing(let name): "'\(name)' is missing"
        case .noTokens: "tokens are missing"
        case .notOneAccount: "'users' is not one account"
        case .otherAccount(let name): "'\(name)' is another account"
        case .noUID: "'localId' is missing or no identifier"
        case .noProviderID: "the ID of a provider has characters that none may have"
        case .insecurePage: "'authUri' is no https URL"
        case .pageWithoutMark: "'authUri' has neither a state nor an oauth_token"
        }
    }
}
