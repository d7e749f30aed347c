/// How a sign-in reaches the person: a window, a page or a terminal of the program that asks.
public protocol SignInPresenter: Sendable {
    /// Shows what the person is to do; called again where there is another way, or a new code.
    func show(_ step: SignInStep) async
    /// Opens a browser at a URL.
    /// - Returns: false where none could be opened: the step that was shown before is the person's then.
    func openBrowser(_ url: String) async -> Bool
    /// Whether there is a browser to open on this machine.
    var hasBrowser: Bool { get }
    /// What the person pastes of the URL that the browser ended at, a line at a time; none where nobody can.
    func pastedLines() -> AsyncStream<String>
    /// What the browser shows when it came back.
    var landing: SignInLanding { get }
}

extension SignInPresenter {
    /// False: nothing is opened.
    public func openBrowser(_ url: String) async -> Bool { false }
    /// False.
    public var hasBrowser: Bool { false }
    /// Nothing is pasted.
    public func pastedLines() -> AsyncStream<String> { AsyncStream { _ in } }
}

/// What a person is to do for a sign-in.
public struct SignInStep: Sendable, Equatable {
    /// The page to visit.
    public let url: String
    /// The code to enter there, exactly as it stands (RFC 8628 section 3.3); nil where the page is all.
    public let userCode: String?
    /// The page with the code in it already, for a link or a QR code; nil where the provider has none.
    public let completeURL: String?
    /// Whether `pastedLines` are read for this step.
    public let acceptsPaste: Bool
}

/// The page that a browser shows at the end: a title and a sentence for either end, as text.
public struct SignInLanding: Sendable, Equatable {
    /// The title, where the person is signed in.
    public var succeededTitle: String
    /// The sentence below it.
    public var succeededText: String
    /// The title, where the person is not.
    public var failedTitle: String
    /// The sentence below it.
    public var failedText: String
    /// What the window's title calls the program.
    public var program: String

    /// A page for either end.
    public init(
        succeededTitle: String, succeededText: String, failedTitle: String, failedText: String, program: String
    ) {
        self.succeededTitle = succeededTitle
        self.succeededText = succeededText
        self.failedTitle = failedTitle
        self.failedText = failedText
        self.program = program
    }

    var pages: LandingPages {
        LandingPages(
            succeeded: LandingPage(succeededTitle, succeededText, by: program),
            failed: LandingPage(failedTitle, failedText, by: program))
    }
}

/// A presenter, as the use case sees it.
struct PresenterInterface: SignInInterface {
    let presenter: any SignInPresenter

    func show(_ page: AuthorizationPage) async {
        await presenter.show(
            SignInStep(url: page.url, userCode: nil, completeURL: nil, acceptsPaste: page.acceptsPaste))
    }

    func show(device: DeviceAuthorization) async {
        await presenter.show(
            SignInStep(
                url: device.verificationURL.text, userCode: device.userCode, completeURL: device.completeURL?.text,
                acceptsPaste: false))
    }

    var landingPages: LandingPages { presenter.landing.pages }
    var hasBrowser: Bool { presenter.hasBrowser }
    func openBrowser(_ url: String) async -> Bool { await presenter.openBrowser(url) }
    func pastedLines() -> AsyncStream<String> { presenter.pastedLines() }
}
