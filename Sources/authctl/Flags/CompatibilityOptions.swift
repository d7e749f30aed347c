import ArgumentParser
import AuthCore

/// What other programs call it: taken, and shown in the manual alone.
struct CompatibilityOptions: ParsableArguments {
    // There, too, a browser is opened where there is one, and a code shown where a provider wants one.
    @Flag(help: "The same as --flow auto.")
    var web = false

    @Flag(help: "The same as --flow device.")
    var useDeviceCode = false

    @Flag(help: "The same as --no-browser.")
    var skipOpenBrowser = false

    @Flag(help: "The same as --access-token -.")
    var withToken = false

    var flow: SignInRequest.Flow? { web ? .auto : useDeviceCode ? .device : nil }

    func validate() throws {
        if web, useDeviceCode { throw ValidationError("--web and --use-device-code cannot be used together") }
    }
}
