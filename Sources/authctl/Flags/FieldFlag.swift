import ArgumentParser

/// Takes one value out of what a command shows.
struct FieldFlag: ParsableArguments {
    @Option(help: ArgumentHelp("Print this one value of the JSON, as account.email.", valueName: "path"))
    var field: String?
}
