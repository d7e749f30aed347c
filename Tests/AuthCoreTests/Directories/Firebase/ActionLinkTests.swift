import Testing

@testable import AuthCore

@Suite struct `Pasted action links` {
    private static let code = "aBc-12_Z"
    private static let link =
        "https://demo.firebaseapp.com/__/auth/action?mode=resetPassword&oobCode=\(code)&apiKey=k&lang=en"

    @Test(arguments: [
        link, code, " <\(link)> ", "\(code)\r\n\r\n",
        link.replacing("oob", with: "o\nob").replacing("&", with: "&\r\n"), "\(link)#top",
        "https://demo.page.link/?link=" + encoded(link) + "&apn=com.example",
        "com.example.app://google/link/?deep_link_id=" + encoded("https://demo.page.link/?link=" + encoded(link)),
    ])
    func `The action code is read from a web link, an app link or the code itself`(pasted: String) throws {
        #expect(try ActionLink(pasted: pasted, for: .resetPassword).code.revealed() == Self.code)
    }

    @Test func `An action link for another operation is rejected`() {
        #expect(throws: ActionLink.Fault.notFor(.verifyEmail)) { try ActionLink(pasted: Self.link, for: .verifyEmail) }
    }

    @Test(arguments: [
        "", "https://example.com/", "https://demo.firebaseapp.com/__/auth/action?mode=resetPassword",
        "?oobCode=a&oobCode=b", "a b", "?oobCode=%1B%5B", "?link=?link=?link=?link=x",
    ])
    func `Text without exactly one valid action code is rejected`(pasted: String) {
        #expect(throws: ActionLink.Fault.noCode) { try ActionLink(pasted: pasted, for: .resetPassword) }
    }

    private static func encoded(_ text: String) -> String {
        FormURLEncoded.encode([("x", text)]).dropFirst(2).description
    }
}
