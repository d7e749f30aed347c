import AuthCore

/// Docker's own settings.
struct DockerConfiguration {
    let path: String
    private var file: JSONFile
    /// The credential helpers by registry, as the file has them.
    let helpers: JSONObject

    /// - Throws: `CommandError` for a file that is no JSON object.
    init(_ environment: Environment) throws {
        path = (environment["DOCKER_CONFIG"] ?? environment.home + "/.docker") + "/config.json"
        file = try JSONFile(path)
        helpers = try file.object("credHelpers")
    }

    /// Sets the helper of a registry, or removes it with nil.
    mutating func set(_ registry: String, _ helper: String?) {
        if let helper {
            file.text.set("credHelpers", registry, .string(helper))
        } else {
            file.text.remove("credHelpers", registry)
        }
    }

    /// - Throws: `StoreError`.
    func save() throws { try file.save() }
}
