import AuthCore

extension MachineHost {
    private static let tries = 3

    /// Asks the user for the passphrase of the store's key.
    func askPassphrase(_ purpose: PassphrasePurpose) throws -> VaultPassphrase? {
        var refusal = VaultError.dismissed
        let question = "\(purpose == .opening ? "Passphrase" : "New passphrase") of authctl's key: "
        for _ in 0..<Self.tries {
            guard let text = try typed(question, purpose) else { return nil }
            guard !text.isEmpty else {
                output.prompt("The passphrase must not be empty.")
                continue
            }
            let passphrase = VaultPassphrase(text)
            guard purpose == .choosing else { return passphrase }
            guard settings.acceptsWeakPassphrase || !passphrase.isWeak else {
                output.prompt("The passphrase must have at least \(VaultPassphrase.minimumLength) characters.")
                refusal = .weakPassphrase
                continue
            }
            if try typed("Confirm passphrase: ", purpose) == text { return passphrase }
            output.prompt("The passphrases differ.")
            refusal = .notConfirmed
        }
        throw refusal
    }

    private func typed(_ question: String, _ purpose: PassphrasePurpose) throws -> String? {
        switch Prompt.secret(question, timeout: settings.timeout) {
        case .text(let text): return text
        case .empty: return ""
        case .ended where purpose == .choosing: throw CancellationError()
        case .ended: throw VaultError.dismissed
        case .late: throw VaultError.timedOut(seconds: Double(settings.timeout))
        case .noTerminal: return nil
        }
    }
}
