import AuthCore

extension UsageProblem: Told {
    func told(_ task: Undertaking) -> Failure { .usage(text) }
}

extension ConfigurationProblem: Told {
    func told(_ task: Undertaking) -> Failure { task.failure(.invalidConfiguration, text, hint: hint) }
}

extension InputProblem: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(.usage, "\(what) cannot be read: \(reason)", hint: "authctl --help")
    }
}

extension NothingToVerify: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(.invalidIDToken, "there is no token in \(source)", hint: "authctl verify --help")
    }
}

extension SettingsDropped: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .usage, "'\(provider)' is there already, and this would drop its \(settings.joined(separator: ", "))",
            hint: "authctl providers set \(provider) changes what is named alone; --replace drops the rest")
    }
}

extension Child.NotStarted: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .commandNotRun, exitCode: exitCode, "'\(ServerText(command))': \(SystemText.of(code))",
            hint: "authctl exec --help")
    }
}

extension RevocationFailed: Told {
    func told(_ task: Undertaking) -> Failure {
        let listed = providers.map { "'\($0)'" }.joined(separator: ", ")
        return Failure(
            .providerUnavailable, "signed out here, but \(listed) did not confirm the revocation",
            hint: "revoke the session on the provider's own page")
    }
}

extension DirectoryElsewhere: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .operationNotAllowed, "the accounts of this profile live in a Firebase project",
            hint: "firebase auth:export, or another profile with --profile")
    }
}

extension ToolProblem: Told {
    func told(_ task: Undertaking) -> Failure { task.failure(.toolNotSetUp, text, hint: hint) }
}

extension HostUnknown: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .operationNotAllowed, "no provider here is for '\(host)'",
            hint: "if one is: authctl providers set \(provider ?? "ID") --api-host \(host)")
    }
}

extension CancellationError: Told {
    func told(_ task: Undertaking) -> Failure { task.failure(.userCancelled, "cancelled", hint: task.again) }
}
