import AuthCore

extension FirebaseError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let otherFactor: Hint = "enroll an authenticator app in the browser; authctl supports its codes"
        return switch self {
        case .refused(let code, let detail):
            "the project returned \(code)\(detail.map { ": \($0)" } ?? "")".hint(FirebaseError.hint(code))
        case .apiKey(let message):
            "the project rejects the API key: \(message)".hint(
                isBlocked
                    ? "set the app that the key is restricted to: \(run: "authctl profile set --referer URL"), or --bundle-id or --android-package"
                    : "check the key and its restrictions; to set another: \(run: "authctl profile set --api-key KEY")")
        case .serviceDisabled(let message):
            "the Identity Toolkit API is disabled in the project: \(message)"
                .hint("enable it in the console of Google Cloud: APIs and services")
        case .appCheck(let hadToken):
            "the project enforces App Check, and \(hadToken ? "rejects the token in AUTHCTL_FIREBASE_APP_CHECK_TOKEN" : "no App Check token was sent")"
                .hint("set AUTHCTL_FIREBASE_APP_CHECK_TOKEN to an App Check token of one of the project's apps")
        case .secondFactor(.interactionRequired):
            "the account requires a code from its authenticator app"
                .hint(
                    context.signsIn
                        ? "run it on a terminal, or pass the code on standard input with --totp-stdin; after an email link, request a new one first"
                        : "run it on a terminal; or: \(run: "authctl reauth --totp-stdin"), then run it again"
                )
        case .secondFactor(.phone):
            "the account requires a code sent by SMS, which is only possible in a browser (reCAPTCHA)".hint(otherFactor)
        case .secondFactor(.unknown):
            "the account requires a second factor that authctl does not support".hint(otherFactor)
        case .emailNeedsVerification(let email):
            "the address changes after you open the link in the email".hint(
                "check the new mailbox, then sign in with the new address: \(run: "authctl signin --provider password --email \(email)")"
            )
        case .invalidResponse(let fault):
            "invalid response from the project: \(fault.message)"
                .hint("check FIREBASE_AUTH_EMULATOR_HOST, or try again")
        case .noSuchCall(let call):
            "the official emulator does not support '\(shown: call)' for this".hint(
                "use authctl-emulator as the project; or configure a separate client for this machine: \(run: .setup(context.provider))"
            )
        }
    }

    private static func hint(_ code: String) -> Hint {
        switch code {
        case "EMAIL_EXISTS": "sign in to that account, then link"
        case "FEDERATED_USER_ID_ALREADY_LINKED": .run("authctl signin --pending")
        case "MISSING_OR_INVALID_NONCE": "get a new token whose nonce is the hexadecimal SHA-256 of the raw nonce"
        case "INVALID_PENDING_TOKEN": "it has expired: sign in at the provider again"
        case "INVALID_IDP_RESPONSE": "sign in at the provider again"
        case "INVALID_LOGIN_CREDENTIALS": "the address or the password is wrong"
        case "INVALID_CREDENTIAL_OR_PROVIDER_ID", "REJECTED_CREDENTIAL":
            "the project does not accept this kind of credential from this provider"
        case "INVALID_CODE": "use the app's current code, and check the clock of its device"
        case "INVALID_MFA_PENDING_CREDENTIAL": "it has expired: sign in again"
        case "MFA_ENROLLMENT_NOT_FOUND": "that app is no longer enrolled; sign in again"
        case "INVALID_PASSWORD": "try again, or reset it: \(run: "authctl accounts reset-password --help")"
        case "EMAIL_NOT_FOUND": "to create an account: \(run: "authctl signin --provider password --create")"
        case "INVALID_OOB_CODE", "EXPIRED_OOB_CODE": "request a new link"
        case "INVALID_CUSTOM_TOKEN", "CREDENTIAL_MISMATCH": "create a custom token for this project"
        case "USER_NOT_FOUND": "the account no longer exists: \(run: "authctl signin")"
        case "TOKEN_EXPIRED", "INVALID_REFRESH_TOKEN", "MISSING_REFRESH_TOKEN": .signIn(nil)
        case "INVALID_ID_TOKEN": "\(run: "authctl signin"); and check that the API key belongs to the project"
        case "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": "\(run: "authctl reauth"), then run it again"
        case "USER_DISABLED": "ask the project's administrator"
        case "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED", "INVALID_PROVIDER_ID":
            "enable it in the project's console"
        case "ADMIN_ONLY_OPERATION": "sign-up or deletion is disabled in this project"
        case "WEAK_PASSWORD": .strongPassword
        case "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": "see the project's password policy"
        case "EMAIL_CHANGE_NEEDS_VERIFICATION": "open the link in the email"
        case "UNVERIFIED_EMAIL": "verify the address with the link in the email"
        case "BLOCKING_FUNCTION_ERROR_RESPONSE": "a blocking function of the project refused it"
        case "INVALID_EMAIL", "INVALID_IDENTIFIER": "check the address"
        case "MISSING_EMAIL": "give the address with --email"
        case "MISSING_PASSWORD": "give the password with --password-stdin"
        case "TENANT_ID_MISMATCH", "INVALID_TENANT_ID", "UNSUPPORTED_TENANT_OPERATION": "check --tenant-id"
        case "INVALID_CONTINUE_URI", "UNAUTHORIZED_DOMAIN":
            "authorize the domain of the redirect URI ('localhost' unless set) or, for links in emails, --auth-domain, in the console: Authentication, Settings"
        case "USER_CANCELLED": "run it again"
        case "CAPTCHA_CHECK_FAILED", "MISSING_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_ACTION",
            "MISSING_RECAPTCHA_VERSION", "INVALID_RECAPTCHA_VERSION", "RECAPTCHA_NOT_ENABLED", "MISSING_CLIENT_TYPE":
            "the project requires a reCAPTCHA: sign in with a browser"
        case "TOO_MANY_ATTEMPTS_TRY_LATER", "RESET_PASSWORD_EXCEED_LIMIT", "QUOTA_EXCEEDED": .again
        case "PROJECT_DISABLED", "CONFIGURATION_NOT_FOUND", "PROJECT_NUMBER_MISMATCH":
            "check the key, the project and their restrictions; to set others: \(run: "authctl profile set --help")"
        default: "run it again with --verbose"
        }
    }
}

extension ActionLink.Fault: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "unexpected input: \(message)".hint("use the newest email, or: \(run: context.again)")
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
