import Glibc

/// A file that contains a secret, and that other users can read or write.
package struct InsecureFile: UnusableClient, Equatable {
    package enum Fault: Sendable, Equatable {
        case owner(UInt32)
        case mode(UInt32, isOwn: Bool)
    }

    package let path: String
    package let fault: Fault
    package var code: ErrorCode { .storeUnavailable }

    package init(path: String, _ fault: Fault) { (self.path, self.fault) = (path, fault) }

    /// Checks an open file. Others must not read or write a file of this user. A file of root may be readable by its
    /// group, but not writable by others. On a read-only mount all users may read it: containers receive secrets that
    /// way.
    package static func found(_ descriptor: Int32, at path: String) -> InsecureFile? {
        guard let status = stat(of: descriptor) else { return nil }
        let trust = FileTrust(status)
        // In a user namespace, the kernel shows every unmapped owner, such as that of `/`, as one ID.
        let isTrusted = trust.isOwn || trust.owner == 0 || trust.owner == stat(at: "/")?.st_uid
        guard isTrusted else { return InsecureFile(path: path, .owner(trust.owner)) }
        let others: UInt32 = trust.isOwn ? 0o077 : isOnReadOnlyMount(descriptor) ? 0o022 : 0o027
        return trust.mode & others == 0 ? nil : InsecureFile(path: path, .mode(trust.mode, isOwn: trust.isOwn))
    }

    private static func isOnReadOnlyMount(_ descriptor: Int32) -> Bool {
        var system = statvfs()
        return fstatvfs(descriptor, &system) == 0 && system.f_flag & UInt(ST_RDONLY) != 0
    }
}

/// The content of a file that the user named, and whether other users can access it.
package struct NamedFile: Sendable {
    package let bytes: [UInt8]
    let insecurity: InsecureFile?

    package init(_ bytes: [UInt8], insecurity: InsecureFile?) {
        self.bytes = bytes
        self.insecurity = insecurity
    }

    func secret() throws(InsecureFile) -> [UInt8] {
        if let insecurity { throw insecurity }
        return bytes
    }
}
