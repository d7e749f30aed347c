import Synchronization

#if THREAD_SANITIZER
    import CLinux
#endif

/// A value that only one thread at a time may use.
package struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    package init(_ initial: consuming sending Value) { mutex = Mutex(initial) }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if THREAD_SANITIZER
            // ThreadSanitizer does not see the slow path of `Mutex`, and would report each contended value as a race.
            let address = withUnsafePointer(to: mutex) { UnsafeMutableRawPointer(mutating: $0) }
            return try mutex.withLock { value throws(Failure) in
                __tsan_acquire(address)
                defer { __tsan_release(address) }
                return try body(&value)
            }
        #else
            try mutex.withLock(body)
        #endif
    }
}
