import AuthCore
import Glibc
import TestSupport
import Testing

@testable import authctl

@Suite struct `Configuration files of other tools` {
    @Test(arguments: [[:], ["HOME": ""], ["HOME": "relative"]] as [Environment])
    func `without an absolute HOME, the home directory is that of the user database`(environment: Environment) throws {
        let home = try #require(getpwuid(geteuid())?.pointee.pw_dir.map { String(cString: $0) })
        #expect(environment.home == home)
    }

    @Test func `a Docker helper name is accepted only if it can be a program name`() {
        for name in ["ecr-login", "gcloud", "osxkeychain", "x_1.2"] { #expect(DockerHelper.isName(name)) }
        for name in ["", "a\nid", "a b", "a/b", "é", "$(id)", "a\r"] { #expect(!DockerHelper.isName(name)) }
    }

    @Test(arguments: [
        "/usr/bin/authctl credential git", "authctl credential git --profile work",
        "'/home/a b/authctl' credential git", "A=1 ./authctl-0.3 credential git",
        Shell.words([Process.path, "credential", "git"]),
    ])
    func `a git helper that runs authctl is recognised`(helper: String) {
        #expect(GitHelper.command("!" + helper) != nil)
        #expect(GitHelper.command(helper) == nil, "without '!' git looks for another program")
        #expect(HelperCommand("docker", shell: helper) == nil)
    }

    @Test(arguments: [
        "", "store", "!gh auth git-credential", "!/usr/bin/gh auth git-credential", "!credential git",
        "!echo authctl credential", "!/authctl/helper credential git", "!'authctl credential git",
        "!echo 'authctl credential git'",
    ])
    func `a git helper of another program is not recognised as authctl`(helper: String) {
        #expect(GitHelper.command(helper) == nil)
    }

    @Test func `a recognised command has the program and the options`() throws {
        let git = try #require(GitHelper.command("!'/a b/authctl' credential git --profile work"))
        #expect(git.program == "/a b/authctl" && git.options == ["--profile", "work"])
        let script = "#!/bin/sh\n\(DockerHelper.mark)\nexec /x/authctl credential docker \"$@\" --profile work\n"
        let docker = try #require(DockerHelper.command(in: Array(script.utf8)))
        #expect(docker.program == "/x/authctl" && docker.options == ["$@", "--profile", "work"])
    }

    @Test func `Git configuration values are quoted and escaped`() {
        #expect(GitHelper.value(#"!'/a b' "c" \d"#) == #""!'/a b' \"c\" \\d""#)
        #expect(GitHelper.value("a\nb\tc") == #""a\nb\tc""#)
    }
}
