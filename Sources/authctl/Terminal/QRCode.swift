import Glibc

/// A QR code (ISO/IEC 18004) from libqrencode, which is loaded on demand. Without the library, no QR code is shown.
struct QRCode {
    let modules: [[Bool]]

    private static let quiet = 4

    /// The layout of libqrencode's `QRcode`: version, width, and one byte for each module, whose lowest bit is the
    /// color.
    private struct Head {
        let version: Int32
        let width: Int32
        let data: UnsafePointer<UInt8>
    }

    private typealias Encode = @convention(c) (UnsafePointer<CChar>, Int32, Int32) -> UnsafeMutableRawPointer?
    private typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void

    init?(_ text: String) {
        guard let library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL) else { return nil }
        defer { dlclose(library) }
        guard let encodeSymbol = dlsym(library, "QRcode_encodeString8bit"),
            let freeSymbol = dlsym(library, "QRcode_free")
        else { return nil }
        let encode = unsafeBitCast(encodeSymbol, to: Encode.self)
        let release = unsafeBitCast(freeSymbol, to: Free.self)
        // The smallest version and the lowest error correction (QR_ECLEVEL_L), which is enough for a screen.
        guard let code = encode(text, 0, 0) else { return nil }
        defer { release(code) }
        let head = code.assumingMemoryBound(to: Head.self).pointee
        let width = Int(head.width)
        guard (21...177).contains(width) else { return nil }
        modules = (0..<width).map { row in (0..<width).map { head.data[row * width + $0] & 1 == 1 } }
    }

    var lines: [String] {
        let size = modules.count + 2 * QRCode.quiet
        func isDark(_ row: Int, _ column: Int) -> Bool {
            let (row, column) = (row - QRCode.quiet, column - QRCode.quiet)
            return modules.indices.contains(row) && modules.indices.contains(column) && modules[row][column]
        }
        return stride(from: 0, to: size, by: 2).map { row in
            String(
                (0..<size).map { column -> Character in
                    switch (isDark(row, column), isDark(row + 1, column)) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                })
        }
    }
}
