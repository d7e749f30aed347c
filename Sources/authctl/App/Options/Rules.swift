// The rules of options in `validate()`.

/// Refuses an option together with others.
func refuse(_ given: GivenOptions, with others: GivenOptions) throws(UsageProblem) {
    if let option = given.list.first, let other = others.list.first { throw .excluded(option.name, by: other.name) }
}

/// Refuses more than one of the options.
func refuseSeveral(of given: GivenOptions) throws(UsageProblem) {
    if given.list.count > 1 { throw .excluded(given.list[1].name, by: given.list[0].name) }
}

/// Refuses options that require another one, unless that is given.
func require(_ other: String, isGiven: Bool, for given: GivenOptions) throws(UsageProblem) {
    if !isGiven, let option = given.list.first { throw .requires(option.name, [other]) }
}

extension String {
    /// Whether the text looks like a JWT that was given in place of a name or a file.
    var isCompactToken: Bool {
        hasPrefix("eyJ") && split(separator: ".", omittingEmptySubsequences: false).count == 3
    }
}
