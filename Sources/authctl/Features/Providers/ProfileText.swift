import AuthCore

enum ProfileText {
    static func show(_ context: Context) throws {
        let file = try context.profile.settings()
        let isOne = try file.oneAccountPerEmail(profile: context.profile.name)
        let project = try file.firebaseProject(profile: context.profile.name)
        let settings =
            project.map { "accounts are stored in the Firebase project '\(shown: $0.projectID)'\($0.others)" }
            ?? "one account per email is \(isOne ? "on" : "off")"
        context.output.done(
            [
                "profile": .string(context.profile.name), "directory": .string(project == nil ? "local" : "firebase"),
                "projectId": JSONValue(project?.projectID), "oneAccountPerEmail": project == nil ? .bool(isOne) : .null,
            ], "profile '\(context.profile.name)': \(settings)")
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
