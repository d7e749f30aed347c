import Testing

@testable import authctl

/// How shells set a variable.
@Suite struct `An exported variable` {
    @Test(arguments: [
        ("sh", "export A='it'\\''s \\ $x'"), ("fish", "set -gx A 'it\\'s \\\\ $x'"), ("pwsh", "$env:A = 'it''s \\ $x'"),
    ])
    func `stands in each shell's own quotes, whatever is in it`(shell: String, written: String) throws {
        #expect(try #require(ShellKind(named: shell)).export("A", "it's \\ $x") == written)
    }

    @Test func `shells go by their names, and others are refused`() {
        #expect(ShellKind(named: "zsh") == .posix && ShellKind(named: "posix") == .posix)
        #expect(ShellKind(named: "powershell") == .powershell)
        #expect(ShellKind(named: "cmd") == nil && ShellKind(named: "") == nil)
    }
}
