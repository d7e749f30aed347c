import AuthCore

extension ConfiguredFileError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let known = cause as? any UserFacingError ?? UnexpectedError(error: cause)
        return "\(setting): \(known.explanation(context).message)".hint(context.settings)
    }
}

extension ProfileError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .secretNotSet(let provider, let variable):
            "the client secret of '\(provider)' is configured as \(variable), which is not set"
        case .appCheckToken:
            "AUTHCTL_FIREBASE_APP_CHECK_TOKEN has a line break or another character that a header cannot carry"
        case .nameTaken(let name): "the profile '\(shown: name)' exists already".hint(run: "authctl profile list")
        case .emulator(let named, .malformed):
            "FIREBASE_AUTH_EMULATOR_HOST is '\(shown: named)'; it must be host:port, without a scheme"
        case .emulator(let named, .notAllowed(let host)):
            "FIREBASE_AUTH_EMULATOR_HOST is '\(shown: named)', which is not this machine: tokens and passwords would be sent unencrypted"
                .hint(
                    "\(run: "unset FIREBASE_AUTH_EMULATOR_HOST"); or allow that host: \(run: "authctl profile set --emulator-host \(host)")"
                )
        }
    }
}

extension EmulatorHost.Refusal: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .malformed: "the emulator's host must be host:port, not a URL"
        case .notAllowed: "the emulator is not on this machine: tokens and passwords would be sent unencrypted"
        }
    }
}

extension ConfigFileError: UserFacingError {
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .unreadable(let path, let fault): "'\(path)' cannot be read: \(shown: fault.message)"
        case .invalid(let path, let setting, let fault):
            "'\(path)': \(shown: setting): \(shown: fault.message)"
        case .unchangeable(let path, let fault): "'\(path)' cannot be changed: \(fault.message)".hint("edit it by hand")
        }
    }
}

extension ConfigFileFault {
    var message: String {
        switch self {
        case .notUTF8: "it is not UTF-8 text"
        case .tooLong(let limit): "it would be longer than \(limit) bytes"
        case .notAMapping(.top): "its top level is not a mapping"
        case .notAMapping(.profiles): "'profiles' is not a mapping"
        case .notAMapping(.profile(let name)): "profile '\(name)' is not a mapping"
        case .notAMapping(.providers): "'providers' is not a mapping"
        case .notAMapping(.provider(let id)): "provider '\(id)' is not a mapping"
        case .yaml(let problem): problem.message
        }
    }
}

extension YAMLProblem {
    var message: String { position.map { "\($0.message): \(reason.message)" } ?? reason.message }
}

extension YAMLProblem.Position {
    fileprivate var message: String { "line \(line), column \(column)" }
}

extension YAMLProblem.Reason {
    fileprivate var message: String {
        switch self {
        case .parser(let message, nil): message
        case .parser(let message, let context?): "\(message), \(context.message) from \(context.start.message)"
        case .notYAML: "it is not YAML"
        case .noMemory: "not enough memory to read it"
        case .stopped: "the parser stopped"
        case .secondDocument: "a second document begins"
        case .undefinedAlias: "found undefined alias"
        case .repeatedKey(let name): "'\(name)' is a duplicate key"
        case .keyIsNotText: "a key is not a string"
        case .mergeKey: "the merge key '<<' is not supported; write these settings here"
        case .noValue: "a value is missing"
        case .tooDeep(let levels): "it has more than \(levels) levels"
        case .tooManyValues(let limit): "its aliases expand to more than \(limit) values"
        case .tooManyBytes(let limit): "its aliases expand to more than \(limit) bytes"
        case .notAMapping: "its top level is not a mapping"
        case .unchangeable: "this setting cannot be changed automatically"
        case .tooManyChanges(let limit): "it requires more than \(limit) changes"
        }
    }
}

extension LocalDirectoryRequired: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "this profile uses a Firebase project".hint("choose another profile with --profile")
    }
}

extension ProjectRequired: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "this requires a Firebase project, but this profile uses the local directory".hint(
            run: "authctl profile import FILE")
    }
}
