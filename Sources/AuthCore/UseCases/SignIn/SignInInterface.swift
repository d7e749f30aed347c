/// Shows a sign-in to the user.
package protocol SignInInterface: Sendable {
    /// Shows the URL to visit; always called before a browser is opened.
    func show(_ page: AuthorizationPage) async
    /// Shows the code to enter on another device, and where (RFC 8628 section 3.3).
    func show(device: DeviceAuthorization) async
    func show(deviceRefused error: any Error) async
    func show(notTheCallback fault: PastedResponseFault, redirectURI: String) async
    func showURLExpired() async
    /// Shows progress for at most the given seconds. Cancelled when the flow ends.
    func showCountdown(secondsLeft: Int64) async
    /// The page that the browser shows after the redirect, when the result is known.
    func landingPage(after result: Result<SignInResult, any Error>) -> LandingPage
    /// The page that shows a number to the browser that sent the callback.
    func confirmationPage(_ number: String) -> LandingPage
    /// Asks the user which number the browser shows. Returns false if it shows none.
    func confirms(_ number: String) async throws -> Bool
    var hasBrowser: Bool { get }
    /// Whether the user's browser is probably on another machine.
    var isRemote: Bool { get }
    func openBrowser(_ url: String) async -> Bool
    func pastedLines() -> AsyncStream<String>
}

extension SignInInterface {
    package func show(deviceRefused error: any Error) async {}
    package func show(notTheCallback fault: PastedResponseFault, redirectURI: String) async {}
    package func showURLExpired() async {}
    package func showCountdown(secondsLeft: Int64) async {}
    package func confirmationPage(_ number: String) -> LandingPage {
        landingPage(after: .failure(SignInError.notConfirmed))
    }
    package func confirms(_ number: String) async throws -> Bool { false }
    package var isRemote: Bool { false }
}

/// The page that the user must visit.
package struct AuthorizationPage: Sendable {
    package var url: String
    package var redirectURI: String
    package var acceptsPaste: Bool
    package var device: DeviceAuthorization?
    package var offersDevice = false
    package var opensBrowser = false
    /// Seconds until the URL expires, if that is before the timeout; otherwise nil.
    package var urlExpiresIn: Int64?

    var requiresBrowser: Bool { opensBrowser && device == nil && !acceptsPaste }
}
