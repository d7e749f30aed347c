/// A JSON value (RFC 8259) as `StrictJSON` reads it. Values are equal if the bytes of their texts are equal. Do not
/// compare two `string` properties with `==`: it also compares texts as equal that are canonically equivalent in
/// Unicode.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
    package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// The member of an object, or the element of an array with this index.
    package func part(_ name: String) -> JSONValue? {
        guard let items = array else { return object?[name] }
        guard let index = Int(name), items.indices.contains(index) else { return Optional.none }
        return items[index]
    }

    /// The value at a path such as `account.email` or `emails.0`.
    func value(at path: String) -> JSONValue? {
        path.split(separator: ".", omittingEmptySubsequences: false).reduce(self) { $0?.part(String($1)) }
    }

    /// A single string, or an array that contains only strings, like `aud` (RFC 7519 section 4.1.3).
    var oneOrMoreStrings: [String]? { string.map { [$0] } ?? strings }

    /// The strings of an array that contains only strings; nil for other values.
    package var strings: [String]? {
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
    }
}

/// A JSON number in its original form, so that a 64-bit identifier is never rounded.
package struct JSONNumber: Sendable, Equatable {
    private enum Spelling {
        case whole(Int64)
        case other(String)
    }

    private let spelling: Spelling

    init(text: String) { spelling = .other(text) }

    package init(_ value: Int64) { spelling = .whole(value) }

    package var text: String {
        switch spelling {
        case .whole(let value): String(value)
        case .other(let text): text
        }
    }

    package static func == (left: JSONNumber, right: JSONNumber) -> Bool { left.text == right.text }

    package var double: Double { Double(text) ?? .nan }

    package var integer: Int64? {
        switch spelling {
        case .whole(let value): value
        case .other(let text): Int64(text) ?? Int64(exactly: double)
        }
    }
}

/// The members of a JSON object in their original order. Names are unique.
package struct JSONObject: Sendable, Equatable {
    package struct Member: Sendable {
        package let name: String
        package var value: JSONValue
        private let mark: UInt64

        init(name: String, value: JSONValue, mark: UInt64? = nil) {
            self.name = name
            self.value = value
            self.mark = mark ?? name.mark
        }

        @inline(__always)
        func isNamed(_ name: String, _ mark: UInt64) -> Bool {
            self.mark == mark && (String.isWhole(mark: mark) || self.name.hasSameBytes(as: name))
        }
    }

    package private(set) var members: [Member]

    package init() { members = [] }

    init(members: [Member]) { self.members = members }

    package subscript(name: String) -> JSONValue? {
        get { index(of: name).map { members[$0].value } }
        set {
            switch (index(of: name), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// An optional member of a server's metadata or response. Null, an empty text and an empty list mean the same as a
    /// missing member (RFC 8414 section 2 and OpenID Connect Discovery section 4.2 require that servers omit it). Not for
    /// claims that a token is checked by.
    package func optional(_ name: String) -> JSONValue? {
        guard let value = self[name], value != .null, value != "", value != [] else { return nil }
        return value
    }

    package mutating func merge(_ other: JSONObject) { take(other.members, replacing: true) }

    package mutating func complete(with other: JSONObject) { take(other.members, replacing: false) }

    private mutating func take(_ others: [Member], replacing: Bool) {
        // A dictionary of the names, because a search for each name would take quadratic time for a server's object.
        var places = JSONObject.places(of: members)
        for other in others {
            let name = Array(other.name.utf8)
            if let place = places[name] {
                if replacing { members[place].value = other.value }
            } else {
                places[name] = members.count
                members.append(other)
            }
        }
    }

    private static func places(of members: [Member]) -> [[UInt8]: Int] {
        Dictionary(members.indices.map { (Array(members[$0].name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    }

    package func filter(_ isIncluded: (String) -> Bool) -> JSONObject {
        JSONObject(members: members.filter { isIncluded($0.name) })
    }

    private func index(of name: String) -> Int? {
        let mark = name.mark
        // Searches by index, because `firstIndex(where:)` copies each member.
        return members.indices.first { members[$0].isNamed(name, mark) }
    }

    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.members.count == right.members.count else { return false }
        let places = JSONObject.places(of: right.members)
        return left.members.allSatisfy { member in
            places[Array(member.name.utf8)].map { right.members[$0].value == member.value } ?? false
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(nilLiteral: ()) { self = .null }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }

    package init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
    package init(_ integer: Int64) { self = .number(JSONNumber(integer)) }
    package init(_ strings: [String]) { self = .array(strings.map(JSONValue.string)) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}

extension JSONValue {
    /// Compact JSON text on one line. Hidden characters, and `#` after `#`, are escaped (`\u`), so that it can be printed:
    /// `##` begins a command in the log of a CI system.
    package var text: String {
        var output: [UInt8] = []
        write(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += Array("null".utf8)
        case .bool(let value): output += Array((value ? "true" : "false").utf8)
        case .number(let value): output += Array(value.text.utf8)
        case .string(let value): JSONValue.write(value, to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                value.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                JSONValue.write(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        defer { output.append(UInt8(ascii: "\"")) }
        // Fast path: most text has no character to escape.
        guard !text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x23 && $0 != 0x5C }) else {
            return output.append(contentsOf: text.utf8)
        }
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\"", "\\": output += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            case _ where scalar.isHidden || previous == "#" && (scalar == "#" || scalar.isSelector):
                // Outside the Basic Multilingual Plane, a character has two escapes (RFC 8259 section 7).
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { escape(unit, to: &output) }
            default: output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }

    private static func escape(_ unit: UInt16, to output: inout [UInt8]) {
        output += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
        output += [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)].hexadecimal.utf8
    }
}
