import AuthCore

struct DockerConfiguration {
    let path: String
    private var file: JSONFile
    let helpers: JSONObject

    init(_ environment: Environment) throws {
        path = (environment["DOCKER_CONFIG"] ?? environment.home + "/.docker") + "/config.json"
        file = try JSONFile(path)
        helpers = try file.object("credHelpers")
    }

    var installed: [String] { helpers.members.filter { $0.value == "authctl" }.map(\.name) }

    mutating func set(_ registry: String, _ helper: String?) {
        if let helper {
            file.text.set("credHelpers", registry, .string(helper))
        } else {
            file.text.remove("credHelpers", registry)
        }
    }

    func save() throws { try file.save() }
}
