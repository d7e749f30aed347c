import AuthCore

/// The value of `--file-as`: the variable for a file's path, and the token in the file.
struct TokenVariable: Sendable {
    let name: String
    private(set) var type: CurrentToken.Kind?
    private(set) var audience: String?

    /// - Parameter text: `VARIABLE[,type=id|access][,audience=A]`
    init(_ text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        name = try TokenVariable.checked(parts[0])
        for (key, value) in try Parameters.parse(Array(parts.dropFirst()), TokenVariable.form) {
            switch key {
            case "type" where CurrentToken.Kind(rawValue: value) != nil: type = CurrentToken.Kind(rawValue: value)
            case "audience" where !value.isEmpty: audience = value
            default: throw TokenVariable.form
            }
        }
    }

    private static let form: UsageProblem =
        "--file-as must be a variable, then optionally ,type=id or ,type=access, and ,audience=AUDIENCE"

    static func checked(_ name: String) throws -> String {
        guard name.hasOnlyLettersAndDigits(or: "_"), let first = name.utf8.first, !first.isDigit else {
            throw UsageProblem.other("'\(name)' is not a valid variable name")
        }
        try refuse(
            if: name.hasPrefix("LD_") || changesPrograms.contains(name),
            "'\(name)' changes how programs are found or loaded, so it cannot be the variable of a token")
        return name
    }

    /// Programs cannot be started with a token in these variables, or would print it.
    private static let changesPrograms = ["PATH", "ENV", "BASH_ENV", "IFS", "GLIBC_TUNABLES", "GCONV_PATH"]

    /// The options for this file's token.
    func flags(_ common: TokenFlags) throws -> TokenFlags {
        var flags = common
        flags.type = type ?? common.type
        if let audience, flags.exchangeFlags.exchange != nil { flags.exchangeFlags.audience = [audience] }
        try flags.validate()
        try refuse(flags.installation.given, with: ["an audience": audience])
        let isExchanged = flags.exchangeFlags.exchange != nil || flags.type != .access
        try require("--exchange", isGiven: isExchanged, for: ["an audience with type=access": audience])
        return flags
    }
}
