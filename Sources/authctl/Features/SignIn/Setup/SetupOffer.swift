import AuthCore

extension Context {
    /// Offers to configure the provider that a command requires, if the user can be prompted.
    func offeredSetup(_ named: String?, _ flags: FlowFlags) async throws -> SetUp? {
        guard canPrompt, flags.steps.complete == nil, !flags.steps.begin, !flags.isNonInteractive else {
            return nil
        }
        var request = SetupRequest()
        let question: String
        if let named {
            let id = try self.named(named)
            let providerID = SetupService.named(id)?.providerID ?? id
            guard (try? ProviderID(providerID)) != nil, try profile.find(providerID) == nil else { return nil }
            request.named = id
            question = "'\(id)' is not configured. Configure it now?"
        } else {
            guard try profile.providerIDs().isEmpty, try profile.projectSettings() == nil else { return nil }
            let place = profile.name == Profile.defaultName ? "" : " in the profile '\(profile.name)'"
            question = "No provider is configured\(place). Configure one now?"
        }
        request.tenant = flags.authorization.tenant
        request.port = flags.port
        request.opensBrowser = flags.opensBrowser
        guard try await confirm(question, default: true) else { return nil }
        return try await Setup(context: self, request: request).run()
    }
}
