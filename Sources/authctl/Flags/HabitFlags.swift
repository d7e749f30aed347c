import ArgumentParser
import AuthCore

/// What other programs call it: taken, and shown in the manual alone.
struct HabitFlags: ParsableArguments {
    @Flag(help: "As --flow browser.")
    var web = false

    @Flag(help: "As --flow device.")
    var useDeviceCode = false

    @Flag(help: "As --no-browser.")
    var skipOpenBrowser = false

    @Flag(help: "As --access-token -.")
    var withToken = false

    var flow: SignInRequest.Flow? { web ? .browser : useDeviceCode ? .device : nil }

    func validate() throws {
        if web, useDeviceCode { throw ValidationError("--web and --use-device-code exclude each other") }
    }
}
