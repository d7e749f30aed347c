import Glibc

// Which mutant is on, and a file with a byte for each mutant that ran.
private let active = getenv("MUTANT").flatMap { Int(String(cString: $0)) }
private nonisolated(unsafe) let reached: UnsafeMutableRawPointer? = {
    guard let path = getenv("MUTANTS_REACHED") else { return nil }
    let file = open(path, O_RDWR | O_CLOEXEC)
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0 else { return nil }
    let bytes = mmap(nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    close(file)
    return bytes == MAP_FAILED ? nil : bytes
}()

func mutant(_ id: Int) -> Bool {
    reached?.storeBytes(of: 1, toByteOffset: id, as: UInt8.self)
    return id == active
}

func mutantNot(_ id: Int, _ value: Bool) -> Bool { mutant(id) != value }
func mutantLess<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> Bool { mutant(id) ? a <= b : a < b }
func mutantGreater<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> Bool { mutant(id) ? a >= b : a > b }
func mutantAtMost<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> Bool { mutant(id) ? a < b : a <= b }
func mutantAtLeast<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> Bool { mutant(id) ? a > b : a >= b }
func mutantAnd(_ id: Int, _ a: Bool, _ b: @autoclosure () throws -> Bool) rethrows -> Bool {
    a == mutant(id) ? a : try b()
}
func mutantOr(_ id: Int, _ a: Bool, _ b: @autoclosure () throws -> Bool) rethrows -> Bool {
    a != mutant(id) ? a : try b()
}
// The place of an account in the list.
func mutantLess(_ id: Int, _ a: (Int, String, String), _ b: (Int, String, String)) -> Bool {
    mutant(id) ? a <= b : a < b
}
