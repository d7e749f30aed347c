import FoundationEssentials
import Glibc
import Testing

@testable import AuthCore

/// Files that change in one step.
@Suite struct `An atomic file` {
    private let folder = Result { try StoreFolder() }

    private func within(_ body: (Int32, ConfigDirectory) throws -> Void) throws {
        let directory = try folder.get().directory
        let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try body(descriptor, directory)
    }

    private func text(_ name: String, in directory: ConfigDirectory) throws -> String {
        try String(contentsOfFile: directory.path(of: name), encoding: .utf8)
    }

    @Test func `has the new content despite a temporary file of a killed process`() throws {
        try within { descriptor, directory in
            try directory.createFile("f", Array("old".utf8))
            try directory.createFile("f.tmp", Array("half of somebody's".utf8))
            try AtomicFile.replace("f", Array("new".utf8), by: "f.tmp", in: descriptor)
            #expect(try text("f", in: directory) == "new")
            #expect(DirectoryListing.names(at: directory.path)?.contains("f.tmp") == false)
        }
    }

    @Test func `has the old content and leaves no temporary file if it cannot be replaced`() throws {
        try within { descriptor, directory in
            try #require(mkdirat(descriptor, "d", 0o700) == 0)
            let failure = #expect(throws: AtomicFile.Failure.self) {
                try AtomicFile.replace("d", Array("new".utf8), by: "d.tmp", in: descriptor)
            }
            #expect(failure?.step == .rename && failure?.code == EISDIR)
            #expect(DirectoryListing.names(at: directory.path)?.contains("d.tmp") == false)
        }
    }

    @Test func `does not follow a link with the temporary name`() throws {
        try within { descriptor, directory in
            try directory.createFile("other", Array("theirs".utf8))
            try #require(symlinkat("other", descriptor, "f.tmp") == 0)
            try AtomicFile.replace("f", Array("new".utf8), by: "f.tmp", in: descriptor)
            #expect(try text("other", in: directory) == "theirs")
            #expect(try text("f", in: directory) == "new")
        }
    }
}
