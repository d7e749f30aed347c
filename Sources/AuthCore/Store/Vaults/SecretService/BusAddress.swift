/// The address of the session bus.
enum BusAddress {
    /// The address from the environment, or of systemd's socket. A bus is never started, or searched for through an X
    /// display.
    static func ofSession(_ variable: (String) -> String?) -> String? {
        if let address = variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
            let reachable = address.split(separator: ";").filter { address in
                ["unix:", "tcp:"].contains { address.hasPrefix($0) }
            }
            return reachable.isEmpty ? nil : reachable.joined(separator: ";")
        }
        guard let directory = variable("XDG_RUNTIME_DIR"), directory.hasPrefix("/") else { return nil }
        return "unix:path=" + escaped(directory + "/bus")
    }

    static func escaped(_ value: String) -> String {
        var text = ""
        for byte in value.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: text.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where "-_/.\\*".utf8.contains(byte): text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + [byte].hexadecimal
            }
        }
        return text
    }
}
