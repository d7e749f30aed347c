import ArgumentParser
import AuthCore

extension ProfileCommand {
    struct Import: AccountIndependent, PrintsJSON {
        static let output = ProfileText.output
        static let configuration = CommandConfiguration(
            abstract: "Use the Firebase project of a web app's configuration.",
            discussion: """
                Reads the firebaseConfig of the console as JSON or JavaScript, google-services.json, \
                GoogleService-Info.plist, or the output of 'firebase apps:sdkconfig --json'.
                """)
        static let examples: Examples = [
            "Read the project from a file of the Firebase console.": "authctl profile import google-services.json",
            "Read the output of the Firebase CLI.": "firebase apps:sdkconfig WEB | authctl profile import -",
        ]

        @Argument(help: .init("The file, or - for standard input.", valueName: "file|-"), completion: .file())
        var source: String

        @OptionGroup var options: GlobalOptions

        @OptionGroup(title: "Firebase project") var use: ProjectUseFlags

        var errorContext: ErrorContext { .init("profile not changed") }

        func run(_ context: Context) async throws {
            let text = String(decoding: try SecretInput.bytes(source), as: UTF8.self)
            let all = FirebaseSettings.all(in: text)
            guard var settings = all.first else {
                throw CommandError(
                    .usage, "'\(source)' does not contain both an API key and a project ID", isComplete: false)
            }
            guard all.count == 1 else {
                throw CommandError(
                    .usage, "'\(source)' contains several projects: \(quoted: all.map(\.projectID))",
                    hint:
                        "keep one of them in the file, or use: \(run: "authctl profile set --directory firebase --api-key KEY --project-id ID")",
                    isComplete: false)
            }
            try use.apply(to: &settings)
            try await context.profile.changingSettings {
                var file = try context.profile.settings()
                try file.setDirectory(settings, profile: context.profile.name)
                try file.save(in: context.configDirectory)
            }
            try ProfileText.show(context)
        }
    }
}
