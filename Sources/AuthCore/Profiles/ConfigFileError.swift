/// Why `config.yaml` cannot be read or changed.
package enum ConfigFileError: CodedError, Sendable, Equatable {
    case unreadable(path: String, ConfigFileFault)
    case unchangeable(path: String, ConfigFileFault)
    case invalid(path: String, setting: String, SettingFault)

    package var code: ErrorCode { .invalidConfiguration }
}

package enum ConfigFileFault: Sendable, Equatable {
    case notUTF8
    /// The changed file would be longer than this many bytes.
    case tooLong(limit: Int)
    case notAMapping(Part)
    case yaml(YAMLProblem)

    /// A part of the file that must be a mapping.
    package enum Part: Sendable, Equatable {
        case top
        case profiles
        case profile(String)
        case providers
        case provider(String)
    }
}
