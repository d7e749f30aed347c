/// The bodies of a request and its response that are passed on in parts. The functions run on the thread that sends the
/// request. While one of them waits, nothing more is received.
package struct HTTPStream {
    package struct Upload {
        /// The length in bytes; nil if it is unknown.
        package let length: Int64?
        /// Writes a part of the request's body and returns its length: 0 at the end, nil if it cannot be read to the end.
        package let read: (UnsafeMutableRawBufferPointer) -> Int?

        package init(length: Int64?, read: @escaping (UnsafeMutableRawBufferPointer) -> Int?) {
            self.length = length
            self.read = read
        }
    }

    /// The request's body, if it is sent in parts; nil if it is `HTTPRequest.body`.
    package let upload: Upload?
    /// Receives the head of the response. Returns whether its body is passed to `part`; otherwise it is collected.
    package let head: (HTTPResponse) -> Bool
    /// Returns false to end the request.
    package let part: (UnsafeRawBufferPointer) -> Bool
    /// Called at least each second. Returns false to end the request.
    package let continues: () -> Bool

    package init(
        upload: Upload?, head: @escaping (HTTPResponse) -> Bool,
        part: @escaping (UnsafeRawBufferPointer) -> Bool, continues: @escaping () -> Bool
    ) {
        self.upload = upload
        self.head = head
        self.part = part
        self.continues = continues
    }
}
