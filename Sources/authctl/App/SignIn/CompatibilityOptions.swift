import ArgumentParser
import AuthCore

/// Options that other tools have for the same purpose, shown only in the manual.
struct CompatibilityOptions: ParsableArguments {
    // Also the default: uses a browser if one is available, and a device code if the provider requires it.
    @Flag(help: "The same as --flow auto.")
    var web = false

    @Flag(help: "The same as --flow device.")
    var useDeviceCode = false

    @Flag(help: "The same as --no-browser.")
    var skipOpenBrowser = false

    @Flag(help: "The same as --access-token -.")
    var withToken = false

    var flow: SignInRequest.Flow? { web ? .auto : useDeviceCode ? .device : nil }

    var flows: GivenOptions { ["--web": web, "--use-device-code": useDeviceCode] }

    func validate() throws { try refuseSeveral(of: flows) }
}
