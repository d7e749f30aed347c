import FoundationEssentials

/// A function under libFuzzer that reads untrusted bytes, with conditions on its result. AUTHCTL_FUZZ_TARGET names the reader
/// to run; without it, the names are printed (`Tests/Fuzz/run`).
struct Reader: Sendable {
    let name: String
    /// The longest input that libFuzzer should try, in bytes.
    let longest: Int
    let read: @Sendable ([UInt8]) throws -> Void
}

/// Traps if a reader breaks its contract, so that libFuzzer stores the input.
func promise(_ condition: @autoclosure () throws -> Bool, _ sentence: StaticString, line: UInt = #line) {
    let holds = (try? condition()) ?? false
    precondition(holds, "\(sentence) (line \(line))")
}

private let chosen: Reader? = {
    let name = ProcessInfo.processInfo.environment["AUTHCTL_FUZZ_TARGET"]
    return Readers.all.first { $0.name == name }
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // An error is a valid result. Findings are traps, leaks, and slow or large readers.
    try? chosen?.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// SwiftPM expects an entry point with the name of the target. This one starts libFuzzer.
@_cdecl("Fuzz_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    guard chosen != nil else {
        for reader in Readers.all { print(reader.name, reader.longest) }
        return 0
    }
    var count = count
    var arguments = arguments
    return runDriver(&count, &arguments, fuzzOneInput)
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ one: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
