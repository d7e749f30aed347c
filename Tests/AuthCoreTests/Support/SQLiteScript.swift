import Glibc
import TestSupport
import Testing

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
        let words: [UnsafeMutablePointer<CChar>?] =
            (["python3", "-c", script, database, output] + statements).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        try #require(posix_spawnp(&process, "python3", nil, nil, words, environ) == 0)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        try #require(status == 0, "python3 ended with \(status)")
        return String(decoding: try TestFile.read(output), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
