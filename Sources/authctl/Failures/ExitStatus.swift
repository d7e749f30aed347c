/// Ends the process with a code after everything was already said.
struct ExitStatus: Error {
    let code: Int32
}
