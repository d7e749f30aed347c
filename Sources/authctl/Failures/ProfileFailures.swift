import AuthCore

extension EntryFileProblem: Told {
    func told(_ task: Undertaking) -> Failure {
        let words =
            (cause as? InputProblem).map { "\($0.what) cannot be read: \($0.reason)" }
            ?? Failure(cause, while: task).message
        return task.failure(.invalidConfiguration, "\(setting): \(words)", hint: .run(task.settings))
    }
}

extension ProfileError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .secretNotSet(let provider, let variable):
            return task.failure(
                .invalidConfiguration,
                "the client secret of '\(provider)' is to come from \(variable), which is not set",
                hint: "set \(variable)")
        case .appCheckToken:
            return task.failure(
                .invalidConfiguration,
                "AUTHCTL_FIREBASE_APP_CHECK_TOKEN has a line break or another character that a header cannot carry",
                hint: "set it to the token alone")
        case .emulator(let named, let refusal):
            let shown = "FIREBASE_AUTH_EMULATOR_HOST is '\(ServerText.shown(named))'"
            switch refusal {
            case .malformed:
                return task.failure(
                    .invalidConfiguration, "\(shown): it wants host:port, without a scheme",
                    hint: .run("export FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:9099"))
            case .notAllowed(let host):
                return task.failure(
                    .invalidConfiguration,
                    "\(shown), which is not this machine: tokens and passwords would go there as plain http",
                    hint:
                        "\(run: "unset FIREBASE_AUTH_EMULATOR_HOST"); or allow that host: \(run: "authctl profile set --emulator-host \(host)")"
                )
            }
        }
    }
}

extension ConfigFileError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .unreadable(let path, let fault):
            return Failure(
                .invalidConfiguration, "'\(path)' cannot be read: \(ServerText.shown(fault.words))",
                hint: "mend the file")
        case .unchangeable(let path, let fault):
            return Failure(
                .invalidConfiguration, "'\(path)' cannot be changed: \(fault.words)", hint: "change it by hand")
        }
    }
}

extension ConfigFileFault {
    var words: String {
        switch self {
        case .notUTF8: "it is not UTF-8 text"
        case .tooLong(let limit): "it would be longer than \(limit) bytes"
        case .noMapping(.top): "its top level is no mapping"
        case .noMapping(.profiles): "'profiles' is no mapping"
        case .noMapping(.profile(let name)): "profile '\(name)' is no mapping"
        case .noMapping(.providers): "'providers' is no mapping"
        case .noMapping(.provider(let id)): "provider '\(id)' is no mapping"
        case .yaml(let problem): problem.words
        }
    }
}

extension YAMLProblem {
    fileprivate var words: String { position.map { "\($0.words): \(reason.words)" } ?? reason.words }
}

extension YAMLProblem.Position {
    fileprivate var words: String { "line \(line), column \(column)" }
}

extension YAMLProblem.Reason {
    fileprivate var words: String {
        switch self {
        case .parser(let said, nil): said
        case .parser(let said, let context?): "\(said), \(context.words) from \(context.start.words)"
        case .noYAML: "it is no YAML"
        case .noMemory: "there is no memory to read it"
        case .stopped: "the parser stopped"
        case .secondDocument: "a second document begins"
        case .undefinedAlias: "found undefined alias"
        case .repeatedKey(let name): "'\(name)' stands there twice"
        case .keyIsNoText: "a key is no text"
        case .noValue: "a value is missing"
        case .tooDeep(let levels): "it has more than \(levels) levels"
        case .tooManyValues(let limit): "with its aliases written out it would have more than \(limit) values"
        case .tooManyBytes(let limit): "with its aliases written out it would be longer than \(limit) bytes"
        case .noMapping: "its top level is no mapping"
        case .fixed: "what stands there cannot be changed by itself"
        case .tooManyChanges(let limit): "it takes more than \(limit) changes"
        }
    }
}
