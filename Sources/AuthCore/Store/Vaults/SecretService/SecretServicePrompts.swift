/// Prompts of the service that the user must answer first.
extension SecretService {
    enum PromptOutcome: Sendable, Equatable {
        case completed
        /// The user declined, or no prompt could be shown; `after` in seconds.
        case dismissed(after: Double)
        case timedOut
        case abandoned
    }

    /// Lets the service prompt the user, for at most the given number of seconds.
    mutating func complete(_ prompt: BusPath, timeout: Double) throws(BusError) -> PromptOutcome {
        let completed = "interface='org.freedesktop.Secret.Prompt',member='Completed'"
        let changed = "interface='org.freedesktop.DBus',member='NameOwnerChanged'"
        for rule in ["path='\(prompt.text)',\(completed)", "\(changed),arg0='\(Self.name)'"] {
            _ = try call("AddMatch", of: "DBus", at: BusPath("/org/freedesktop/DBus"), to: "org.freedesktop.DBus") {
                call throws(BusError) in
                try call.append("type='signal',\(rule)")
            }
        }
        let deadline = Deadline(after: timeout)
        // A successful reply is ignored: it is empty, and some services send it only after the user has answered.
        let cookie = try send("Prompt", of: "Secret.Prompt", at: prompt) { call throws(BusError) in
            try call.append("")
        }
        do throws(BusError) {
            let message = try bus.first(before: deadline) {
                $0.isSignal("Completed", of: "org.freedesktop.Secret.Prompt", at: prompt)
                    || $0.isSignal("NameOwnerChanged", of: "org.freedesktop.DBus")
                    || $0.replyCookie == cookie && $0.error != nil
            }
            if let error = message.error { throw error }
            guard message.isSignal("Completed", of: "org.freedesktop.Secret.Prompt") else { return .abandoned }
            return try message.flag() ? .dismissed(after: deadline.passed) : .completed
        } catch {
            guard case .timedOut = error else { throw error }
            // Not every service dismisses a prompt when the connection closes.
            _ = try? call("Dismiss", of: "Secret.Prompt", at: prompt)
            return .timedOut
        }
    }
}
