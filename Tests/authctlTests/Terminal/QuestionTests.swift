import Testing

@testable import authctl

@Suite struct `Choice prompts` {
    private static let ids = ["github.com", "google.com", "oidc.work", "oidc.work-two"]

    @Test(arguments: [
        ("1", "github.com"), ("4", "oidc.work-two"), ("google.com", "google.com"), ("gi", "github.com"),
        ("oidc.work", "oidc.work"), ("oidc.work-", "oidc.work-two"),
    ])
    func `a choice is selected by number, name or unique prefix`(typed: String, expected: String) throws {
        #expect(try Output.choice(typed, among: Self.ids) == expected)
    }

    @Test(arguments: ["", "0", "5", "7", "-1", "-9223372036854775808", "g", "x", "oidc.w"])
    func `other input at a choice prompt is refused`(typed: String) {
        #expect(throws: InvalidInput("enter a number from 1 to 4, or a name")) {
            try Output.choice(typed, among: Self.ids)
        }
    }
}
