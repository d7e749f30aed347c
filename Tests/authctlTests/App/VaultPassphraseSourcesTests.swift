import AuthCore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import authctl

@Suite final class `Sources of the vault passphrase` {
    private let temporary: TemporaryFolder
    private let folder: String

    init() throws {
        temporary = try TemporaryFolder()
        folder = temporary.path
    }

    private func file(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o600) throws -> String {
        let path = "\(folder)/\(name)"
        unlink(path)
        try Data(bytes).write(to: URL(filePath: path))
        chmod(path, mode)
        return path
    }

    private func given(
        _ environment: [String: String], _ settings: Settings = Settings(), _ purpose: PassphrasePurpose = .opening
    ) throws -> String? {
        let all = environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }
        return try VaultPassphraseSources(environment: Environment(all), settings: settings).given(purpose)?.revealed()
    }

    private func refused(_ environment: [String: String]) -> String? {
        do {
            _ = try given(environment)
            return nil
        } catch {
            return (error as? CommandError).map { Failure($0, while: ErrorContext()).message } ?? "\(error)"
        }
    }

    @Test func `the passphrase comes from a file, else a command, else the service's credentials`() throws {
        let path = try file("one", Array("from a file\n".utf8))
        _ = try file("authctl-passphrase", Array("from a service".utf8), mode: 0o400)
        var all = [
            "AUTHCTL_PASSPHRASE_FILE": path, "AUTHCTL_PASSPHRASE_COMMAND": "echo 'from a command'",
            "CREDENTIALS_DIRECTORY": folder,
        ]
        #expect(try given(all) == "from a file")
        all["AUTHCTL_PASSPHRASE_FILE"] = ""
        #expect(try given(all) == "from a command")
        all["AUTHCTL_PASSPHRASE_COMMAND"] = nil
        #expect(try given(all) == "from a service")
        all["CREDENTIALS_DIRECTORY"] = folder + "/other"
        #expect(try given(all) == nil)
        #expect(try given([:]) == nil)
    }

    @Test func `no other source is used if the first source has no passphrase`() throws {
        let all = ["AUTHCTL_PASSPHRASE_FILE": folder + "/none", "AUTHCTL_PASSPHRASE_COMMAND": "echo two"]
        #expect(refused(all)?.contains("cannot be read: No such file") == true)
    }

    @Test func `the passphrase is the file's text without one final line end`() throws {
        for (text, passphrase) in [
            ("a b", "a b"), ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), (" a \n", " a "), ("a\nb\n", "a\nb"),
            ("é", "é"),
        ] {
            let path = try file("one", Array(text.utf8))
            #expect(try given(["AUTHCTL_PASSPHRASE_FILE": path]) == passphrase, "\(text.debugDescription)")
        }
        for (bytes, reason) in [([], "empty"), ([10], "empty"), ([13, 10], "empty"), ([0x61, 0xFF], "UTF-8")]
            as [([UInt8], String)]
        {
            let path = try file("one", bytes)
            #expect(refused(["AUTHCTL_PASSPHRASE_FILE": path])?.contains(reason) == true, "\(bytes)")
        }
    }

    @Test func `a passphrase file that other users can access is refused`() throws {
        for mode in [0o640, 0o604, 0o620, 0o602, 0o644, 0o660, 0o610] as [mode_t] {
            let path = try file("one", Array("a".utf8), mode: mode)
            let text = refused(["AUTHCTL_PASSPHRASE_FILE": path])
            #expect(text?.contains("by other users (mode 0\(String(mode, radix: 8)))") == true)
            #expect(refused(["CREDENTIALS_DIRECTORY": folder]) == nil)
        }
        for mode in [0o600, 0o400, 0o700] as [mode_t] {
            #expect(try given(["AUTHCTL_PASSPHRASE_FILE": try file("one", Array("a".utf8), mode: mode)]) == "a")
        }
        // Secrets that Kubernetes mounts are symbolic links.
        symlink(folder + "/one", folder + "/link")
        #expect(try given(["AUTHCTL_PASSPHRASE_FILE": folder + "/link"]) == "a")
        #expect(refused(["AUTHCTL_PASSPHRASE_FILE": folder])?.contains("not a regular file") == true)
        #expect(refused(["AUTHCTL_PASSPHRASE_FILE": "/dev/zero"])?.contains("not a regular file") == true)
        _ = try file("authctl-passphrase", Array("a".utf8), mode: 0o644)
        #expect(refused(["CREDENTIALS_DIRECTORY": folder])?.contains("by other users") == true)
    }

    @Test func `the passphrase is the first line that the command prints, and no shell runs it`() throws {
        func output(_ command: String) throws -> String? { try given(["AUTHCTL_PASSPHRASE_COMMAND": command]) }
        #expect(try output("printf 'a b\\nsecond\\n'") == "a b")
        #expect(try output("printf '%s\\r\\n' \"a b\"") == "a b")
        #expect(try output("printf %s $HOME;id") == "$HOME;id")
        #expect(try output(#"printf %s it\'s"#) == "it's")
        // The command must not get the passphrase's source or other secrets of authctl.
        let all = [
            "AUTHCTL_PASSPHRASE_COMMAND": "env", "AUTHCTL_PASSPHRASE_OTHER": "x", "AUTHCTL_A_CLIENT_SECRET": "x",
            "B": "yes",
        ]
        let path = try file("names", [])
        _ = try given(all.merging(["AUTHCTL_PASSPHRASE_COMMAND": "sh -c 'env >\(path); echo a'"]) { $1 })
        let names = String(decoding: try TestFile.read(path), as: UTF8.self)
        #expect(names.contains("B=yes") && !names.contains("AUTHCTL_"))
    }

    @Test func `the error for a failed passphrase command never contains the command's output`() throws {
        func message(_ command: String) -> String { refused(["AUTHCTL_PASSPHRASE_COMMAND": command]) ?? "" }
        for (command, reason) in [
            ("sh -c 'echo hunter2; echo hunter2 >&2; exit 3'", "'sh' ended with status 3"),
            ("sh -c 'echo hunter2; kill -9 $$'", "'sh' was ended by signal 9"),
            ("sh -c 'echo; echo hunter2'", "'sh' did not print a passphrase"),
            ("true hunter2", "'true' did not print a passphrase"),
            ("sh -c 'printf \"hunter2\\377\"'", "not UTF-8"),
            ("no-such-program hunter2", "'no-such-program' cannot be run: No such file or directory"),
            ("'hunter2", "an unterminated quote"), ("  ", "does not name a program"), ("''", "does not name a program"),
        ] {
            #expect(message(command).contains(reason), "\(message(command))")
            #expect(!message(command).contains("hunter2"), "\(message(command))")
        }
    }

    @Test func `a descriptor gives the new passphrase if one is set, and must not be opened by authctl`() throws {
        let path = try file("one", Array("from a file".utf8))
        let own = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(own) }
        var settings = Settings()
        settings.passphraseDescriptor = own
        func isRefused(_ environment: [String: String], _ purpose: PassphrasePurpose) {
            let error = #expect(throws: InputProblem.self) { try given(environment, settings, purpose) }
            #expect(error?.what == "descriptor \(own)" && error?.reason == "Bad file descriptor")
        }
        isRefused([:], .opening)
        settings.isPassphraseNew = true
        #expect(try given(["AUTHCTL_PASSPHRASE_FILE": path], settings) == "from a file")
        isRefused(["AUTHCTL_PASSPHRASE_FILE": path], .choosing)
    }

    @Test func `child processes do not get the variables of the passphrase`() {
        let all: Environment = [
            "AUTHCTL_PASSPHRASE_FILE": "a", "AUTHCTL_PASSPHRASE_COMMAND": "b", "AUTHCTL_PASSPHRASE_NEXT": "c",
            "AUTHCTL_PROFILE": "p",
            "PASSPHRASE": "d",
        ]
        #expect(Child.environment(from: all) == ["AUTHCTL_PROFILE": "p", "PASSPHRASE": "d"])
    }
}
