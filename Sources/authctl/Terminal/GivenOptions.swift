/// Command-line options with their values. Options without a value (nil, false or an empty list) are left out.
///
///     let options: GivenOptions = ["--scope": scopes, "--port": port, "--dpop": isBound]
struct GivenOptions: Sendable, ExpressibleByDictionaryLiteral {
    var list: [(name: String, value: String?)]

    init(dictionaryLiteral elements: (String, (any OptionValue)?)...) {
        list = elements.flatMap { name, value in (value?.texts ?? []).map { (name, $0) } }
    }

    static func + (one: GivenOptions, other: GivenOptions) -> GivenOptions {
        var sum = one
        sum.list += other.list
        return sum
    }

    var words: [String] { list.flatMap { [$0.name] + ($0.value.map { [$0] } ?? []) } }
}

protocol OptionValue { var texts: [String?] { get } }

extension String: OptionValue { var texts: [String?] { [self] } }
extension UInt16: OptionValue { var texts: [String?] { [String(self)] } }
extension Bool: OptionValue { var texts: [String?] { self ? [nil] : [] } }
extension [String]: OptionValue { var texts: [String?] { self } }
