import Glibc

/// A file that a person keeps a secret in, and names.
enum PrivateFile {
    /// This user's, and nobody else reads or writes it; or root's, who may let a group read it. One that is not there is for
    /// whoever reads it to tell.
    /// - Throws: `StoreError`.
    static func check(_ path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        let isOwn = status.st_uid == geteuid()
        guard isOwn || status.st_uid == 0 else { throw .wrongOwner(path: path, owner: status.st_uid) }
        guard status.st_mode & (isOwn ? 0o077 : 0o027) == 0 else {
            throw .tooOpen(path: path, mode: status.st_mode & 0o7777, wanted: 0o600)
        }
    }
}
