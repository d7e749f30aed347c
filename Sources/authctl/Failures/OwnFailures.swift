import AuthCore

extension UsageProblem: Told {
    func told(_ task: Undertaking) -> Failure { task.usage(text) }
}

extension NoAnswer: Told {
    func told(_ task: Undertaking) -> Failure { task.usage(reason) }
}

extension ConfigurationProblem: Told {
    func told(_ task: Undertaking) -> Failure { task.failure(.invalidConfiguration, text, hint: hint) }
}

extension InputProblem: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(.usage, "\(what) cannot be read: \(reason)", hint: .run(task.help))
    }
}

extension NothingToVerify: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(.invalidIDToken, "there is no token in \(source)", hint: .run("authctl verify --help"))
    }
}

extension SettingsDropped: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .usage, "'\(provider)' is there already, and this would drop its \(settings.joined(separator: ", "))",
            hint:
                "to change what is named alone: \(run: "authctl providers set \(provider) --help"); --replace drops the rest"
        )
    }
}

extension Child.NotStarted: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .commandNotRun, exitCode: exitCode, "'\(ServerText(command))': \(SystemText.of(code))",
            hint: .run("authctl exec --help"))
    }
}

extension RevocationFailed: Told {
    func told(_ task: Undertaking) -> Failure {
        let listed = providers.map { "'\($0)'" }.joined(separator: ", ")
        guard !isOtherClients else { return otherClients(listed) }
        return Failure(
            .providerUnavailable,
            isRetried
                ? "\(listed) did not confirm the revocation this time either"
                : "signed out here, but \(listed) did not confirm the revocation",
            hint: isKept
                ? "to try again: \(run: "authctl signout --retry"); or revoke the session on the provider's own page"
                : "revoke the session on the provider's own page")
    }

    private func otherClients(_ listed: String) -> Failure {
        let reason = "the tokens of \(listed) are another client's than the entry names now, and were not revoked"
        return Failure(
            .providerUnavailable, isRetried ? reason : "signed out here, but \(reason)",
            hint: isKept
                ? "to name theirs again: \(run: "authctl providers set --help"); then: \(run: "authctl signout --retry"); or revoke the session on the provider's own page"
                : "revoke the session on the provider's own page")
    }
}

extension NothingRevoked: Told {
    func told(_ task: Undertaking) -> Failure {
        var own = Undertaking("", provider: provider, again: "authctl signout --retry")
        own.command = task.command
        let failure = Failure(error, while: own)
        let retry: ShellCommand = "authctl signout --retry --provider \(provider)"
        let hint: Hint =
            !isKept
            ? "revoke the session on the provider's own page"
            : failure.hint.map { "\($0); then: \(run: retry)" } ?? .run(retry)
        return Failure(
            Failure.Code(rawValue: failure.code) ?? .internalError, exitCode: failure.exitCode,
            (isRetried ? "nothing is revoked" : "signed out here, and nothing is revoked") + failure.message, hint: hint
        )
    }
}

extension DirectoryElsewhere: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .operationNotAllowed, "the accounts of this profile live in a Firebase project",
            hint: "firebase auth:export, or another profile with --profile")
    }
}

extension AnonymousLost: Told {
    func told(_ task: Undertaking) -> Failure {
        task.usage(
            "nobody can come back to \(what), not even you: say --yes",
            hint: "to keep it, first: \(run: "authctl link --provider password")")
    }
}

extension NoProject: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .operationNotAllowed,
            "only a Firebase project can do that, and the accounts of this profile live on this machine",
            hint: "another profile with --profile; or to set one up: \(run: "authctl profile import --help")")
    }
}

extension LinkNeeded: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .interactionRequired, "a person is needed, who reads a mail and pastes its link",
            hint: "to have it sent: \(run: "\(command) --begin"), then, with its link: \(run: "\(command) --code -")")
    }
}

extension ToolProblem: Told {
    func told(_ task: Undertaking) -> Failure { task.failure(.toolNotSetUp, text, hint: hint) }
}

extension HostUnknown: Told {
    func told(_ task: Undertaking) -> Failure {
        if let owner, owner != provider {
            return task.failure(
                .operationNotAllowed,
                "'\(ServerText.shown(host))' is a host of '\(owner)'"
                    + (provider.map { ", and not of '\(ServerText.shown($0))'" } ?? ""), hint: .signIn(owner))
        }
        let hint: Hint =
            provider.map { "if one is: \(run: "authctl providers set \($0) --api-host \(host)")" }
            ?? "if one is, say so with --api-host \(host): \(run: "authctl providers set --help")"
        return task.failure(.operationNotAllowed, "no provider here is for '\(host)'", hint: hint)
    }
}

extension CancellationError: Told {
    func told(_ task: Undertaking) -> Failure { task.failure(.userCancelled, "cancelled", hint: .run(task.again)) }
}

extension NotConfigured: Told {
    func told(_ task: Undertaking) -> Failure {
        Failure(
            .notSignedIn, "not signed in to '\(ServerText.shown(provider))', which is not configured",
            hint: task.registering(provider))
    }
}

extension SignInAfterSetup: Told {
    func told(_ task: Undertaking) -> Failure {
        var own = Undertaking("sign-in failed", provider: provider, again: again)
        own.command = ["signin"]
        let failure = Failure(error, while: own)
        var hint = failure.hint ?? .run(again)
        if !hint.parts.contains(.command(again)) { hint = "\(hint); to go on: \(run: again)" }
        var told = Failure(
            Failure.Code(rawValue: failure.code) ?? .internalError, exitCode: failure.exitCode,
            "'\(ServerText.shown(provider))' is set up and stays so; \(failure.message)", hint: hint)
        told.details = failure.details
        return told
    }
}

extension ExchangeFailed: Told {
    func told(_ task: Undertaking) -> Failure {
        var own = Undertaking(task.failed, provider: provider, again: "authctl providers check \(provider)")
        own.command = task.command
        own.resource = resource
        own.audiences = audiences
        return Failure(error, while: own)
    }
}

extension ConflictAtHome: Told {
    func told(_ task: Undertaking) -> Failure {
        let failure = conflict.told(task)
        var own = Failure(
            .accountExistsWithDifferentCredential, "\(failure.message), the account that is signed in",
            hint: .run("authctl link --pending \(pendingID)"))
        own.details = failure.details
        return own
    }
}

extension FieldMissing: Told {
    func told(_ task: Undertaking) -> Failure {
        let place = self.place.isEmpty ? "there is" : "'\(ServerText.shown(self.place))' has"
        let listed = known.isEmpty ? "" : "; there: \(known.joined(separator: ", "))"
        return .usage("--field: \(place) no '\(ServerText.shown(part))'\(listed)", hint: path.whole)
    }
}

extension NoSuchProfile: Told {
    func told(_ task: Undertaking) -> Failure {
        .usage(
            "there is no profile '\(profile)'; known: \(known.joined(separator: ", ")); --create makes it",
            hint: .run("authctl profile list"))
    }
}

extension NothingInProfile: Told {
    func told(_ task: Undertaking) -> Failure {
        let failure = Failure(error, while: task)
        var told = Failure(
            Failure.Code(rawValue: failure.code) ?? .internalError, exitCode: failure.exitCode,
            "\(failure.message); profile '\(profile)' has nothing in it: known: \(known.joined(separator: ", "))",
            hint: .run("authctl profile list"))
        told.details = failure.details
        return told
    }
}
