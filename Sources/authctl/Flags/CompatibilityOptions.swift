import ArgumentParser
import AuthCore

/// What other programs call it: taken, and shown in the manual alone.
struct CompatibilityOptions: ParsableArguments {
    // There, too, a browser is opened where there is one, and a code shown where a provider wants one.
    @Flag(help: "As --flow auto.")
    var web = false

    @Flag(help: "As --flow device.")
    var useDeviceCode = false

    @Flag(help: "As --no-browser.")
    var skipOpenBrowser = false

    @Flag(help: "As --access-token -.")
    var withToken = false

    var flow: SignInRequest.Flow? { web ? .auto : useDeviceCode ? .device : nil }

    func validate() throws {
        if web, useDeviceCode { throw ValidationError("--web and --use-device-code exclude each other") }
    }
}
