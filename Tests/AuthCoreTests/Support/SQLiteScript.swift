import AuthCore
import Glibc
import TestSupport
import Testing

@testable import authctl

/// Changes and reads a store like an older version or another program.
enum SQLiteScript {
    /// Runs statements, and returns the first column of each row of the last statement's result.
    static func run(_ statements: [String], on database: String) async throws -> [String] {
        let script = """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1], isolation_level=None) as db:
                for statement in sys.argv[3:]: rows = db.execute(statement).fetchall()
            open(sys.argv[2], "w").write("".join(row[0] + "\\n" for row in rows))
            """
        let output = database + ".rows"
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let status = Child.wait(
            for: try Child.spawn(["python3", "-c", script, database, output] + statements, with: ["PATH": path]))
        try #require(status == 0, "python3 ended with \(status)")
        return String(decoding: try TestFile.read(output), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
