/// The machine that a profile runs on: environment, clock and user. Passed in, so that no other code reads them.
package protocol ProfileHost: WorkloadHost, VaultHost {
    func transport() throws -> any HTTPTransport
    /// Reads a secret from a file, without a final newline.
    func secret(inFile path: String) throws -> String
    func file(_ path: String) throws -> NamedFile
    func passphrase(ofKey path: String) -> KeyPassphrase?
    /// The second factor's code for a Firebase project; nil if the user cannot be asked, which is the default.
    func oneTimeCode(_ factor: SecondFactor) throws -> SecondFactor.EnteredCode?
    /// Called before and after a refresh. If the process ends in between, the new refresh token is lost.
    func refresh(isRunning: Bool)
    func note(_ note: DirectoryNote)
    func note(_ note: RequestNote)
    func note(_ problem: SystemConfigurationError)
}

extension ProfileHost {
    package func refresh(isRunning: Bool) {}
    package func note(_ note: RequestNote) {}
    package func oneTimeCode(_ factor: SecondFactor) throws -> SecondFactor.EnteredCode? { nil }
}

/// A file with a private key or a certificate that cannot be used, or without one.
package struct KeyFileProblem: UnusableClient, Equatable {
    package let file: String
    package let error: KeyError
    package var code: ErrorCode { .invalidConfiguration }
}

/// A file that a provider configuration names and that cannot be read.
package struct ConfiguredFileError: UnusableClient {
    package let setting: String
    package let cause: any Error
    package var code: ErrorCode { .invalidConfiguration }
}

/// An operation that only the local directory supports.
package struct LocalDirectoryRequired: CodedError, Sendable, Equatable {
    package var code: ErrorCode { .operationNotAllowed }
}

/// An operation that only a Firebase project supports.
package struct ProjectRequired: CodedError, Sendable, Equatable {
    package var code: ErrorCode { .operationNotAllowed }
}

/// A setting outside of `config.yaml` that a profile cannot use.
package enum ProfileError: UnusableClient, Equatable {
    case emulator(String, EmulatorHost.Refusal)
    case secretNotSet(provider: String, variable: String)
    case appCheckToken
    case nameTaken(String)

    package var code: ErrorCode { if case .nameTaken = self { .usage } else { .invalidConfiguration } }
}
