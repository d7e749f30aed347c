import ArgumentParser
import Foundation
import Testing

@testable import authctl

/// Commands in sentences and tables of README and docs/, which a reader may type.
@Suite struct `Commands in README and docs` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func commands() throws -> [(path: String, command: String)] {
        let docs = try FileManager.default.subpathsOfDirectory(atPath: root.path + "/docs")
        return try (["README.md"] + docs.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }).flatMap { path in
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            // The text in backticks outside code blocks.
            let sentences = text.split(separator: "\n```", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: "\n")
            return sentences.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("authctl ") }
                .map { (path, $0.element.replacingOccurrences(of: "\n", with: " ")) }
        }
    }

    @Test func `every command in a sentence of the documentation is accepted by the parser`() throws {
        let commands = try Self.commands()
        #expect(commands.count > 80)
        for (path, command) in commands {
            let typed = command.prefix(upTo: command.firstRange(of: /\s\d?[<>]/)?.lowerBound ?? command.endIndex)
            let words = typed.split(separator: " ").map(String.init)
            do {
                _ = try Authctl.parseAsRoot(FormerCommands.renamed(in: Array(words.dropFirst())))
            } catch {
                #expect(Authctl.exitCode(for: error).isSuccess, "\(path): \(command): \(Authctl.message(for: error))")
            }
        }
    }
}
