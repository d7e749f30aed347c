import AuthCore
import Glibc
import TestSupport
import Testing

@testable import authctl

@Suite struct `Configuration files of other tools` {
    private static let objects = [
        "{}", "{ }", "{\n}\n", "{}\n", "\t{\r\n}\r\n", #"{"a":1}"#, "{\n  \"a\": [1, {\"b\": \"}\"}]\n}",
        "{\n\t\"a\": null ,\n\t\"b\":2 \n}\n\n",
        #"{"servers":{}}"#, #"{"servers" : { } , "z":1.50e3}"#,
        "{\"servers\":{\r\n    \"x\": {\"y\": \"\\\"{\"}\r\n}}\r\n",
        #"{"servers": { "x": 1 }}"#, #"{"a":{"ours":1},"servers":{"x":true,"y":[]}}"#,
    ]

    @Test(arguments: objects)
    func `a JSON file is unchanged after a member is inserted and removed`(before: String) throws {
        var text = JSONText(Array(before.utf8))
        let value: JSONValue = ["type": "http", "text": "a \"quoted\" }"]
        text.set("servers", "ours", value)
        text.set("servers", "also", value)
        let object = try StrictJSON.object(text.bytes)
        #expect(object["servers"]?.object?["ours"] == value && object["servers"]?.object?["also"] == value)
        text.remove("servers", "ours")
        text.remove("servers", "also")
        #expect(String(decoding: text.bytes, as: UTF8.self) == before && !text.isEmptied)
    }

    @Test(arguments: objects)
    func `a user's members are kept when an inserted member is removed`(before: String) throws {
        var text = JSONText(Array(before.utf8))
        text.set("servers", "ours", "x")
        text.set("servers", "user's", 1)
        text.set("more", "user's", 2)
        text.remove("servers", "ours")
        let left = try StrictJSON.object(text.bytes)
        #expect(left["servers"]?.object?["ours"] == nil && left["servers"]?.object?["user's"] == 1)
        #expect(left["more"]?.object?["user's"] == 2)
    }

    @Test func `a created JSON file is removed only if it contains nothing else`() throws {
        var text = JSONText(nil)
        text.set("servers", "ours", "x")
        var changed = text
        changed.set("servers", "user's", 1)
        text.remove("servers", "ours")
        changed.remove("servers", "ours")
        #expect(text.isEmptied && !changed.isEmptied)
        #expect(try StrictJSON.object(changed.bytes) == ["servers": ["user's": 1]])
    }

    @Test func `a replaced JSON value can be set back to the original bytes`() {
        let before = "{\"servers\" :\n {\"a\":  \"old\" , \"b\": 2}}"
        var text = JSONText(Array(before.utf8))
        text.set("servers", "a", "new")
        #expect(text.bytes != Array(before.utf8))
        text.set("servers", "a", "old")
        #expect(text.bytes == Array(before.utf8))
    }

    @Test(arguments: [
        "", "\n", "a = 1", "a = 1\n", "a = 1\n\n", "[x]\r\n  a = 1\r\n", "# only a comment", " \t",
        "[x]\na\n[y]\nb\n\n\n",
    ]) func `a line-based file is unchanged after a section is appended and removed`(before: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/lines"
        try ToolFile.replace(path, Array(before.utf8), mode: 0o640)
        let section = ["[ours]", "a = 2"]
        var file = try ConfigLines(path)
        file.append(section)
        try file.save()
        file = try ConfigLines(path)
        let start = try #require(file.lines.firstIndex(of: Array("[ours]".utf8)))
        file.remove(start..<start + 2)
        try file.save()
        #expect(try SecretInput.bytes(path) == Array(before.utf8))
        unlink(path)
        var made = try ConfigLines(path)
        made.append(section)
        try made.save()
        made = try ConfigLines(path)
        made.remove(1..<3)
        try made.save()
        #expect(access(path, F_OK) != 0)
    }

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

    @Test func `the profiles of an aws file are found with authctl's lines`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/config"
        let text = """
            # credential_process = authctl credential aws
            [default]
            credential_process = /usr/bin/other aws
            [ profile ci ]
            region = eu-west-1
            credential_process = '/a b/authctl' credential aws --role-arn x
            [sso-session ci]
            credential_process = authctl credential aws
            [profile last]\r
            credential_process=authctl credential aws --role-arn x\r

            """
        try ToolFile.replace(path, Array(text.utf8))
        let profiles = try AWSConfiguration(["AWS_CONFIG_FILE": path]).profiles
        #expect(profiles.map(\.name) == ["default", "ci", "last"])
        #expect(profiles.map(\.process?.line) == [nil, 5, 9])
        #expect(profiles[1].process?.command.options == ["--role-arn", "x"])
    }

    @Test func `Git configuration values are quoted and escaped`() {
        #expect(GitHelper.value(#"!'/a b' "c" \d"#) == #""!'/a b' \"c\" \\d""#)
        #expect(GitHelper.value("a\nb\tc") == #""a\nb\tc""#)
    }
}
