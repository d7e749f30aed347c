import AuthCore

extension Context.Offer {
    /// Configures git to get its tokens from authctl.
    static let git = Context.Offer(
        question: { provider, context in
            guard let scope = provider.gitScope,
                let host = provider.ownHosts(for: .git).first.flatMap({ try? HTTPURL($0) })?.host,
                context.environment.hasProgram("git")
            else { return nil }
            return ("Use it for git at \(host) too (scope \(scope))?", scope)
        },
        accept: { provider, context in
            let setup = ToolSetup(context: context, provider: provider)
            setup.lock()
            return try await setup.git(hosts: [])
        })
}
