/// How a sign-in reaches the person.
package protocol SignInInterface: Sendable {
    /// Shows the URL to visit; always called before a browser is opened.
    func show(_ page: AuthorizationPage) async
    /// Shows the code to enter on another device, and where (RFC 8628 section 3.3).
    func show(device: DeviceAuthorization) async
    /// The provider gives this client no code for another device; the other ways stay open.
    func show(deviceRefused error: any Error) async
    /// What was pasted is not the answer, which begins with `redirectURI`; it is waited for all the same.
    func show(notTheAnswer fault: PastedFault, redirectURI: String) async
    /// The URL that was shown brings nobody anywhere any more; who came with it in time may still answer.
    func showURLIsOver() async
    /// Keeps the person company while somebody is waited for, at most so many seconds. Cancelled when that is over.
    func attend(secondsLeft: Int64) async
    /// What the browser shows when it came back and this process knows how that ended.
    var landingPages: LandingPages { get }
    /// Whether there is a browser to open.
    var hasBrowser: Bool { get }
    /// The person's own browser is likely to be on another machine than this process.
    var isRemote: Bool { get }
    /// Opens a browser; false when none could be opened.
    func openBrowser(_ url: String) async -> Bool
    /// What the person pastes, a line at a time; ends when input ends.
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
    /// The URL that the browser ends at can be pasted.
    package var acceptsPaste: Bool
    /// The code for another device that is good as well; it is not shown by itself.
    package var device: DeviceAuthorization?
    /// Such a code can be asked for.
    package var offersDevice = false
    /// A browser is opened next.
    package var opensBrowser = false
    /// Seconds in which a browser must come with the URL, where that is less than somebody is waited for; nil for all of it.
    package var urlExpiresIn: Int64?
}
