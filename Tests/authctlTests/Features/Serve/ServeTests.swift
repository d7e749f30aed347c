import Foundation
import Glibc
import TestSupport
import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `Token socket` {
    @Test func `Reads the values of --allow`() throws {
        let all = try AllowedToken("provider=github,resource=https://a.example/x?y=1,account=ada@example.com")
        #expect(all.provider == "github.com" && all.account == "ada@example.com")
        #expect(all.resource?.text == "https://a.example/x?y=1")
        #expect(all.text == "provider=github.com,resource=https://a.example/x?y=1,account=ada@example.com")
        #expect(try AllowedToken("provider=oidc.work").text == "provider=oidc.work")
    }

    @Test(arguments: [
        ("", "'' is not key=value"), (",", "'' is not key=value"), ("provider", "'provider' is not key=value"),
        ("provider=", "provider has no value"), ("account=a", "provider is missing"),
        ("provider=a,provider=b", "provider is repeated"), ("provider=a,resource=b", "'b' is not a URL"),
        ("provider=a,", "'' is not key=value"), ("provider=a,b=c", "unknown key 'b'"),
        ("Provider=a", "unknown key 'Provider'"), (" provider=a", "unknown key ' provider'"),
    ])
    func `Refuses other values of --allow`(text: String, reason: String) {
        let error = #expect(throws: UsageProblem.self) { try AllowedToken(text) }
        #expect(error?.description == "invalid value of --allow '\(text)': \(reason)")
    }

    @Test func `A request's head has its headers in order, and says whether the connection stays`() throws {
        let head = try RequestHead(
            Array("POST /a?b=c HTTP/1.1\r\nHost: x\r\nAccept: a\r\nACCEPT: b\r\nContent-Length: 3\r\n\r\n".utf8))
        #expect(head.method == "POST" && head.path == "/a" && head.query == "b=c" && head.isPersistent)
        #expect(head.headers.map(\.name) == ["host", "accept", "accept", "content-length"])
        #expect(head.header("accept") == "b")
        #expect(try head.contentLength(limit: 3) == 3)
        #expect(throws: RequestHead.Refusal.contentTooLarge) { try head.contentLength(limit: 2) }
        for line in [
            "HTTP/1.0\r\nHost: x", "HTTP/1.1\r\nHost: x\r\nConnection: Close",
            "HTTP/1.1\r\nConnection: a, close\r\nConnection: b",
        ] {
            #expect(try !RequestHead(Array("GET / \(line)\r\n\r\n".utf8)).isPersistent)
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func `A socket of another user is not replaced`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        close(try ServeSocket.listening(at: path).descriptor)
        try #require(chown(path, 65534, 0) == 0)
        let error = #expect(throws: CommandError.self) { try ServeSocket.listening(at: path) }
        #expect(error?.code == .usage)
        let message = error?.explanation(ErrorContext()).message
        #expect(message == "'\(path)' exists, and is not a socket of this user")
        try #require(chown(path, geteuid(), 0) == 0)
        try ServeSocket.listening(at: path).remove()
    }

    @Test func `A socket is made and removed in the directory that was checked, whatever its path is now`() throws {
        let folder = try TemporaryFolder()
        let (first, other) = (folder.path + "/first", folder.path + "/other")
        try #require(mkdir(first, 0o700) == 0)
        let socket = try ServeSocket.listening(at: first + "/socket")
        var (address, length) = (sockaddr_un(), socklen_t(MemoryLayout<sockaddr_un>.size))
        let path = withUnsafeMutableBytes(of: &address) { bytes in
            _ = getsockname(socket.descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
            return String(decoding: bytes.dropFirst(2).prefix { $0 != 0 }, as: UTF8.self)
        }
        #expect(path.hasPrefix("/proc/self/fd/") && path.hasSuffix("/socket"))
        try #require(rename(first, other) == 0 && mkdir(first, 0o700) == 0)
        #expect(access(other + "/socket", F_OK) == 0)
        try Data("mine".utf8).write(to: URL(filePath: first + "/socket"))
        socket.remove()
        #expect(access(other + "/socket", F_OK) != 0 && access(first + "/socket", F_OK) == 0)
    }

    @Test func `A client that sends a body slowly is disconnected, whatever it sends in time`() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        let peer = try #require(SocketPeer(of: reader))
        let connection = ServedConnection(reader, peer: peer)
        let head = Array("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n".utf8)
        #expect(write(writer, head, head.count) == head.count)
        let sending = NewThread.start {
            while send(writer, "a", 1, Int32(MSG_NOSIGNAL)) == 1 { usleep(10_000) }
            close(writer)
        }
        #expect(sending)
        #expect(try connection.nextRequest() != nil)
        connection.patience = 0.5
        var (byte, count) = ([UInt8(0)], 0)
        #expect(throws: ConnectionEnded.self) {
            while true { count += try byte.withUnsafeMutableBytes { try connection.read(into: $0) } }
        }
        #expect(count > 0)
        shutdown(reader, Int32(SHUT_RDWR))
    }

    @Test func `A client cannot make a long audit line`() throws {
        let folder = try TemporaryFolder()
        let log = AuditLog(path: folder.path + "/audit")
        let peer = SocketPeer(process: 1, user: 1, program: "x")
        try log.record(
            peer, as: .sent, at: 0,
            with: ["path": .string("/" + String(repeating: "é", count: 9000)), "rule": "GET /**"])
        let line = try String(contentsOfFile: log.path, encoding: .utf8)
        let object = try StrictJSON.object(Array(line.utf8))
        #expect(line.utf8.count < 1300 && object["path"]?.string?.hasSuffix("…") == true && object["rule"] == "GET /**")
    }

    @Test func `Audit lines are in a file that only the user can read, and a failure is reported`() throws {
        let folder = try TemporaryFolder()
        let log = AuditLog(path: folder.path + "/audit")
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let peer = try #require(SocketPeer(of: ends[0]))
        #expect(peer.process == getpid() && peer.user == geteuid() && peer.program?.isEmpty == false)
        try log.record(peer, as: .given, at: 0, with: ["provider": "a"])
        try log.record(peer, as: .refused, at: 1, with: ["provider": "b"])
        let lines = try String(contentsOfFile: log.path, encoding: .utf8).split(separator: "\n")
        let first = try StrictJSON.object(Array(try #require(lines.first).utf8))
        #expect(lines.count == 2 && first["time"] == "1970-01-01T00:00:00Z" && first["outcome"] == "given")
        #expect(first["process"]?.number?.integer == Int64(getpid()))
        // An incomplete line, as after a full disk.
        let file = try #require(fopen(log.path, "a"))
        fputs("{\"time", file)
        fclose(file)
        try log.record(peer, as: .given, at: 2, with: ["provider": "c"])
        let last = try #require(String(contentsOfFile: log.path, encoding: .utf8).split(separator: "\n").last)
        #expect(try StrictJSON.object(Array(last.utf8))["provider"] == "c")
        chmod(log.path, 0o640)
        func refusal(_ use: () throws -> Void) -> StoreError? {
            let error = #expect(throws: ServeFileError.self) { try use() }
            #expect(error?.file == "the audit file")
            return error?.error
        }
        #expect(
            refusal { try log.record(peer, as: .given, at: 2, with: [:]) }
                == .tooOpen(path: log.path, mode: 0o640, expected: 0o600))
        #expect(
            refusal { try AuditLog(path: folder.path).check() }
                == .system(operation: "open", path: folder.path, code: EISDIR))
        let absent = folder.path + "/no/audit"
        guard case .system("open", _, ENOENT) = refusal({ try AuditLog(path: absent).check() }) else {
            return #expect(Bool(false), "\(absent)")
        }
    }
}
