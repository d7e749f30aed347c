#if THREAD_SANITIZER
    import Glibc
#else
    import Synchronization
#endif

/// A value that only one thread at a time may use.
///
/// ThreadSanitizer does not see the lock of `Synchronization.Mutex`, whose slow path is not instrumented. It reports
/// every contended value as a race. In that build this is a POSIX mutex.
package struct Lock<Value: ~Copyable>: ~Copyable {
    #if THREAD_SANITIZER
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        package init(_ initial: consuming sending Value) {
            pthread_mutex_init(mutex, nil)
            value.initialize(to: initial)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
    #else
        private let mutex: Mutex<Value>

        package init(_ initial: consuming sending Value) { mutex = Mutex(initial) }
    #endif

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if THREAD_SANITIZER
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        #else
            try mutex.withLock(body)
        #endif
    }
}

#if THREAD_SANITIZER
    // Safe because the mutex orders all uses of the value.
    extension Lock: @unchecked Sendable where Value: ~Copyable {}
#else
    extension Lock: Sendable where Value: ~Copyable {}
#endif
