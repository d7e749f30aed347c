import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Atomic file replacement` {
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

    @Test func `A file is replaced even if a killed process left a temporary file`() throws {
        try within { descriptor, directory in
            try directory.createFile("f", Array("old".utf8))
            try directory.createFile("f.tmp", Array("half of an earlier write".utf8))
            try AtomicFile.replace("f", with: Array("new".utf8), by: "f.tmp", in: descriptor)
            #expect(try text("f", in: directory) == "new")
            #expect(DirectoryListing.names(at: directory.path)?.contains("f.tmp") == false)
        }
    }

    @Test func `If the rename fails, the error names the step and the temporary file is removed`() throws {
        try within { descriptor, directory in
            try #require(mkdirat(descriptor, "d", 0o700) == 0)
            let failure = #expect(throws: AtomicFile.Failure.self) {
                try AtomicFile.replace("d", with: Array("new".utf8), by: "d.tmp", in: descriptor)
            }
            #expect(failure?.step == .rename && failure?.code == EISDIR)
            #expect(DirectoryListing.names(at: directory.path)?.contains("d.tmp") == false)
        }
    }

    @Test func `Replacing a file does not follow a symbolic link with the temporary name`() throws {
        try within { descriptor, directory in
            try directory.createFile("other", Array("theirs".utf8))
            try #require(symlinkat("other", descriptor, "f.tmp") == 0)
            try AtomicFile.replace("f", with: Array("new".utf8), by: "f.tmp", in: descriptor)
            #expect(try text("other", in: directory) == "theirs")
            #expect(try text("f", in: directory) == "new")
        }
    }

    @Test func `A new file keeps its name even if another process removes leftovers at that moment`() async throws {
        let directory = try folder.get().directory
        let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        // The number of the newest file; 0 at the end.
        let newest = Atomic(1)
        async let removed: Void = OwnThread.run {
            while case let number = newest.load(ordering: .relaxed), number > 0 {
                let path = directory.path(of: "\(number).tmp")
                let file = open(path, O_RDONLY)
                guard file >= 0 else { continue }
                if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
                close(file)
            }
        }
        var links: Set<UInt> = []
        for number in 1...300 {
            newest.store(number, ordering: .relaxed)
            guard let file = try? AtomicFile.make("\(number).tmp", with: [1], in: descriptor) else { continue }
            var status = stat()
            fstat(file, &status)
            links.insert(UInt(status.st_nlink))
            close(file)
        }
        newest.store(0, ordering: .relaxed)
        await removed
        #expect(links == [1])
    }
}
