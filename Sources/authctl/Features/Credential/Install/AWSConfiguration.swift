import AuthCore

struct AWSConfiguration {
    struct Profile {
        let name: String
        /// The lines from its header up to the next header.
        let lines: Range<Int>
        /// authctl's command, and the index of its line.
        let process: (line: Int, command: HelperCommand)?
    }

    var file: ConfigLines

    init(_ environment: Environment) throws {
        file = try ConfigLines(environment["AWS_CONFIG_FILE"] ?? "\(environment.home)/.aws/config")
    }

    var profiles: [Profile] {
        let headers = file.lines.indices.filter { file.lines[$0].first == UInt8(ascii: "[") }
        return zip(headers, headers.dropFirst() + [file.lines.endIndex]).compactMap { start, end in
            guard let name = AWSConfiguration.profile(file.text(start)) else { return nil }
            for index in start..<end where file.text(index).hasPrefix("credential_process") {
                let value = file.text(index).split(separator: "=", maxSplits: 1).last ?? ""
                guard let command = HelperCommand("aws", shell: value) else { continue }
                return Profile(name: name, lines: start..<end, process: (index, command))
            }
            return Profile(name: name, lines: start..<end, process: nil)
        }
    }

    static func section(_ profile: String) -> String { profile == "default" ? "[default]" : "[profile \(profile)]" }

    /// The AWS CLI allows spaces inside the brackets.
    private static func profile(_ header: String) -> String? {
        let words = header.dropFirst().prefix { $0 != "]" }.split(separator: " ")
        if words == ["default"] { return "default" }
        return words.first == "profile" ? words.dropFirst().joined(separator: " ") : nil
    }

}

extension ToolSetup {
    func aws(profile: String, _ role: RoleFlags) throws -> [String] {
        let request = try role.request()
        let options: GivenOptions = [
            "--role-arn": request.role, "--provider": provider,
            "--role-session-name": role.roleSessionName == "authctl" ? nil : role.roleSessionName,
            "--duration-seconds": role.durationSeconds, "--region": role.region, "--sts-endpoint": role.stsEndpoint,
        ]
        let words = command(["credential", "aws"] + options.words)
        let process = Shell.words(words)
        let isName = profile.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && ![0x5B, 0x5D].contains($0) }
        try require(isName, "--name: '\(profile)' is not a valid profile name")
        let section = AWSConfiguration.section(profile)
        try require(
            process.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F },
            "the AWS configuration cannot contain control characters: \(shown: process)")
        var configuration = try AWSConfiguration(context.environment)
        let path = configuration.file.path
        let line = "credential_process = \(process)"
        if let known = configuration.profiles.first(where: { $0.name == profile }) {
            guard known.process.map({ configuration.file.text($0.line) }) != line else { return [] }
            // The same options with another path: authctl was moved.
            guard let process = known.process, process.command.options == Array(words.dropFirst(3)) else {
                let change = known.process == nil ? "add this line" : "replace its credential_process with this line"
                throw CommandError(
                    .toolNotSetUp, "'\(path)' already has a section \(section)",
                    hint: "choose another profile with --name, or \(Hint(prose: change)): \(line)")
            }
            configuration.file.replace(process.line, line)
        } else {
            configuration.file.append((configuration.file.lines == [[]] ? [] : [""]) + [section, line])
        }
        try configuration.file.save()
        return ["\(path): \(section) \(line)", "use it: aws --profile \(Shell.word(profile)) …"]
    }

    func removeAWS(profile: String) throws -> [String] {
        var configuration = try AWSConfiguration(context.environment)
        let (path, lines) = (configuration.file.path, configuration.file.lines)
        guard let known = configuration.profiles.first(where: { $0.name == profile }) else { return [] }
        let section = AWSConfiguration.section(profile)
        guard let process = known.process?.line else { throw CommandError.notCreated("'\(path)': \(section)") }
        // If the user added settings to the section, they remain, with the header. The empty line before the header was
        // added with it.
        let (start, end) = (known.lines.lowerBound, known.lines.upperBound)
        let isWhole = process == start + 1 && lines[(process + 1)..<end].allSatisfy(\.isEmpty)
        let head = start > 0 && lines[start - 1].isEmpty ? start - 1 : start
        configuration.file.remove((isWhole ? head : process)..<(process + 1))
        try configuration.file.save()
        return ["\(path): \(section) credential_process was removed"]
    }
}
