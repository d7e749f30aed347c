/// The machine that a profile runs on: environment, clock and user. Passed in, so that no other code reads them.
package protocol ProfileHost: WorkloadHost, VaultHost {
    func transport() throws -> any HTTPTransport
    /// Reads a secret from a file, without one newline at its end.
    func secret(inFile path: String) throws -> String
    func file(_ path: String) throws -> NamedFile
    func passphrase(ofKey path: String) -> KeyPassphrase?
    /// The second factor's code for a Firebase project; nil if the user cannot be asked, which is the default.
    func oneTimeCode(_ factor: SecondFactor) throws -> SecondFactor.EnteredCode?
    func note(_ note: DirectoryNote)
    func note(_ note: RequestNote)
    func note(_ problem: SystemConfigurationError)
}

extension ProfileHost {
    package func note(_ note: RequestNote) {}
    package func oneTimeCode(_ factor: SecondFactor) throws -> SecondFactor.EnteredCode? { nil }
}

/// A file that should hold a private key and does not, or none that can be used.
package struct PrivateKeyProblem: UnusableClient, Equatable {
    package let file: String
    package let error: KeyError
    package var code: ErrorCode { .invalidConfiguration }
}

/// A file that an entry names and that cannot be read.
package struct EntryFileProblem: UnusableClient {
    package let setting: String
    package let cause: any Error
    package var code: ErrorCode { .invalidConfiguration }
}

/// A file that should hold a client's certificate and does not, or one that cannot be presented.
package struct CertificateProblem: UnusableClient, Equatable {
    package let file: String
    package let error: CertificateError
    package var code: ErrorCode { .invalidConfiguration }
}

/// Something that only the local directory can do.
package struct LocalDirectoryRequired: CodedError, Sendable, Equatable {
    package var code: ErrorCode { .operationNotAllowed }
}

/// Something that only a Firebase project can do.
package struct NoProject: CodedError, Sendable, Equatable {
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
