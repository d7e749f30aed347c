import FoundationEssentials

enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// The texts of the files below a folder, by their paths from the root.
    static func files(_ folder: String, suffix: String = ".swift") throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
        where name.hasSuffix(suffix) {
            // Without a suffix, folders are found too.
            found["\(folder)/\(name)"] = suffix.isEmpty ? try? text("\(folder)/\(name)") : try text("\(folder)/\(name)")
        }
        return found
    }

    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: root + "/" + path)), as: UTF8.self)
    }

    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder).sorted()
    }
}
