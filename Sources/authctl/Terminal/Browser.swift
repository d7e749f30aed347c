import AuthCore
import Glibc

/// Opens a URL in the user's browser, without a shell or waiting. The browser inherits no descriptors and no AUTHCTL_
/// variables.
struct Browser: Sendable {
    let environment: Environment

    /// The commands of BROWSER, as xdg-open(1) reads it: separated by colons, with quotes, `%s` for the URL and `%%` for
    /// a percent sign.
    func commands(for url: String) -> [[String]] {
        let listed = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init)
        var commands = listed.map { entry -> [String] in
            // A command with an open quote cannot be run.
            let words = Shell.split(entry) ?? [entry]
            let parts = words.map { $0.split(separator: "%%", omittingEmptySubsequences: false) }
            let filled = parts.map { $0.map { $0.replacing("%s", with: url) }.joined(separator: "%") }
            let hasURL = words.isEmpty || parts.joined().contains { $0.contains("%s") }
            return hasURL ? filled : filled + [url]
        }
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0] != nil }
        if listed.isEmpty, environment["WSL_DISTRO_NAME"] != nil {
            // cmd.exe would interpret characters of the URL. These programs do not.
            commands += [["wslview", url], ["rundll32.exe", "url.dll,FileProtocolHandler", url]]
        }
        if listed.isEmpty, hasDesktop { commands.append(["xdg-open", url]) }
        return commands.filter { !$0.isEmpty }
    }

    var program: [String]? { commands(for: "URL").first { environment.hasProgram($0[0]) } }

    /// - Parameter failed: called if the last program ends with an error within two seconds.
    func open(_ url: String, failed: (@Sendable () -> Void)? = nil) -> Bool {
        let null = Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(null) }
        let environment = environment.without { $0.hasPrefix("AUTHCTL_") }
        // A separate process group, so that Ctrl-C does not close the browser.
        let commands = commands(for: url)
        return commands.indices.contains { index in
            let process = try? Child.spawn(commands[index], with: environment, streams: (null, null), isOwnGroup: true)
            guard let process else { return false }
            // Waits only if another command is left: a browser may run for hours.
            guard index == commands.indices.last else { return !Browser.hasFailed(process) }
            if let failed { _ = NewThread.start { if Browser.hasFailed(process) { failed() } } }
            return true
        }
    }

    /// Whether the process ends with an error within two seconds.
    private static func hasFailed(_ process: pid_t) -> Bool {
        var status: Int32 = 0
        for _ in 0..<200 {
            let ended = waitpid(process, &status, WNOHANG)
            guard ended == 0 else { return ended == process && status != 0 }
            usleep(10_000)
        }
        return false
    }
}
