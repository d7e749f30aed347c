/// Opens a URL that contains a secret. All users of a machine can read the arguments of processes, so the browser gets
/// a local URL, which redirects this user once.
package enum OneTimeRedirect {
    /// - timeout: seconds to wait for the browser.
    package static func send(
        to destination: String, timeout: Double, clock: Clock, random: RandomSource = .openSSL,
        open: (_ url: String) -> Bool
    ) async throws -> Bool {
        let path = "/" + (try random.token(bytes: 24))
        var configuration = LoopbackListener.Configuration(path: path)
        configuration.destination = destination
        let listener = try LoopbackListener(configuration)
        let (visits, arrive) = AsyncStream.makeStream(of: Bool.self)
        listener.start(isAwaited: { _ in false }, deliver: { _ in arrive.yield(true) })
        guard open("http://127.0.0.1:\(listener.port)\(path)") else {
            await listener.close()
            return false
        }
        let timeoutTask = Task {
            try await clock.sleep(timeout)
            arrive.yield(false)
        }
        let hasArrived = await visits.first { _ in true } ?? false
        timeoutTask.cancel()
        await listener.finish(nil)
        return hasArrived
    }
}
