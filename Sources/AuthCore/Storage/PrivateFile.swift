import Glibc

/// A file that a person keeps a secret in, and names.
enum PrivateFile {
    /// This user's, and nobody else reads or writes it; or root's, who may let a group read it. One that is not there is for
    /// whoever reads it to tell.
    /// - Throws: `OpenKeyFile`.
    static func check(_ path: String) throws(OpenKeyFile) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        let isOwn = status.st_uid == geteuid()
        guard isOwn || status.st_uid == 0 else { throw OpenKeyFile(path: path, .owner(status.st_uid)) }
        guard status.st_mode & (isOwn ? 0o077 : 0o027) == 0 else {
            throw OpenKeyFile(path: path, .mode(status.st_mode & 0o7777, isOwn: isOwn))
        }
    }
}

/// What a client proves itself with is not there or cannot be used: nobody was asked, and this machine's user can mend it.
package protocol OwnProofFault: Error, Sendable {}

/// The file of a private key that is not this user's alone.
package struct OpenKeyFile: Error, OwnProofFault, Equatable {
    package enum Fault: Sendable, Equatable {
        case owner(UInt32)
        /// Others can read or write it.
        case mode(UInt32, isOwn: Bool)
    }

    package let path: String
    package let fault: Fault

    package init(path: String, _ fault: Fault) {
        self.path = path
        self.fault = fault
    }
}
