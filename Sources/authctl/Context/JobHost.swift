import AuthCore

/// This machine as a CI system's job sees it.
struct JobHost: WorkloadHost {
    let environment: [String: String]

    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    var variableNames: [String] { Array(environment.keys) }

    func text(of path: String) -> String? { try? SecretInput.file(path) }

    func output(of command: [String]) async throws -> String {
        let result: Program.Result
        do {
            // The CI system's own program needs all of the job's environment.
            result = try await Program(command: command, environment: environment).run()
        } catch let error as Child.NotStarted {
            throw WorkloadError.command(command[0], ServerText(SystemText.of(error.code)))
        }
        guard result.isSuccess else {
            throw WorkloadError.command(command[0], ServerText(String(decoding: result.errors, as: UTF8.self)))
        }
        return String(decoding: result.output, as: UTF8.self)
    }
}

extension Context {
    /// What gets a job's token from its CI system.
    func workloads(_ store: Store?) throws -> WorkloadTokens {
        WorkloadTokens(host: JobHost(environment: environment), services: try services(store))
    }
}
