import ArgumentParser

extension ParsableArguments {
    /// No flag given. Made by parsing: flags that were only initialized cannot be read.
    static var standard: Self { (try? Self.parse([])) ?? Self() }
}
