/// The dependencies between files: which top-level types each file declares and uses. Members of extensions are not
/// detected, so a dependency can be missing.
struct Architecture {
    struct File {
        /// The path relative to `Sources/`.
        let path: String
        let declared: Set<String>
        let named: Set<String>
        let literals: [SwiftText.Literal]
        var forcedUnwraps: [Int] = []
        var nestedConditions: [Int] = []
        /// The number of lines that are not blank and not only a comment.
        var codeLines = 0

        var target: String { String(path.prefix { $0 != "/" }) }

        /// The folder inside the target; empty for files beside `main`.
        var folder: String { path.split(separator: "/").dropFirst().dropLast().joined(separator: "/") }

        /// The index of the layer: the longest of these folders that contains the file.
        func layer(of folders: [String]) -> Int? {
            folders.indices.filter { folder == folders[$0] || folder.hasPrefix(folders[$0] + "/") }
                .max { folders[$0].count < folders[$1].count }
        }
    }

    /// The sources of this project. They are read once, because that takes seconds.
    static let shared = Result { try Architecture() }

    let files: [String: File]
    /// For each file, the files whose types it uses.
    let dependencies: [String: Set<String>]

    private init() throws {
        var files: [String: File] = [:]
        for (path, text) in try Repository.files("Sources") {
            let path = String(path.dropFirst("Sources/".count))
            files[path] = Architecture.file(path, SwiftText(text))
            files[path]?.codeLines = Architecture.codeLines(text)
        }
        self.init(files.values)
    }

    init(_ all: some Sequence<File>) {
        files = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }
        var declaring: [String: [File]] = [:]
        for file in files.values { for name in file.declared { declaring[name, default: []].append(file) } }
        dependencies = files.mapValues { file in
            var others: Set<String> = []
            for name in file.named.subtracting(file.declared) {
                let all = declaring[name] ?? []
                let own = all.filter { $0.target == file.target }
                let near = own.isEmpty ? all.filter { $0.target == "AuthCore" } : own
                if near.count == 1 { others.insert(near[0].path) }
            }
            return others
        }
    }

    private static let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    private static let modifiers: Set = [
        "public", "package", "internal", "private", "fileprivate", "final", "indirect", "nonisolated",
    ]

    static func file(_ path: String, _ text: SwiftText) -> File {
        var declared: Set<String> = []
        var named: Set<String> = []
        var isPrivate = false
        for (index, word) in text.words.enumerated() {
            if word.text.first?.isUppercase == true, !word.isMember { named.insert(word.text) }
            guard word.depth == 0 else { continue }
            if kinds.contains(word.text), index + 1 < text.words.count, !isPrivate {
                declared.insert(text.words[index + 1].text)
            }
            isPrivate =
                ["private", "fileprivate"].contains(word.text) || isPrivate && modifiers.contains(word.text)
        }
        return File(
            path: path, declared: declared, named: named, literals: text.literals,
            forcedUnwraps: text.forcedUnwraps, nestedConditions: text.nestedConditions)
    }

    static func codeLines(_ text: String) -> Int {
        text.utf8.split(separator: UInt8(ascii: "\n")).count { line in
            let code = line.drop { $0 == UInt8(ascii: " ") }
            return !code.isEmpty && !code.starts(with: "//".utf8)
        }
    }

    /// Dependency cycles between files (Tarjan's strongly connected components with more than one file).
    var cycles: [[String]] {
        var found: [[String]] = []
        var order: [String: Int] = [:]
        var low: [String: Int] = [:]
        var stack: [String] = []
        func visit(_ file: String) {
            let number = order.count
            order[file] = number
            low[file] = number
            stack.append(file)
            for other in dependencies[file] ?? [] {
                if order[other] == nil { visit(other) }
                if stack.contains(other) { low[file] = min(low[file] ?? 0, low[other] ?? 0) }
            }
            guard low[file] == number, let start = stack.firstIndex(of: file) else { return }
            if stack.count - start > 1 { found.append(stack[start...].sorted()) }
            stack.removeSubrange(start...)
        }
        for file in dependencies.keys.sorted() where order[file] == nil { visit(file) }
        return found
    }

    /// Returns each dependency on a later folder of the same target, or between two features, as a sentence.
    /// - Parameter folders: in the order of the layers.
    func violations(in target: String, _ folders: [String]) -> [String] {
        func rank(_ path: String) -> Int? {
            guard let file = files[path], file.target == target else { return nil }
            return file.layer(of: folders)
        }
        func isFeature(_ rank: Int) -> Bool { folders[rank].hasPrefix("Features/") }
        return dependencies.flatMap { file, others in
            others.compactMap { other in
                guard let from = rank(file), let to = rank(other), to != from,
                    to > from || isFeature(from) && isFeature(to)
                else { return nil }
                return "\(file) names a type of \(other)"
            }
        }.sorted()
    }
}
