import Glibc

extension [UInt8] {
    /// Where `byte` stands at or after `start`: by the C library, which looks at 32 bytes at a time.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, start < bytes.count else { return nil }
            return memchr(base + start, Int32(byte), bytes.count - start).map {
                base.distance(to: UnsafeRawPointer($0))
            }
        }
    }
}

extension String {
    /// Whether two texts are the same bytes: `==` would also take texts for equal that Unicode calls equivalent.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count
            && (utf8.withContiguousStorageIfAvailable { own in
                other.utf8.withContiguousStorageIfAvailable { own.elementsEqual($0) }
            } ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
