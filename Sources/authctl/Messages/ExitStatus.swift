/// Ends the process with this exit code, without a message.
struct ExitStatus: Error {
    let code: Int32
}
