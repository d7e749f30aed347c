import Glibc

/// Opens a URL in the person's browser: no shell, nothing waited for, none of our descriptors or settings handed on.
struct Browser: Sendable {
    let environment: [String: String]

    /// The commands to try, each a program and its arguments.
    func commands(for url: String) -> [[String]] {
        let listed = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init)
        var commands = listed.map { entry -> [String] in
            let words = entry.split(separator: " ").map(String.init)
            let filled = words.map { $0.contains("%s") ? $0.replacing("%s", with: url) : $0 }
            return filled == words ? words + [url] : filled
        }
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        if listed.isEmpty, environment["WSL_DISTRO_NAME"] != nil {
            // Windows' own programs take what a shell would: these read the URL as it is.
            commands += [["wslview", url], ["rundll32.exe", "url.dll,FileProtocolHandler", url]]
        }
        if listed.isEmpty, hasDesktop { commands.append(["xdg-open", url]) }
        return commands.filter { !$0.isEmpty }
    }

    /// The first of the commands whose program is there; nil for none.
    var program: [String]? { commands(for: "URL").first { isProgram($0[0]) } }

    private func isProgram(_ name: String) -> Bool {
        func canRun(_ path: String) -> Bool {
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
        }
        guard !name.contains("/") else { return canRun(name) }
        return (environment["PATH"] ?? "").split(separator: ":").contains { canRun("\($0)/\(name)") }
    }

    /// True when a program was started.
    func open(_ url: String) -> Bool {
        commands(for: url).contains { spawn($0) }
    }

    private func spawn(_ command: [String]) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A process group of its own: Ctrl-C here does not close the browser.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        Process.closeOnExec()
        let arguments = command.map { strdup($0) } + [nil]
        let variables =
            environment.filter { !$0.key.hasPrefix("AUTHCTL_") }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var process = pid_t()
        return posix_spawnp(&process, command[0], &actions, &attributes, arguments, variables) == 0
    }
}
