import Testing

@testable import AuthCore

@Suite struct `config.yaml` {
    private func file(_ text: String) throws -> ConfigFile { try ConfigFile(Array(text.utf8), path: "config.yaml") }

    private func text(_ file: ConfigFile) throws -> String { String(decoding: try file.bytes(), as: UTF8.self) }

    private func entry(_ id: String, scopes: [String] = []) throws -> Provider {
        var provider = Provider(id: id, issuer: try HTTPURL("https://b.example"), clientID: "d")
        if !scopes.isEmpty { provider.scopes = scopes }
        provider.redirectPath = Provider.sharedRedirectPath
        return provider
    }

    /// A file that version 0.1.0 wrote.
    private static let old = """
        profiles:
          default:
            providers:
              github.com:
                client_id: Iv1.abc
                scopes: [read:user, repo]
                client_secret_file: /home/ada/secret
              oidc.work:
                issuer: https://id.example.com
                client_id: '12345'
                params:
                  audience: api
                trust_email: true
            one_account_per_email: false
          project:
            directory: firebase
            firebase:
              api_key: AIza-abc
              project_id: demo

        """

    /// A file that a user wrote.
    private static let hand = """
        # Sign-in at the bänk. Ask Ada before changing anything.
        future: [1, 2]   # of a version to come

        profiles:
            # --- at work ---
            default:
                providers:

                    # The house's own provider,
                    # behind the VPN.
                    "oidc.work":
                        client_id: 'authctl'        # given by IT
                        issuer: "https://id.example.com"
                        scopes:
                            - openid
                            - email     # for the commits
                            # - groups
                        new: x

                    github.com: {client_id: Iv1.abc, scopes: [repo, gist]}  # mine
                    # no more than two

                # Off: Ada has two.
                one_account_per_email: no
            # --- at home ---
            home: {vault: file}
        # The end.

        """

    @Test func `A new file is written in the format of version 0.1.0`() throws {
        var file = try file("")
        var first = try entry("oidc.a")
        first.clientSecretVariable = "SECRET"
        try file.set(first, profile: "default")
        try file.setOneAccountPerEmail(false, profile: "default")
        try file.setDirectory(FirebaseSettings(apiKey: "k", projectID: "p", tenantID: "12"), profile: "on")
        #expect(
            try text(file) == """
                profiles:
                  default:
                    providers:
                      oidc.a:
                        issuer: https://b.example
                        client_id: d
                        client_secret_env: SECRET
                    one_account_per_email: false
                  'on':
                    directory: firebase
                    firebase:
                      api_key: k
                      project_id: p
                      tenant_id: '12'

                """)
        #expect(try self.file(try text(file)).firebaseProject(profile: "on")?.tenantID == "12")
    }

    @Test func `A file of version 0.1.0 is read, and a change modifies only its own lines`() throws {
        var file = try file(Self.old)
        #expect(try file.providerIDs(profile: "default") == ["github.com", "oidc.work"])
        #expect(try file.oneAccountPerEmail(profile: "default") == false)
        let work = try #require(try file.provider("oidc.work", profile: "default"))
        #expect(work.clientID == "12345" && work.trustsEmail)
        #expect(work.parameters.map(\.1) == ["api"])
        #expect(try text(file) == Self.old)
        #expect(try file.remove("github.com", profile: "default"))
        try file.setOneAccountPerEmail(true, profile: "default")
        var project = try #require(try file.firebaseProject(profile: "project"))
        project.locale = "no"
        try file.setDirectory(project, profile: "project")
        let lines = Self.old.replacing("one_account_per_email: false", with: "one_account_per_email: true")
            .replacing("project_id: demo\n", with: "project_id: demo\n      locale: 'no'\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(try text(file) == (lines[..<3] + lines[7...]).joined(separator: "\n"))
    }

    @Test func `A change keeps the user's formatting and comments`() throws {
        var file = try file(Self.hand)
        #expect(try file.oneAccountPerEmail(profile: "default") == false)
        try file.set(try entry("oidc.new", scopes: ["openid", "x: y"]), profile: "default")
        try file.remove(["new"], of: "oidc.work", profile: "default")
        try file.change(
            ["client_id", "scopes"], to: try entry("oidc.work", scopes: ["email", "groups"]), profile: "default")
        try file.change(["scopes"], to: try entry("github.com", scopes: ["read:org"]), profile: "default")
        try file.setOneAccountPerEmail(true, profile: "home")
        let expected = Self.hand
            .replacing("client_id: 'authctl'        #", with: "client_id: d        #")
            .replacing("# - groups\n", with: "# - groups\n                    - groups\n")
            .replacing("                new: x\n", with: "")
            .replacing("[repo, gist]", with: "[repo, gist, 'read:org']")
            .replacing("{vault: file}", with: "{vault: file, one_account_per_email: true}")
            .replacing(
                "# no more than two\n",
                with: """
                    # no more than two
                                oidc.new:
                                    issuer: https://b.example
                                    client_id: d
                                    scopes: [openid, 'x: y']

                    """)
        #expect(try text(file) == expected)
    }

    @Test func `Removing a provider removes only its own comments`() throws {
        var file = try file(Self.hand)
        #expect(try file.remove("oidc.work", profile: "default"))
        #expect(try file.remove("github.com", profile: "default"))
        let result = try text(file)
        for comment in [
            "Sign-in at the bänk", "of a version to come", "at work", "behind the VPN", "no more than two", "Off: Ada",
            "The end",
        ] {
            #expect(result.contains(comment), "\(comment)")
        }
        for gone in ["given by IT", "for the commits", "# - groups", "# mine", "oidc.work"] {
            #expect(!result.contains(gone), "\(gone)")
        }
        var again = try self.file(result)
        try again.set(try entry("oidc.new"), profile: "default")
        #expect(try self.file(try text(again)).providerIDs(profile: "default") == ["oidc.new"])
        #expect(try text(again).contains("            oidc.new:\n                issuer: https://b.example\n"))
    }

    @Test func `Changing a value that a YAML alias shares does not change it for other profiles`() throws {
        let shared = """
            profiles:
              a: &a
                providers: &p
                  oidc.x: {issuer: https://x.example, client_id: c}
              b:
                providers: *p  # the same

            """
        var file = try file(shared)
        #expect(try file.remove("oidc.x", profile: "b"))
        #expect(try text(file) == shared.replacing("*p", with: "{}"))
        file = try self.file(shared)
        try file.setOneAccountPerEmail(false, profile: "b")
        #expect(try text(file) == shared + "    one_account_per_email: false\n")
        try file.set(try entry("oidc.y"), profile: "b")
        var again = try self.file(try text(file))
        #expect(try again.providerIDs(profile: "a") == ["oidc.x"])
        #expect(try again.providerIDs(profile: "b") == ["oidc.x", "oidc.y"])
        // If the anchor's own value changes, the alias keeps the old value.
        file = try self.file(shared)
        try file.set(try entry("oidc.y"), profile: "a")
        again = try self.file(try text(file))
        #expect(try again.providerIDs(profile: "a") == ["oidc.x", "oidc.y"])
        #expect(try again.providerIDs(profile: "b") == ["oidc.x"])
    }

    @Test(arguments: [
        "profiles:\n  ? default\n  : providers: {}\n", "profiles: {default: &x {providers: {}}, b: {a: *x}}\n",
        "---\nprofiles:\n  default: !!map\n    providers:\n      oidc.a: {}\n",
    ])
    func `A file with unusual YAML syntax is changed correctly or reported as unchangeable`(text: String) throws {
        var file = try file(text)
        try file.set(try entry("oidc.b"), profile: "default")
        do throws(ConfigFileError) {
            let bytes = try file.bytes()
            #expect(try ConfigFile(bytes, path: "").profileNames.contains("default"))
        } catch {
            guard case .unchangeable(_, .yaml(let problem)) = error else { return #expect(Bool(false), "\(error)") }
            #expect(problem.position != nil, "\(problem)")
        }
    }

    @Test(arguments: [
        "%YAML 1.1\n---\n? !!binary \"AA==\"\n:api_hprofiles:\n  default:\n    osts:\n",
        "%YAML 1.1\n---\n? !!bi nary \"AA( x\nab: {a: 1}\ndefault:\n",
    ])
    func `A change that cannot be applied fails immediately`(text: String) throws {
        var file = try file(text)
        try file.setOneAccountPerEmail(false, profile: "default")
        // The error must not be "too many changes".
        #expect { try file.bytes() } throws: { error in
            guard case .unchangeable(_, .yaml(let problem)) = error as? ConfigFileError else { return false }
            return problem.reason == .unchangeable
        }
    }

    @Test func `Unknown settings are kept in the file`() throws {
        var file = try file(
            "future: [1, 2]\nprofiles:\n  work:\n    vault: file\n    providers:\n      oidc.a: {issuer: 'https://a.example', client_id: c, new: x}\n"
        )
        var second = try entry("oidc.b")
        second.clientSecretFile = "/s"
        try file.set(second, profile: "work")
        let text = try text(file)
        for part in ["future:", "vault: file", "new: x", "oidc.b", "client_secret_file: /s"] {
            #expect(text.contains(part), "\(part)")
        }
        let again = try self.file(text)
        #expect(try again.providerIDs(profile: "work") == ["oidc.a", "oidc.b"])
        #expect(try again.provider("oidc.b", profile: "work")?.clientSecretFile == "/s")
    }

    @Test func `Unknown settings of a Firebase project are kept in the file`() throws {
        var file = try file(
            "profiles:\n  default:\n    directory: firebase\n    firebase:\n"
                + "      api_key: k\n      project_id: p\n      # of a later version\n      new: x\n")
        var project = try #require(try file.firebaseProject(profile: "default"))
        project.locale = "de"
        try file.setDirectory(project, profile: "default")
        let text = try text(file)
        #expect(text.contains("# of a later version\n      new: x\n") && text.contains("locale: de"), "\(text)")
        project.locale = nil
        try file.setDirectory(project, profile: "default")
        #expect(try !self.text(file).contains("locale"))
    }

    @Test(arguments: [
        "profiles:\n  # default:\n", "profiles:\n  default:\n    # providers:\n", "profiles: ~ # none\n",
        "profiles: {default: null}\n",
    ])
    func `A profile without settings may be null`(text: String) throws {
        var file = try file(text)
        #expect(try file.providerIDs(profile: "default").isEmpty)
        try file.set(try entry("oidc.b"), profile: "default")
        let changed = try self.text(file)
        #expect(try self.file(changed).providerIDs(profile: "default") == ["oidc.b"])
        for comment in text.split(separator: "#").dropFirst() { #expect(changed.contains("#" + comment)) }
    }

    @Test(arguments: ["[oidc.a]", "oidc.a", "{}", "", "null"])
    func `Providers that are not a mapping are an error, and are not overwritten`(value: String) throws {
        let text = "profiles: {default: {providers: \(value)}}"
        var file = try file(text)
        guard ["{}", "", "null"].contains(value) else {
            #expect(throws: ConfigFileError.unreadable(path: "config.yaml", .notAMapping(.providers))) {
                try file.providerIDs(profile: "default")
            }
            #expect(throws: ConfigFileError.unreadable(path: "config.yaml", .notAMapping(.providers))) {
                try file.set(try entry("oidc.b"), profile: "default")
            }
            return #expect(try self.text(file) == text)
        }
        #expect(try file.providerIDs(profile: "default").isEmpty)
        try file.set(try entry("oidc.b"), profile: "default")
        #expect(try self.file(try self.text(file)).providerIDs(profile: "default") == ["oidc.b"])
    }

    @Test(arguments: ["api.example.com", "[api.example.com]", "\n            - api.example.com"])
    func `One API host may be written without a list`(value: String) throws {
        let text =
            "profiles:\n  default:\n    providers:\n      oidc.a:\n        issuer: https://h\n        client_id: c\n"
            + "        api_hosts: \(value)\n"
        #expect(try file(text).provider("oidc.a", profile: "default")?.apiHosts == ["api.example.com"])
    }

    @Test(
        arguments: [
            ("[1]", .notAMapping(.top)), ("profiles: 1", .notAMapping(.profiles)),
            ("profiles: {default: 1}", .notAMapping(.profile("default"))),
            ("a: 1\n---\nb: 2", .yaml(YAMLProblem(position: .init(line: 2, column: 1), reason: .secondDocument))),
            ("text", .notAMapping(.top)),
        ] as [(String, ConfigFileFault)])
    func `An invalid config file is rejected`(text: String, fault: ConfigFileFault) throws {
        #expect(throws: ConfigFileError.unreadable(path: "config.yaml", fault)) {
            _ = try file(text).provider("oidc.a", profile: "default")
        }
    }

    @Test(arguments: ["a: [", "\u{0}"]) func `A config file that is not YAML is rejected`(text: String) throws {
        let error = #expect(throws: ConfigFileError.self) { _ = try file(text).provider("oidc.a", profile: "default") }
        guard case .unreadable("config.yaml", .yaml(let problem))? = error, case .parser = problem.reason else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
    }

    @Test func `An invalid setting of a provider is rejected`() throws {
        let text = "profiles: {default: {providers: {oidc.a: {issuer: 'http://u@h', client_id: c}}}}"
        let error = ConfigFileError.invalid(
            path: "config.yaml", setting: "oidc.a: issuer", .userName(ServerText("http://u@h")))
        #expect(throws: error) { _ = try file(text).provider("oidc.a", profile: "default") }
    }

    @Test func `Invalid UTF-8 is rejected, and a byte order mark and CRLF line ends are kept`() throws {
        #expect(throws: ConfigFileError.unreadable(path: "c", .notUTF8)) {
            try ConfigFile([0x61, 0xFF], path: "c")
        }
        var file = try file("\u{FEFF}profiles:\r\n  default:\r\n    vault: file # é\r\n")
        try file.setOneAccountPerEmail(false, profile: "default")
        #expect(
            try text(file)
                == "\u{FEFF}profiles:\r\n  default:\r\n    vault: file # é\r\n    one_account_per_email: false\r\n")
    }
}
