/// How a sign-in reaches the person.
package protocol SignInInterface: Sendable {
    /// Shows the URL to visit; always called before a browser is opened.
    func show(_ page: AuthorizationPage) async
    /// Shows the code to enter on another device, and where (RFC 8628 section 3.3).
    func show(device: DeviceAuthorization) async
    func show(deviceRefused error: any Error) async
    func show(notTheAnswer fault: PastedFault, redirectURI: String) async
    func showURLIsOver() async
    /// Keeps the person company while somebody is waited for, at most so many seconds. Cancelled when that is over.
    func attend(secondsLeft: Int64) async
    /// What the browser shows when it came back and this process knows how that ended.
    var landingPages: LandingPages { get }
    var hasBrowser: Bool { get }
    /// The person's own browser is likely to be on another machine than this process.
    var isRemote: Bool { get }
    func openBrowser(_ url: String) async -> Bool
    func pastedLines() -> AsyncStream<String>
}

extension SignInInterface {
    package func show(deviceRefused error: any Error) async {}
    package func show(notTheAnswer fault: PastedFault, redirectURI: String) async {}
    package func showURLIsOver() async {}
    package func attend(secondsLeft: Int64) async {}
    package var isRemote: Bool { false }
}

/// What a person needs to know of the page to visit.
package struct AuthorizationPage: Sendable {
    package var url: String
    package var redirectURI: String
    package var acceptsPaste: Bool
    package var device: DeviceAuthorization?
    package var offersDevice = false
    package var opensBrowser = false
    /// Seconds in which a browser must come with the URL, where that is less than somebody is waited for; nil for all of it.
    package var urlExpiresIn: Int64?
}
