import AuthCore

enum ProfileText {
    /// The output of commands that change a profile.
    static let output = View<(name: String, project: FirebaseSettings?, isOneAccountPerEmail: Bool)> {
        Field("profile", of: \.name)
        Field("directory", of: { directory($0.project) }, means: "local, firebase")
        Field("projectId", of: \.project?.projectID, means: "null: local accounts")
        Field(
            "oneAccountPerEmail", of: { $0.project == nil ? $0.isOneAccountPerEmail : nil },
            means: "null: the project decides")
    }

    static func directory(_ project: FirebaseSettings?) -> String { project == nil ? "local" : "firebase" }

    static func show(_ context: Context) throws {
        let file = try context.profile.settings()
        let isOne = try file.oneAccountPerEmail(profile: context.profile.name)
        let project = try file.firebaseProject(profile: context.profile.name)
        let settings =
            project.map { "accounts are stored in the Firebase project '\(shown: $0.projectID)'\($0.others)" }
            ?? "one account per email is \(isOne ? "on" : "off")"
        context.output.done(
            output.json((context.profile.name, project, isOne)), "profile '\(context.profile.name)': \(settings)")
    }
}

extension FirebaseSettings {
    /// The settings other than the API key and the project's ID.
    fileprivate var others: String {
        FirebaseSettings.settings.dropFirst(2).compactMap { setting in
            setting.written(self).map { ", \(setting.option ?? setting.key) \($0.displayText)" }
        }.joined()
    }
}
