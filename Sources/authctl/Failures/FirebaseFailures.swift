import AuthCore

extension FirebaseError: Told {
    func told(_ task: Undertaking) -> Failure {
        func make(_ code: Failure.Code, _ message: String, _ hint: Hint?) -> Failure {
            task.failure(code, message, hint: hint)
        }
        switch self {
        case .refused(let code, let detail):
            let said = "the project says \(code)\(detail.map { ": \($0)" } ?? "")"
            guard let known = FirebaseError.codes[code] else {
                return make(.internalError, said, "run it again with --verbose")
            }
            return make(known.code, said, known.hint)
        case .apiKey(let said):
            let isBlocked = said.description.contains("blocked")
            return make(
                isBlocked ? .appNotAuthorized : .invalidAPIKey, "the project refuses the API key: \(said)",
                isBlocked
                    ? "name what the key is restricted to, with --referer, --bundle-id or --android-package: \(run: "authctl profile set --help")"
                    : "check the key and its restrictions; to set another: \(run: "authctl profile set --help")")
        case .serviceDisabled(let said):
            return make(
                .invalidConfiguration, "the project has its Identity Toolkit API switched off: \(said)",
                "enable it in the console of Google Cloud: APIs and services")
        case .appCheck(let hadToken):
            return make(
                .appNotAuthorized,
                hadToken
                    ? "the project enforces App Check, and refuses the token of AUTHCTL_FIREBASE_APP_CHECK_TOKEN"
                    : "the project enforces App Check, and no token of it was sent",
                "put a token that the project's App Check made for one of its apps into AUTHCTL_FIREBASE_APP_CHECK_TOKEN"
            )
        case .secondFactor(.nobodyToAsk):
            return make(
                .multiFactorAuthRequired, "the account wants the code of its authenticator app",
                "at a terminal it is asked for; without one it is a line of standard input: --totp-stdin")
        case .secondFactor(.phone):
            return make(
                .multiFactorAuthRequired,
                "the account wants a code sent to a phone, before which the service wants a reCAPTCHA of a browser",
                "enroll an authenticator app beside it, where you sign in in a browser: its codes can be typed here")
        case .secondFactor(.unknown):
            return make(
                .multiFactorAuthRequired, "the account wants a second factor that cannot be shown here",
                "enroll an authenticator app beside it, where you sign in in a browser: its codes can be typed here")
        case .emailNeedsVerification(let email):
            return make(
                .emailChangeNeedsVerification, "the address changes once the link in the mail is followed",
                "look into the new mailbox, then sign in with the new address: \(run: "authctl signin --provider password --email \(email)")"
            )
        case .invalidResponse(let fault):
            return make(
                .invalidResponse, "the project's answer cannot be used: \(fault.words)",
                "check FIREBASE_AUTH_EMULATOR_HOST, or try again")
        case .notThere(let call):
            return make(
                .unsupported, "the official emulator has no '\(ServerText.shown(call))' of this kind",
                "use authctl-emulator as the project; or give this machine a client of its own: \(run: task.adding)"
            )
        }
    }

    /// The codes of the Identity Toolkit as ours and Firebase's SDKs name them, and what to do.
    private static let codes: [String: (code: Failure.Code, hint: Hint)] = {
        let again: Hint = "sign in at the provider again"
        let domain: Hint =
            "authorize the domain of the redirect URI ('localhost' unless set) or, for links in mails, --auth-domain, in the console: Authentication, Settings"
        let key: Hint =
            "check the key, the project and their restrictions; to set others: \(run: "authctl profile set --help")"
        let console: Hint = "enable it in the project's console"
        var codes: [String: (code: Failure.Code, hint: Hint)] = [
            "EMAIL_EXISTS": (.emailAlreadyInUse, "sign in to that account, then link"),
            "FEDERATED_USER_ID_ALREADY_LINKED": (.credentialAlreadyInUse, .run("authctl signin --pending")),
            "MISSING_OR_INVALID_NONCE": (
                .missingOrInvalidNonce, "get a fresh token whose nonce is the SHA-256 hex of the raw one"
            ),
            "INVALID_PENDING_TOKEN": (.invalidCredential, "it waited too long: sign in at the provider again"),
            "INVALID_LOGIN_CREDENTIALS": (.invalidCredential, "the address or the password is wrong"),
            "INVALID_CREDENTIAL_OR_PROVIDER_ID": (
                .invalidCredential, "the project takes no such credential of this provider"
            ),
            "REJECTED_CREDENTIAL": (.invalidCredential, "the project takes no such credential of this provider"),
            "INVALID_CODE": (
                .invalidVerificationCode, "take what the authenticator app shows now; its device's clock must be right"
            ),
            "INVALID_MFA_PENDING_CREDENTIAL": (.invalidMultiFactorSession, "it waited too long: sign in again"),
            "MFA_ENROLLMENT_NOT_FOUND": (.invalidMultiFactorSession, "that app is no longer enrolled: sign in again"),
            "INVALID_PASSWORD": (
                .wrongPassword, "try again, or set another: \(run: "authctl accounts reset-password --help")"
            ),
            "EMAIL_NOT_FOUND": (
                .userNotFound, "to make an account: \(run: "authctl signin --provider password --create")"
            ),
            "INVALID_OOB_CODE": (.invalidActionCode, "ask for a new link"),
            "EXPIRED_OOB_CODE": (.expiredActionCode, "ask for a new link"),
            "INVALID_CUSTOM_TOKEN": (.invalidCustomToken, "mint it for this project"),
            "CREDENTIAL_MISMATCH": (.customTokenMismatch, "mint it for this project"),
            "USER_NOT_FOUND": (.userTokenExpired, "the account is gone: \(run: "authctl signin")"),
            "TOKEN_EXPIRED": (.userTokenExpired, .signIn(nil)),
            "INVALID_ID_TOKEN": (
                .invalidUserToken, "\(run: "authctl signin"); and check that key and project belong together"
            ),
            "INVALID_REFRESH_TOKEN": (.notSignedIn, .signIn(nil)),
            "MISSING_REFRESH_TOKEN": (.notSignedIn, .signIn(nil)),
            "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": (.requiresRecentLogin, "\(run: "authctl reauth"), then run it again"),
            "USER_DISABLED": (.userDisabled, "ask the project's administrator"),
            "OPERATION_NOT_ALLOWED": (.operationNotAllowed, console),
            "PASSWORD_LOGIN_DISABLED": (.operationNotAllowed, console),
            "ADMIN_ONLY_OPERATION": (.adminRestrictedOperation, "sign-up or deletion is off for this project"),
            "WEAK_PASSWORD": (.weakPassword, "several unrelated words make a good one"),
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": (
                .passwordDoesNotMeetRequirements, "the project says what it wants"
            ),
            "EMAIL_CHANGE_NEEDS_VERIFICATION": (.emailChangeNeedsVerification, "use the link in the mail"),
            "UNVERIFIED_EMAIL": (.unverifiedEmail, "verify the address by the link in the mail"),
            "BLOCKING_FUNCTION_ERROR_RESPONSE": (.operationNotAllowed, "the project's own function refused it"),
            "INVALID_EMAIL": (.invalidEmail, "check the address"),
            "INVALID_IDENTIFIER": (.invalidEmail, "check the address"),
            "MISSING_EMAIL": (.missingEmail, "give the address with --email"),
            "MISSING_PASSWORD": (.missingPassword, "give the password with --password-stdin"),
            "TENANT_ID_MISMATCH": (.tenantIDMismatch, "check --tenant-id"),
            "INVALID_TENANT_ID": (.invalidTenantID, "check --tenant-id"),
            "UNSUPPORTED_TENANT_OPERATION": (.unsupportedTenantOperation, "check --tenant-id"),
            "INVALID_PROVIDER_ID": (.invalidProviderID, console),
            "INVALID_CONTINUE_URI": (.invalidContinueURI, domain),
            "UNAUTHORIZED_DOMAIN": (.unauthorizedContinueURI, domain),
        ]
        codes["INVALID_IDP_RESPONSE"] = (.invalidCredential, again)
        codes["USER_CANCELLED"] = (.userCancelled, "run it again")
        for code in [
            "CAPTCHA_CHECK_FAILED", "MISSING_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_ACTION",
            "MISSING_RECAPTCHA_VERSION", "INVALID_RECAPTCHA_VERSION", "RECAPTCHA_NOT_ENABLED", "MISSING_CLIENT_TYPE",
        ] {
            codes[code] = (.captchaCheckFailed, "the project wants a reCAPTCHA: use a browser's sign-in")
        }
        for code in ["TOO_MANY_ATTEMPTS_TRY_LATER", "RESET_PASSWORD_EXCEED_LIMIT", "QUOTA_EXCEEDED"] {
            codes[code] = (.tooManyRequests, "try again later")
        }
        for code in ["PROJECT_DISABLED", "CONFIGURATION_NOT_FOUND", "PROJECT_NUMBER_MISMATCH"] {
            codes[code] = (.invalidConfiguration, key)
        }
        return codes
    }()
}

extension ActionLink.Fault: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .invalidActionCode, "that is not it: \(words)", hint: "look for the newest mail, or: \(run: task.again)")
    }

    /// What it is instead.
    var words: String {
        switch self {
        case .noCode: "no link of the project's mail, and no code"
        case .notFor(.resetPassword): "the link of a mail that sets no password"
        case .notFor(.verifyEmail): "the link of a mail that verifies no address"
        case .notFor(.signIn): "the link of a mail that signs nobody in"
        case .otherAddress(let email): "it is for '\(ServerText.shown(email))'"
        }
    }
}

extension FirebaseError.Fault {
    fileprivate var words: String {
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

extension EmulatorHost.Refusal: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .malformed:
            task.failure(
                .invalidConfiguration, "the emulator's host wants host:port, without a scheme",
                hint: .run("export FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:9099"))
        case .notAllowed(let host):
            task.failure(
                .invalidConfiguration,
                "the emulator is not on this machine: tokens and passwords would go there as plain http",
                hint:
                    "\(run: "unset FIREBASE_AUTH_EMULATOR_HOST"); or allow that host: \(run: "authctl profile set --emulator-host \(host)")"
            )
        }
    }
}
