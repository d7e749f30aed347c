/// A sign-in in a browser, through this machine's client or a Firebase project.
package enum BrowserSignIn: Sendable {
    case own(SignIn)
    case project(SignInThroughProject)

    package func run(_ request: SignInRequest) async throws -> SignInResult {
        switch self {
        case .own(let signIn): try await signIn.run(request)
        case .project(let signIn): try await signIn.run(request)
        }
    }

    package var directory: any AccountDirectory {
        switch self {
        case .own(let signIn): signIn.directory
        case .project(let signIn): signIn.directory
        }
    }

    package func isCovered(_ scopes: [String], by session: Session) -> Bool {
        switch self {
        case .own(let signIn): signIn.client.provider.missing(scopes, granted: session.scopes).isEmpty
        case .project: Set(scopes).isSubset(of: session.scopes)
        }
    }
}
