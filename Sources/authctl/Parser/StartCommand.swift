import ArgumentParser
import AuthCore

/// `authctl` alone: the status, or how to begin. It always succeeds.
struct StartCommand: Command {
    static let examples: Examples = [:]

    @OptionGroup var options: GlobalOptions

    var errorContext: ErrorContext { StatusCommand.errorContext(nil) }
    var reportsProblems: Bool { true }

    func run(_ context: Context) async throws {
        var (isSignedIn, problem): (Bool, (any Error)?) = (false, nil)
        do {
            isSignedIn = try await StatusReport(of: nil, in: context).hasContent
            if isSignedIn { try await StatusCommand.show(of: nil, context) }
        } catch { problem = await context.explained(error) }
        if !isSignedIn { context.output.lines(Self.page(context), on: context.screen) }
        guard let problem, !(problem is ExitStatus) else { return }
        let failure = Failure(problem, while: errorContext).repeating(context.settings.repeatedOptions)
        Output.report(failure, isJSON: false)
    }

    /// The page for a user without a session. Providers of the system configuration replace the examples.
    private static func page(_ context: Context) -> [[Cell]] {
        var parts = (Help.screens["authctl"] ?? "").split(separator: "\n\n").map(String.init)
        let names = (try? context.profile.systemConfiguration().ids)?.map(context.names(of: []).provider)
        if context.environment.isOn("CI") {
            parts[1...2] = ["You are not signed in. In a CI job: authctl help ci"]
        } else if let names, !names.isEmpty {
            let rows = names.map { ["  authctl signin \($0)", "    set up by your organization"] }
            parts[2] = Table.lines(rows).joined(separator: "\n")
        }
        return WrittenScreen.lines(parts.joined(separator: "\n\n"), on: context.screen).map { line -> [Cell] in
            guard line.hasPrefix("  authctl ") else { return [Cell(line)] }
            let command = line.dropFirst(2).split(separator: "  ", maxSplits: 1).first ?? ""
            return ["  ", Cell(String(command), as: .important), Cell(String(line.dropFirst(2 + command.count)))]
        }
    }
}
