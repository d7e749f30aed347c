import AuthCore
import Glibc

/// Where this process runs. This only affects defaults, and never disables a feature.
extension Environment {
    enum Place: String {
        case ssh = "an SSH session"
        case wsl = "the Windows Subsystem for Linux"
        case container = "a container"
        case remoteEditor = "a remote editor (VS Code)"
    }

    private func has(_ name: String) -> Bool { self[name] != nil }

    var place: Place? {
        // A remote editor also sets SSH's variables, but can open a browser.
        if has("VSCODE_IPC_HOOK_CLI") || has("REMOTE_CONTAINERS") || has("CODESPACES") { return .remoteEditor }
        if has("SSH_CONNECTION") || has("SSH_TTY") { return .ssh }
        if has("WSL_DISTRO_NAME") || has("WSL_INTEROP") { return .wsl }
        if has("container") || access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 {
            return .container
        }
        return nil
    }

    var isRemote: Bool {
        guard !has("BROWSER") else { return false }
        return place == .ssh || place == .container
    }

    /// Whether the terminal's encoding has block characters.
    var showsBlocks: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { self[$0] }.first ?? ""
        return locale.uppercased().hasSuffix("UTF-8") || locale.uppercased().hasSuffix("UTF8")
    }

    /// Whether output is for screen readers: words instead of symbols, and no line is rewritten.
    var isAccessible: Bool {
        isOn(self["AUTHCTL_ACCESSIBLE"] == nil ? "ACCESSIBLE" : "AUTHCTL_ACCESSIBLE")
    }

    /// Whether this process may read and configure a terminal: a background process that tries is stopped (SIGTTIN,
    /// SIGTTOU).
    static func isInForeground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        // `tcgetpgrp` fails for a terminal of another session, which has no background processes here.
        return group < 0 || group == getpgrp()
    }
}
