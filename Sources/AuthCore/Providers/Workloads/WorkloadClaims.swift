/// The verified claims of a job's token. Some platforms write IDs as numbers.
struct WorkloadClaims: Sendable {
    let claims: JSONObject

    func text(_ name: String) -> String? {
        switch claims[name] {
        case .string(let text) where !text.isEmpty && text.utf8.count <= 1024: text
        case .number(let number): number.integer.map { String($0) }
        default: nil
        }
    }

    func required(_ name: String) throws(WorkloadError) -> String {
        guard let text = text(name) else { throw .claim(name) }
        return text
    }

    var subject: String? { claims["sub"]?.string }
}
