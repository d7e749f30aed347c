import AuthCore

/// Reads an open file.
enum DescriptorInput {
    private static let maximumLength = 1 << 20

    static func bytes(of descriptor: Int32, _ what: String, limit: Int) throws -> [UInt8] {
        do throws(BoundedRead.Fault) {
            return try BoundedRead.all(of: descriptor, limit: limit, isSecret: true)
        } catch {
            switch error {
            case .system(let code): throw InputProblem(what: what, reason: SystemText.of(code))
            case .tooLong: throw InputProblem(what: what, reason: "longer than \(limit >> 20) MiB")
            }
        }
    }

    static func text(of descriptor: Int32, _ what: String, droppingNewline: Bool = true) throws -> String {
        var bytes = try bytes(of: descriptor, what, limit: maximumLength)
        defer { bytes.wipe() }
        if droppingNewline, bytes.last == 10 {
            bytes.removeLast()
            if bytes.last == 13 { bytes.removeLast() }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw InputProblem(what: what, reason: "not UTF-8 text")
        }
        guard !text.isEmpty else { throw InputProblem(what: what, reason: "it is empty") }
        return text
    }
}
