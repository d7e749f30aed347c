import ArgumentParser

/// Prints one value of the result.
struct FieldFlag: ParsableArguments {
    @Option(help: .init("Print only this value of the JSON, for example account.email.", valueName: "path"))
    var field: String?
}
