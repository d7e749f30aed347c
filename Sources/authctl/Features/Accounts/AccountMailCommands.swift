import ArgumentParser
import AuthCore

extension AccountsCommand {
    struct ResetPassword: PrintsJSON {
        static let output = View<(sentTo: String?, email: String?, sessionEnded: Bool?)> {
            Field("sentTo", of: \.sentTo)
            Field("email", of: \.email)
            Field("sessionEnded", of: \.sessionEnded)
        }

        static let configuration = CommandConfiguration(
            abstract: "Reset a forgotten password with an email from the Firebase project.",
            discussion: """
                Requests the email from the project. On a terminal, asks for its link and the new password. Without a \
                terminal, run the command again with --code and the link.
                """)
        static let examples: Examples = [
            "Send an email, and paste its link.": "authctl accounts reset-password ada@example.com",
            "In a script: read the link and the new password from standard input.":
                "authctl accounts reset-password ada@example.com --code - --password-stdin",
        ]

        @Argument(help: .init("The email address.", valueName: "address"))
        var email: String

        @OptionGroup var options: GlobalOptions
        @OptionGroup var mail: MailFlags

        @Flag(help: "Read the new password from standard input, after the line of --code - (requires --code).")
        var passwordStdin = false

        var errorContext: ErrorContext { .init("password not set", for: .changePassword) }

        func validate() throws {
            try require("--code", isGiven: mail.code != nil, for: ["--password-stdin": passwordStdin])
        }

        func run(_ context: Context) async throws {
            let directory = try context.profile.projectDirectory()
            if mail.code == nil {
                try await directory.sendPasswordReset(to: email)
                context.output.note("an email was sent to '\(email)', if an account has that address")
            }
            // Print the account before the user chooses a password.
            let code = try await MailCode.read(
                mail.code, for: .resetPassword, of: email, in: directory, context: context)
            guard let code else {
                let next: ShellCommand = "authctl accounts reset-password \(email) --code - --password-stdin"
                return context.output.done(
                    Self.output.json((email, nil, nil)),
                    "to complete it, pipe the link and the new password, one per line, into: \(context.text(of: next))")
            }
            let password = try PasswordInput.new(fromInput: passwordStdin, context)
            let isSessionEnded = try await context.profile.resetPassword(
                email, with: code, to: password, in: directory)
            context.output.done(
                Self.output.json((nil, email, isSessionEnded)),
                "'\(email)' signs in with the new password; earlier sessions have ended")
            guard isSessionEnded else { return }
            let signIn: ShellCommand = "authctl signin password --email \(email)"
            context.output.note("the session on this machine has ended: \(context.text(of: signIn))")
        }
    }

    struct VerifyEmail: PrintsJSON {
        static let output = View<(sentTo: String?, account: Account?)> {
            Field("sentTo", of: \.sentTo)
            Field("account", of: \.account)
        }

        static let configuration = CommandConfiguration(
            abstract: "Verify the current account's address with an email from the Firebase project.",
            discussion: """
                Requests the email from the project. On a terminal, asks for its link. Without a terminal, run the \
                command again with --code and the link. After opening the link in a browser, run 'authctl accounts \
                reload' instead.
                """)
        static let examples: Examples = [
            "Send an email, and paste its link.": "authctl accounts verify-email",
            "In a script: read the link from standard input.": "authctl accounts verify-email --code -",
        ]

        @OptionGroup var options: GlobalOptions
        @OptionGroup var mail: MailFlags

        var errorContext: ErrorContext { .init("address not verified") }

        func run(_ context: Context) async throws {
            let directory = try context.profile.projectDirectory()
            let account = try await context.accountStatus().account
            let email = account.email ?? ""
            guard !account.isEmailVerified else { return done(account, context) }
            if mail.code == nil {
                try await directory.sendVerification(for: account)
                context.output.note("an email was sent to '\(shown: email)'")
            }
            let code = try await MailCode.read(mail.code, for: .verifyEmail, of: email, in: directory, context: context)
            guard let code else {
                return context.output.done(
                    Self.output.json((email, nil)),
                    "to complete it, pipe the link into: authctl accounts verify-email --code -; or open it in a browser, then run: authctl accounts reload"
                )
            }
            done(try await directory.verifyEmail(code, of: account), context)
        }

        private func done(_ account: Account, _ context: Context) {
            let verified = account.isEmailVerified ? "is verified" : "is not verified"
            context.output.done(
                Self.output.json((nil, account)),
                "the address '\(shown: account.email ?? "")' \(verified)")
        }
    }
}
