import AuthCore
import Glibc
import Testing

@testable import authctl

@Suite struct `Lines of an input` {
    private let input: Int32
    private let output: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        (input, output) = (ends[0], ends[1])
    }

    private func send(_ text: String) { write(output, text, text.utf8.count) }

    private func texts(_ lines: [[UInt8]]?) -> [String]? { lines?.map { String(decoding: $0, as: UTF8.self) } }

    @Test func `a line is returned when it is complete, also if it arrives in parts`() {
        var reader = LineReader(descriptor: input, maximumLength: 100, size: 4)
        send("one\ntw")
        #expect(texts(reader.next()) == ["one"])
        send("o\r\n\nthr")
        var lines = texts(reader.next()) ?? []
        if lines.count == 1 { lines += texts(reader.next()) ?? [] }
        #expect(lines == ["two", ""])
        send("ee")
        close(output)
        #expect(texts(reader.next()) == ["three"])
        #expect(reader.next() == nil)
        close(input)
    }

    @Test func `an input that does not block is read to its end`() {
        _ = fcntl(input, F_SETFL, O_NONBLOCK)
        var reader = LineReader(descriptor: input, maximumLength: 100, size: 4)
        let isStarted = NewThread.start { [output] in
            write(output, "late\n", 5)
            close(output)
        }
        #expect(isStarted && texts(reader.next()) == ["late"])
        close(input)
    }

    @Test func `a line that is too long is cut, and the next one is whole`() {
        var reader = LineReader(descriptor: input, maximumLength: 8, size: 4)
        send(String(repeating: "x", count: 1000) + "\nshort\n" + String(repeating: "y", count: 9))
        close(output)
        var lines: [String] = []
        while let next = texts(reader.next()) { lines += next }
        #expect(lines == ["xxxxxxxx", "short", "yyyyyyyy"])
        close(input)
    }
}
