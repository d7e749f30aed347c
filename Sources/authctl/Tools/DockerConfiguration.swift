import AuthCore
import Glibc

/// Docker's own settings.
struct DockerConfiguration {
    let path: String

    init(_ environment: [String: String]) {
        let directory = environment["DOCKER_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        path = (directory ?? (environment["HOME"] ?? "") + "/.docker") + "/config.json"
    }

    /// The settings as they are; empty where there are none.
    func read() throws -> JSONObject {
        guard access(path, F_OK) == 0 else { return JSONObject() }
        guard let read = try? StrictJSON.object(try SecretInput.bytes(path)) else {
            throw ToolProblem("'\(path)' is no JSON object; nothing was changed")
        }
        return read
    }

    /// The settings with this helper for some registries, those of them that are new, and what they had before.
    func adding(
        _ registries: [String]
    ) throws -> (content: [UInt8], added: [String], former: [(registry: String, helper: String)]) {
        var settings = try read()
        var helpers = settings["credHelpers"]?.object ?? JSONObject()
        let added = registries.filter { helpers[$0] != "authctl" }
        let former = added.compactMap { registry in helpers[registry]?.string.map { (registry, $0) } }
        for registry in added { helpers[registry] = "authctl" }
        settings["credHelpers"] = .object(helpers)
        return (Array((JSONValue.object(settings).text + "\n").utf8), added, former)
    }
}
