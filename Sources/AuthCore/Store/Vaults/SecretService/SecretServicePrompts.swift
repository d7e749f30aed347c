/// Prompts of the service that the user must answer first.
extension SecretService {
    /// Seconds. A prompt that ends sooner was not visible to the user.
    private static let fastestUserResponse = 0.3

    /// Lets the service prompt the user, for at most the given number of seconds.
    mutating func complete(_ prompt: BusPath, timeout: Double) throws {
        let completed = "interface='org.freedesktop.Secret.Prompt',member='Completed'"
        let changed = "interface='org.freedesktop.DBus',member='NameOwnerChanged'"
        for rule in ["path='\(prompt.text)',\(completed)", "\(changed),arg0='\(Self.name)'"] {
            _ = try call(
                "AddMatch", of: "DBus", at: BusPath("/org/freedesktop/DBus"), to: "org.freedesktop.DBus",
                with: [.text("type='signal',\(rule)")])
        }
        let deadline = Deadline(after: timeout)
        // A successful reply is ignored: it is empty, and some services send it only after the user has answered.
        let cookie = try send("Prompt", of: "Secret.Prompt", at: prompt, with: [.text("")])
        do {
            let message = try bus.first(before: deadline) {
                $0.isSignal("Completed", of: "org.freedesktop.Secret.Prompt", at: prompt)
                    || $0.isSignal("NameOwnerChanged", of: "org.freedesktop.DBus")
                    || $0.replyCookie == cookie && $0.error != nil
            }
            if let error = message.error { throw error }
            guard message.isSignal("Completed", of: "org.freedesktop.Secret.Prompt") else {
                throw VaultError.unavailable(.keyring, .noService)
            }
            guard try message.flag() else { return }
            // Without a display, the service's prompt ends immediately: the user must unlock the keyring in another way.
            throw deadline.passed < Self.fastestUserResponse ? VaultError.locked(.keyring) : .dismissed
        } catch BusError.timedOut {
            // Not every service dismisses a prompt when the connection closes.
            _ = try? call("Dismiss", of: "Secret.Prompt", at: prompt)
            throw VaultError.timedOut(seconds: timeout)
        }
    }
}
