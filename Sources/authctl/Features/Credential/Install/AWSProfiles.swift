import AuthCore

/// The profiles in the AWS CLI's file that have authctl's command. Sections are appended.
struct AWSProfiles: EntryOutline {
    /// The lines of a profile from its header up to the next header, and authctl's command with its line.
    private typealias Profile = (name: String, lines: Range<Int>, process: (line: Int, command: JSONValue)?)

    private let bytes: [UInt8]
    private let path: String
    private let lines: [Range<Int>]
    private var profiles: [Profile] = []

    init(_ bytes: [UInt8], in path: String) {
        (self.bytes, self.path, lines) = (bytes, path, bytes.lines)
        let headers = lines.indices.filter { text($0).hasPrefix("[") }
        profiles = zip(headers, headers.dropFirst() + [lines.endIndex]).compactMap { start, end in
            profile(text(start)).map { name in
                (name, start..<end, (start..<end).lazy.compactMap(process).first)
            }
        }
    }

    private func text(_ line: Int) -> String { String(decoding: bytes[lines[line]], as: UTF8.self) }

    /// The AWS CLI allows spaces inside the brackets.
    private func profile(_ header: String) -> String? {
        let words = header.dropFirst().prefix { $0 != "]" }.split(separator: " ")
        if words == ["default"] { return "default" }
        return words.first == "profile" ? words.dropFirst().joined(separator: " ") : nil
    }

    private func process(_ line: Int) -> (line: Int, command: JSONValue)? {
        guard text(line).hasPrefix("credential_process") else { return nil }
        let value = String(text(line).split(separator: "=", maxSplits: 1).last ?? "").trimmingSpaces()
        return AWSProfiles.command(.string(value)).map { _ in (line, .string(value)) }
    }

    var entries: JSONObject {
        profiles.reduce(into: JSONObject()) { entries, profile in
            if let process = profile.process { entries[profile.name] = process.command }
        }
    }

    func setting(_ name: String, _ value: JSONValue) throws -> [Splice] {
        let line = "credential_process = \(value.string ?? "")"
        let section = AWSProfiles.section(name)
        guard let known = profiles.first(where: { $0.name == name }) else {
            return [.inserting(lines: (bytes.isEmpty ? [] : [""]) + [section, line], at: bytes.count, in: bytes)]
        }
        // The same options with another path: authctl was moved.
        let options = AWSProfiles.command(value)?.options
        guard let process = known.process, AWSProfiles.command(process.command)?.options == options else {
            let change = known.process == nil ? "add this line" : "replace its credential_process with this line"
            throw CommandError(
                .toolNotSetUp, "'\(path)' already has a section \(section)",
                hint: "choose another profile with --name, or \(Hint(prose: change)): \(line)")
        }
        return [Splice(range: lines[process.line], text: line)]
    }

    static func command(_ entry: JSONValue) -> HelperCommand? {
        entry.string.flatMap { HelperCommand("aws", shell: $0) }
    }

    /// If the user added settings to the section, they remain, with the header. The empty line before the header was
    /// added with it.
    func removing(_ name: String) throws -> [Splice] {
        guard let known = profiles.first(where: { $0.name == name }) else { return [] }
        guard let process = known.process?.line else {
            throw ToolSetup.notCreated("'\(path)': \(AWSProfiles.section(name))")
        }
        let start = known.lines.lowerBound
        let isWhole = process == start + 1 && known.lines[(process + 1)...].allSatisfy { text($0).isEmpty }
        let head = start > 0 && text(start - 1).isEmpty ? start - 1 : start
        let removed = (isWhole ? head : process)..<(process + 1)
        return [.removing(lines: bytes.range(ofLines: removed), of: bytes)]
    }

    static func section(_ profile: String) -> String { profile == "default" ? "[default]" : "[profile \(profile)]" }
}

extension ToolEntries {
    static func aws(_ environment: Environment) throws -> ToolEntries {
        let path = environment["AWS_CONFIG_FILE"] ?? "\(environment.home)/.aws/config"
        return try ToolEntries(path, made: ToolFile.made) { AWSProfiles($0, in: path) }
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
        let process = Shell.words(command(["aws"], options))
        let isName = profile.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && ![0x5B, 0x5D].contains($0) }
        try require(isName, "--name: '\(profile)' is not a valid profile name")
        try require(
            process.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F },
            "the AWS configuration cannot contain control characters: \(shown: process)")
        var file = try ToolEntries.aws(context.environment)
        guard file.entries[profile] != .string(process) else { return [] }
        try file.set(profile, to: .string(process))
        try file.save()
        return [
            "\(file.path): \(AWSProfiles.section(profile)) credential_process = \(process)",
            "use it: aws --profile \(Shell.word(profile)) …",
        ]
    }

    func removeAWS(profile: String) throws -> [String] {
        var file = try ToolEntries.aws(context.environment)
        let isInstalled = file.entries[profile] != nil
        try file.set(profile, to: nil)
        guard isInstalled else { return [] }
        try file.save()
        return ["\(file.path): \(AWSProfiles.section(profile)) credential_process was removed"]
    }
}
