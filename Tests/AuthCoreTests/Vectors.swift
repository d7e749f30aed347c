import FoundationEssentials

@testable import AuthCore

/// The test vectors in `Tests/Vectors`.
enum Vectors {
    /// The package's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func object(_ path: String) throws -> JSONObject {
        try StrictJSON.object(
            Array(try Data(contentsOf: root.appending(path: "Tests/Vectors/\(path)"))), maximumDepth: 64)
    }
}
