import Testing

@testable import authctl

@Suite struct `Exported variables` {
    @Test(arguments: [
        ("sh", "export A='it'\\''s \\ $x'"), ("fish", "set -gx A 'it\\'s \\\\ $x'"), ("pwsh", "$env:A = 'it''s \\ $x'"),
    ])
    func `an exported value is quoted as its shell requires`(shell: String, written: String) throws {
        #expect(try #require(ShellKind(argument: shell)).export("A", "it's \\ $x") == written)
    }

    @Test func `shells are recognized by name, and unknown shells are refused`() {
        #expect(ShellKind(argument: "zsh") == .posix && ShellKind(argument: "posix") == .posix)
        #expect(ShellKind(argument: "powershell") == .powershell)
        #expect(ShellKind(argument: "cmd") == nil && ShellKind(argument: "") == nil)
    }
}
