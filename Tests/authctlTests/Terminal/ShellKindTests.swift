import Testing

@testable import authctl

@Suite struct `Exported variables` {
    @Test(arguments: [
        ("sh", "export A='it'\\''s \\ $x'"), ("fish", "set -gx A 'it\\'s \\\\ $x'"), ("pwsh", "$env:A = 'it''s \\ $x'"),
    ])
    func `an exported value is quoted as its shell requires`(shell: String, written: String) throws {
        #expect(try #require(ShellKind(named: shell)).export("A", "it's \\ $x") == written)
    }

    @Test func `shells are recognized by name, and unknown shells are refused`() {
        #expect(ShellKind(named: "zsh") == .posix && ShellKind(named: "posix") == .posix)
        #expect(ShellKind(named: "powershell") == .powershell)
        #expect(ShellKind(named: "cmd") == nil && ShellKind(named: "") == nil)
    }
}
