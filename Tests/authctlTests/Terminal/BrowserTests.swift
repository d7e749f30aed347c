import AuthCore
import Testing

@testable import authctl

@Suite struct `The browser` {
    @Test func `B17: the command for a browser has no shell and contains the URL as one argument`() {
        let url = "https://id.example.com/?a=$(touch /tmp/x)&b='\"`;|"
        #expect(
            Browser(environment: ["BROWSER": "firefox:w3m %s"]).commands(for: url) == [
                ["firefox", url], ["w3m", url],
            ])
        let quoted = #"'/opt/My Browser/run' --new "a b" 100%% %s:w3m 50%%s:"unterminated %s: "#
        #expect(
            Browser(environment: ["BROWSER": quoted]).commands(for: url) == [
                ["/opt/My Browser/run", "--new", "a b", "100%", url], ["w3m", "50%s", url],
                ["\"unterminated \(url)"],
            ])
        #expect(Browser(environment: [:]).commands(for: url).isEmpty)
        #expect(Browser(environment: ["DISPLAY": ":0"]).commands(for: url) == [["xdg-open", url]])
    }
}
