import ArgumentParser

/// Takes one value out of what a command shows.
struct FieldFlag: ParsableArguments {
    @Option(help: .init("Print only this value of the JSON, for example account.email.", valueName: "path"))
    var field: String?
}
