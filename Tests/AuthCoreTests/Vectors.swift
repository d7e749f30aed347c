import FoundationEssentials

@testable import AuthCore

/// The test vectors beside the tests.
enum Vectors {
    /// The package's own folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func object(_ path: String) throws -> JSONObject {
        try StrictJSON.object(
            Array(try Data(contentsOf: root.appending(path: "Tests/Vectors/\(path)"))), maximumDepth: 64)
    }
}
