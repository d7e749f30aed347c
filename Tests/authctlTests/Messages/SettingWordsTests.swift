import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `Messages about invalid settings` {
    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "the setting was accepted"
        } catch {
            return Failure(error, while: ErrorContext("not shown")).message
        }
    }

    @Test(arguments: [
        ("issuer: 'https://h'", "oidc.a: 'client_id' is required"),
        ("issuer: 'https://h', client_id: ", "oidc.a: 'client_id' is required"),
        ("client_id: c", "oidc.a: 'issuer' is required"),
        ("client_id: [c]", "oidc.a: client_id: it is not a string"),
        ("client_id: é", "oidc.a: client_id: it has invalid characters (RFC 6749 A.1)"),
        ("issuer: 'ftp://h', client_id: c", "oidc.a: issuer: 'ftp://h' is not an https URL"),
        ("issuer: 'https://u@h', client_id: c", "oidc.a: issuer: 'https://u@h' has a user name before its host"),
        (
            "issuer: 'https://h', client_id: c, base_url: 'https://x'",
            "oidc.a: base_url: only built-in providers support it; change 'issuer'"
        ),
        ("issuer: 'https://h', client_id: c, key_alg: x", "oidc.a: key_alg: 'x' is not known"),
        ("issuer: 'https://h', client_id: c, nonce_mode: x", "oidc.a: nonce_mode: 'x' is neither raw nor sha256"),
        (
            "issuer: 'https://h', client_id: c, discovery: x",
            "oidc.a: discovery: 'x' is neither openid nor oauth nor openid-inserted"
        ),
        (
            "issuer: 'https://h', client_id: c, assertion_audience: x",
            "oidc.a: assertion_audience: 'x' is neither issuer nor token-endpoint"
        ),
        ("issuer: 'https://h', client_id: c, assertion_from: x", "oidc.a: assertion_from: 'x' is not known"),
        ("issuer: 'https://h', client_id: c, par: x", "oidc.a: par: 'x' is neither true nor false"),
        ("issuer: 'https://h', client_id: c, trust_email: x", "oidc.a: trust_email: 'x' is neither true nor false"),
        ("issuer: 'https://h', client_id: c, trust_email: 'no'", "oidc.a: trust_email: 'no' is neither true nor false"),
        ("issuer: 'https://h', client_id: c, params: audience=x", "oidc.a: params: it is not a mapping of strings"),
        ("issuer: 'https://h', client_id: c, params: {claims: {a: b}}", "oidc.a: params: it is not a mapping of strings"),
        ("issuer: 'https://h', client_id: c, allow_http: [yes]", "oidc.a: allow_http: '' is neither true nor false"),
    ])
    func `the message for a wrong provider setting names the setting and the reason`(entry: String, expected: String) {
        let text = "profiles: {default: {providers: {oidc.a: {\(entry)}}}}"
        let shown = message {
            _ = try ConfigFile(Array(text.utf8), path: "c").provider("oidc.a", profile: "default")
        }
        #expect(shown.hasSuffix(expected), "\(shown)")
    }

    @Test(arguments: [
        ("a: 1\na: 2", "'c' cannot be read: line 2, column 1: 'a' is a duplicate key"),
        ("[1]", "'c' cannot be read: its top level is not a mapping"),
        (
            "a: [",
            "'c' cannot be read: line 2, column 1: did not find expected node content, "
                + "while parsing a flow node from line 2, column 1"
        ),
        ("profiles: 1", "'c' cannot be read: 'profiles' is not a mapping"),
        ("profiles: {default: 1}", "'c' cannot be read: profile 'default' is not a mapping"),
        (
            "profiles: {default: {directory: x}}",
            "profile 'default': directory: 'x' is neither local nor firebase"
        ),
        (
            "profiles: {default: {directory: firebase}}",
            "profile 'default': firebase: 'api_key' and 'project_id' are required"
        ),
        (
            "profiles: {default: {directory: firebase, firebase:\n {api_kye: k, project_id: p}}}",
            "profile 'default': firebase: 'api_key' is required; line 2: unknown key 'api_kye', did you mean 'api_key'?"
        ),
        (
            "profiles: {default: {directory: firebase, firebase: {api_key: k, project_id: p, tenant_id: [t]}}}",
            "profile 'default': firebase: tenant_id: it is not a string"
        ),
    ])
    func `the message for a wrong configuration file names the place and the reason`(text: String, expected: String) {
        let shown = message { _ = try ConfigFile(Array(text.utf8), path: "c").firebaseProject(profile: "default") }
        #expect(shown.hasSuffix(expected), "\(shown)")
    }

    @Test func `an invalid Boolean of a profile is refused, not guessed`() {
        let text = "profiles: {default: {one_account_per_email: of}}"
        let shown = message { _ = try ConfigFile(Array(text.utf8), path: "c").oneAccountPerEmail(profile: "default") }
        #expect(shown.hasSuffix("profile 'default': one_account_per_email: 'of' is neither true nor false"), "\(shown)")
    }

    @Test func `the message for an incomplete secret or a mismatched key names what is wrong`() {
        let fault = SettingFault.incompleteSecret(missing: ["team_id", "private_key"])
        #expect(
            fault.message
                == "its client secret is derived from a team ID, a key ID and a private key: 'team_id', 'private_key' missing"
        )
        #expect(
            SettingFault.notOfKey(.rs256, .ellipticCurve(.p256)).message
                == "'RS256' does not match the private key, which is P-256 (ES256)")
        #expect(
            SettingFault.keyNotSupported(.ellipticCurve(.p256), supported: [.rs256, .ps256]).message
                == "the key is P-256 (ES256), but the provider supports RS256, PS256")
    }
}
