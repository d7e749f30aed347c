import Glibc

package enum Poll {
    /// Waits for an event on one descriptor (poll(2)).
    ///
    /// - Parameter milliseconds: -1 for no limit.
    /// - Returns: 0 after that time, -1 with errno if it failed, otherwise 1.
    package static func wait(for event: Int32, on descriptor: Int32, milliseconds: Int32) -> Int32 {
        var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&waiting, 1, milliseconds)
    }
}
