import Glibc

/// The owners of the directories and symbolic links on a path.
enum PathOwners {
    struct Fault: Error {
        let path: String
        let owner: UInt32
    }

    private static let maximumLinks = 40

    /// Follows the path as the kernel does, as far as it exists. The last component may have any owner: the code that
    /// opens it checks that.
    static func check(_ path: String) throws(Fault) {
        let trusted = FileTrust.owners
        var resolved: [Substring] = []
        var rest: [Substring] = path.split(separator: "/").reversed()
        var links = 0
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                _ = resolved.popLast()
                continue
            }
            // Appended, not joined: generic code would search all conformances of the program at each start.
            var place = ""
            for part in resolved + [name] {
                place.append("/")
                place.append(contentsOf: part)
            }
            guard let status = stat(at: place, followsLinks: false) else { return }
            let isLink = status.kind == S_IFLNK
            guard trusted.contains(status.st_uid) || rest.isEmpty && !isLink else {
                throw Fault(path: place, owner: status.st_uid)
            }
            guard isLink else {
                resolved.append(name)
                continue
            }
            links += 1
            guard links <= maximumLinks, let target = target(of: place) else { return }
            if target.hasPrefix("/") { resolved = [] }
            rest += target.split(separator: "/").reversed()
        }
    }

    private static func target(of link: String) -> Substring? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return Substring(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
