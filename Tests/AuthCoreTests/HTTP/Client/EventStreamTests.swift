import Testing

@testable import AuthCore

/// WHATWG HTML section 9.2.6.
@Suite struct `Server-sent events` {
    private func events(_ parts: [String], limit: Int = 100) -> (events: [String], stream: EventStream, fits: Bool) {
        var (found, stream, fits) = ([String](), EventStream(limit: limit), true)
        for part in parts {
            fits = stream.take(Array(part.utf8)) { found.append(String(decoding: $0, as: UTF8.self)) }
        }
        return (found, stream, fits)
    }

    @Test func `Lines end with LF, CR or CRLF, and an event with an empty line`() {
        #expect(events(["data: a\ndata:b\n\ndata: c\r\n\r\ndata: d\r\rdata: e\n"]).events == ["a\nb", "c", "d"])
    }

    @Test(arguments: 1...40) func `The events do not depend on how the stream is divided`(length: Int) {
        let text = "id: 1\r\ndata: first\r\n\r\n: comment\r\nevent: other\r\ndata: x\r\n\r\ndata: second\r\n\r\n"
        let parts = text.utf8.indices.map { String(decoding: [text.utf8[$0]], as: UTF8.self) }
        let joined = stride(from: 0, to: parts.count, by: length).map {
            parts[$0..<min($0 + length, parts.count)].joined()
        }
        #expect(events(joined).events == ["first", "second"])
    }

    @Test func `The last ID and the time to wait are remembered, also without data`() {
        let result = events(["id: a\nretry: 250\ndata:\n\nretry: soon\nid: b\n\n"])
        #expect(result.events.isEmpty && result.stream.lastID == "b" && result.stream.retry == 250)
        #expect(events(["id: a\u{1}b\n\n"]).stream.lastID == nil)
    }

    @Test func `A byte order mark before the first line is ignored`() {
        #expect(events(["\u{FEFF}data: a\n\n"]).events == ["a"])
        #expect(events(["data: a\n\n\u{FEFF}data: b\n\n"]).events == ["a"])
        var stream = events(["data: a"]).stream
        stream.restart()
        var found: [String] = []
        _ = stream.take(Array("\u{FEFF}data: b\n\n".utf8)) { found.append(String(decoding: $0, as: UTF8.self)) }
        #expect(found == ["b"])
    }

    @Test func `The ID of an incomplete event is not the last one, and the event is discarded when the stream restarts`() {
        var stream = events(["id: a\ndata: first\n\nid: b\rdata: sec"]).stream
        #expect(stream.lastID == "a")
        stream.restart()
        var found: [String] = []
        _ = stream.take(Array("\n\ndata: third\n\nid: b\ndata: second\n\n".utf8)) {
            found.append(String(decoding: $0, as: UTF8.self))
        }
        #expect(found == ["third", "second"] && stream.lastID == "b")
    }

    @Test func `An event above the limit is refused`() {
        #expect(events(["data: \(String(repeating: "x", count: 90))\n\n"]).fits)
        #expect(!events(["data: \(String(repeating: "x", count: 95))"]).fits)
        #expect(!events(["data: \(String(repeating: "x", count: 60))\n", "data: \(String(repeating: "x", count: 60))\n"]).fits)
    }
}
