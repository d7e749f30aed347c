import AuthCore

/// Runs a server until it is stopped.
struct Serving: Sendable {
    let socket: ServeSocket
    let handler: any RequestHandler

    private enum End: Sendable {
        case timeIsOver
        case failed(any Error)
    }

    /// Serves until a signal or the end of the given time. Returns the reason.
    ///
    /// - Throws: an error if the key was locked, or no session can be used any more.
    func run(for seconds: Int64?) async throws -> String {
        let server = try SocketServer(socket.descriptor, handler)
        server.stopOnSignals()
        let watching = Task { [deadline = seconds.map { Deadline(after: Double($0)) }] () -> End? in
            let first = await vault
            let canBeLocked = if case .open = first?.state { first?.kind != .file } else { false }
            while true {
                let left = deadline.map { Double($0.milliseconds) / 1000 } ?? 1
                do { try await Task.sleep(for: .seconds(min(0.5, left))) } catch { return nil }
                guard let end = await reason(deadline, canBeLocked: canBeLocked) else { continue }
                server.stop()
                return end
            }
        }
        await Blocking.run { server.run() }
        watching.cancel()
        let end = await watching.value
        // Without a usable session, incomplete responses get less time.
        let grace = if case .failed = end { 0.2 } else { 2.0 }
        await Blocking.run { server.finish(within: grace) }
        switch end {
        case .failed(let error): throw error
        case .timeIsOver: return "the time of --for is over"
        case nil: return "stopped by a signal"
        }
    }

    private func reason(_ deadline: Deadline?, canBeLocked: Bool) async -> End? {
        if let deadline, deadline.milliseconds == 0 { return .timeIsOver }
        if canBeLocked, let status = await vault, status.state == .locked {
            return .failed(VaultError.locked(status.kind))
        }
        guard handler.watch.isDue(), await !handler.hasSession() else { return nil }
        return .failed(CommandError.sessionsOver)
    }

    private var vault: VaultStatus? {
        get async { try? await handler.context.profile.store(creating: false)?.vaultStatus() }
    }
}
