/// Shows a sign-in to the user: in a window, on a page or in a terminal of the calling program.
public protocol SignInPresenter: Sendable {
    /// Shows the user what to do. Called again for another method or a new code.
    func show(_ step: SignInStep) async
    /// Opens a browser at a URL.
    /// - Returns: false if no browser could be opened. The user then follows the step that was shown before.
    func openBrowser(_ url: String) async -> Bool
    /// Whether this machine has a browser to open.
    var hasBrowser: Bool { get }
    /// The lines that the user pastes: the URL at which the browser ended. Empty if the user cannot paste.
    func pastedLines() -> AsyncStream<String>
    /// The page that the browser shows after the redirect.
    var landing: SignInLanding { get }
}

extension SignInPresenter {
    /// Returns false: no browser is opened.
    public func openBrowser(_ url: String) async -> Bool { false }
    /// False.
    public var hasBrowser: Bool { false }
    /// No lines.
    public func pastedLines() -> AsyncStream<String> { AsyncStream { _ in } }
}

/// One step of a sign-in for the user.
public struct SignInStep: Sendable, Equatable {
    /// The page to visit.
    public let url: String
    /// The code to enter on that page, unchanged (RFC 8628 section 3.3); nil if the page requires none.
    public let userCode: String?
    /// The page's URL including the code, for a link or a QR code; nil if the provider does not send one.
    public let completeURL: String?
    /// Whether `pastedLines` are read for this step.
    public let acceptsPaste: Bool
}

/// The page that a browser shows at the end: a title and a sentence for success and for failure, as text.
public struct SignInLanding: Sendable, Equatable {
    /// The title after a successful sign-in.
    public var succeededTitle: String
    /// The sentence below it.
    public var succeededText: String
    /// The title after a failed sign-in.
    public var failedTitle: String
    /// The sentence below it.
    public var failedText: String
    /// The program's name in the window title.
    public var program: String

    /// Creates the texts for success and failure.
    public init(
        succeededTitle: String, succeededText: String, failedTitle: String, failedText: String, program: String
    ) {
        self.succeededTitle = succeededTitle
        self.succeededText = succeededText
        self.failedTitle = failedTitle
        self.failedText = failedText
        self.program = program
    }

    func page(after result: Result<SignInResult, any Error>) -> LandingPage {
        switch result {
        case .success: LandingPage(.succeeded, title: succeededTitle, text: succeededText, by: program)
        case .failure: LandingPage(.failed, title: failedTitle, text: failedText, by: program)
        }
    }
}

/// Adapts a presenter to the use case.
struct PresenterAdapter: SignInInterface {
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

    func landingPage(after result: Result<SignInResult, any Error>) -> LandingPage {
        presenter.landing.page(after: result)
    }
    var hasBrowser: Bool { presenter.hasBrowser }
    func openBrowser(_ url: String) async -> Bool { await presenter.openBrowser(url) }
    func pastedLines() -> AsyncStream<String> { presenter.pastedLines() }
}
