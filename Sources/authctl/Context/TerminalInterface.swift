import AuthCore
import Glibc

/// The person at this terminal.
struct TerminalInterface: SignInInterface {
    let context: Context
    let providerID: String
    let clientID: String

    private var output: Output { context.output }
    private var surroundings: Surroundings { Surroundings(environment: context.environment) }

    func show(_ page: AuthorizationPage) async {
        if page.isAlternative {
            output.prompt("Or visit this URL in a browser (waiting \(context.settings.timeout) s):")
        } else {
            output.prompt("To sign in to '\(providerID)', visit this URL (waiting \(context.settings.timeout) s):")
        }
        output.prompt("")
        output.prompt("  \(page.url)")
        output.prompt("")
        if page.acceptsPaste {
            // What is pasted holds the code.
            Prompt.hideEcho()
            output.prompt(
                "When the browser cannot come back here, paste the URL it ends at (\(page.redirectURI)?…), then Enter.")
        }
        if page.offersDevice { output.prompt("For a code to enter on another device, type d, then Enter.") }
    }

    func show(device: DeviceAuthorization) async {
        let timeout = Int64(context.settings.timeout)
        let left = Relative.span(min(device.expiresIn ?? timeout, timeout))
        output.prompt("To sign in to '\(providerID)' as the client '\(clientID)', on any device, within \(left):")
        output.prompt("")
        output.prompt("  visit  \(device.verificationURL)")
        output.prompt("  enter  \(device.userCode)")
        if let complete = device.completeURL { output.prompt("  or visit  \(complete)") }
        output.prompt("")
        if let code = qrCode(of: (device.completeURL ?? device.verificationURL).text) { output.show(code) }
        output.prompt("Enter no code that somebody sent you: whoever made it signs in as you.")
    }

    func show(deviceRefused error: any Error) async {
        let failure = Failure(
            error, while: Undertaking("no code for another device", provider: providerID, again: .signIn(providerID)))
        output.note(failure.message)
    }

    func show(notTheAnswer redirectURI: String) async {
        output.prompt("That is not it: it begins with \(redirectURI)? and ends this sign-in; still waiting.")
    }

    func show(secondsLeft: Int64) async { output.countdown("waiting, \(Relative.span(secondsLeft)) left") }

    /// For whoever has a phone at hand; nothing where it would not fit, or could not be read.
    private func qrCode(of text: String) -> QRCode? {
        guard isatty(2) == 1, context.environment["TERM"] != "dumb", surroundings.showsBlocks,
            let code = QRCode(text)
        else { return nil }
        guard let width = Output.columns(of: 2), let first = code.lines.first, first.count <= width else { return nil }
        return code
    }

    var landingPages: LandingPages {
        LandingPages(
            succeeded: LandingPage("Signed in", "You can close this tab and go back to the terminal.", by: "authctl"),
            failed: LandingPage("Not signed in", "The terminal says why. You can close this tab.", by: "authctl"))
    }

    var hasBrowser: Bool { Browser(environment: context.environment).program != nil }

    var isRemote: Bool { surroundings.isRemote }

    func openBrowser(_ url: String) async -> Bool {
        Browser(environment: context.environmentOfPrograms).open(url)
    }

    func pastedLines() -> AsyncStream<String> { Prompt.lines() }
}
