import FoundationEssentials
import Glibc

enum Program {
    static var folder: String {
        ProcessInfo.processInfo.environment["AUTHCTL_BIN"]
            ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    }

    static func output(_ command: [String]) throws -> String {
        try output("'\(folder)/\(command[0])' \(command.dropFirst().joined(separator: " "))")
    }

    /// Returns the output of a shell command.
    static func output(_ command: String) throws -> String {
        guard let pipe = popen(command, "r") else {
            throw CocoaError(.fileReadUnknown)
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer[..<count] }
        guard pclose(pipe) == 0 else { throw CocoaError(.fileReadUnknown) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The argument parser's description of the commands.
struct CommandDump: Decodable {
    struct Name: Decodable {
        let kind: String
        let name: String
    }

    struct Argument: Decodable {
        let abstract: String?
        let names: [Name]?
        let shouldDisplay: Bool
    }

    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let aliases: [String]?
        let subcommands: [Command]?
        let arguments: [Argument]?

        var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }

        /// The flags of the command and its subcommands, long and short, without dashes.
        var flags: Set<String> { flags { _ in true } }
        /// The flags that help shows.
        var shownFlags: Set<String> { flags(where: \.shouldDisplay) }

        private func flags(where isIncluded: (Argument) -> Bool) -> Set<String> {
            Set(all.flatMap { $0.arguments ?? [] }.filter(isIncluded).flatMap { $0.names ?? [] }.map(\.name))
        }
    }

    let command: Command

    static func of(_ program: String) throws -> CommandDump {
        let json = try Program.output([program, "--experimental-dump-help"])
        return try JSONDecoder().decode(CommandDump.self, from: Data(json.utf8))
    }

    /// The top-level commands.
    var verbs: [Command] { (command.subcommands ?? []).filter { $0.commandName != "help" } }

    private var ours: [Command] { command.all.filter { $0.commandName != "help" } }

    private func names(_ kinds: Set<String>) -> Set<String> {
        Set(
            ours.flatMap { $0.arguments ?? [] }.flatMap { $0.names ?? [] }.filter { kinds.contains($0.kind) }.map(
                \.name))
    }

    var flags: Set<String> { names(["long", "longWithSingleDash"]) }
    var shortFlags: Set<String> { names(["short"]) }

    var abstracts: [String] {
        ours.flatMap { [$0.abstract] + ($0.arguments ?? []).map(\.abstract) }.compactMap { $0 }.filter { !$0.isEmpty }
    }
}
