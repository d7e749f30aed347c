import ArgumentParser
import Testing

@testable import authctl

@Suite struct `Session names` {
    /// A command that forgets the user would use the token of another one.
    @Test func `The user in the provider's name selects the account, in each command that has --provider`() throws {
        var count = 0
        for place in CommandPlace.all where place.optionNames.contains("--provider") {
            guard let command = place.command as? any authctl.Command.Type,
                // `signin` and `link` sign in as another user. A token that is verified belongs to no account here.
                !(command is any AccountIndependent.Type), command != LinkCommand.self, command != VerifyCommand.self
            else { continue }
            let words = ["--provider", "work/ada@example.com"]
            let others = [
                [], ["get"], ["git"], ["https://api.example.com"], ["--upstream", "https://api.example.com"],
                ["--role-arn", "arn:aws:iam::1:role/r"], ["--audience", "a"], ["--", "true"],
            ]
            let parsed = others.lazy.compactMap { try? command.parseAsRoot(words + $0) as? any authctl.Command }.first
            guard let settings = parsed?.settings else {
                Issue.record("no arguments for \(place.path)")
                continue
            }
            #expect(settings.account == "work/ada@example.com", "\(place.path)")
            count += 1
        }
        #expect(count >= 12)
    }
}
