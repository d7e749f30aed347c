import ArgumentParser
import AuthCore

/// A command of ours: what `main` needs to run it and to say what failed.
protocol Command: AsyncParsableCommand, Sendable {
    var options: GlobalOptions { get }
    /// What was being done, for the error line.
    var task: Undertaking { get }
    func run(_ context: Context) async throws
}
