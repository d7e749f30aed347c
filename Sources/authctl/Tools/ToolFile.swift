import AuthCore
import Glibc

/// Files that belong to other tools.
enum ToolFile {
    static func replace(_ path: String, _ bytes: [UInt8], mode: mode_t) throws {
        func failure(_ operation: String, _ path: String, _ code: Int32) -> StoreError {
            .system(operation: operation, path: path, code: code)
        }
        let target =
            realpath(path, nil).map { pointer in
                defer { free(pointer) }
                return String(cString: pointer)
            } ?? path
        let directory = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
        if !directory.isEmpty, access(directory, F_OK) != 0, mkdir(directory, 0o700) != 0 {
            throw failure("make", directory, errno)
        }
        var status = stat()
        let currentMode = stat(target, &status) == 0 ? status.st_mode & 0o777 : mode
        let temporary = "\(target).authctl-\(getpid())"
        do throws(AtomicFile.Failure) {
            try AtomicFile.replace(target, bytes, mode: currentMode, by: temporary, in: AT_FDCWD)
        } catch {
            throw failure("write", error.step == .open ? temporary : target, error.code)
        }
    }
}

/// A JSON file of another tool.
struct JSONFile {
    let path: String
    private let settings: JSONObject
    var text: JSONText

    init(_ path: String) throws {
        self.path = path
        guard access(path, F_OK) == 0 else {
            (settings, text) = (JSONObject(), JSONText(nil))
            return
        }
        let bytes = try SecretInput.bytes(path)
        guard let read = try? StrictJSON.object(bytes) else {
            throw CommandError(.toolNotSetUp, "'\(path)' is not a JSON object; nothing was changed")
        }
        (settings, text) = (read, JSONText(bytes))
    }

    func object(_ name: String) throws -> JSONObject {
        guard let value = settings[name] else { return JSONObject() }
        guard let object = value.object else {
            throw CommandError(.toolNotSetUp, "'\(path)': '\(name)' is not a JSON object; nothing was changed")
        }
        return object
    }

    func save() throws {
        guard text.isEmptied else { return try ToolFile.replace(path, text.bytes, mode: 0o600) }
        guard unlink(path) == 0 else { throw StoreError.system(operation: "remove", path: path, code: errno) }
    }
}
