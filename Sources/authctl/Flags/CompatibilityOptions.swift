import ArgumentParser
import AuthCore

/// Options that other tools have for the same purpose. Accepted, and shown only in the manual.
struct CompatibilityOptions: ParsableArguments {
    // Also the default: a browser if there is one, and a code if the provider requires it.
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
        try refuse(if: web && useDeviceCode, "--web and --use-device-code cannot be used together")
    }
}
