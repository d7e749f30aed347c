import ArgumentParser

// The rules of options in `validate()`.

/// Refuses the command line unless the condition holds.
func require(_ isValid: Bool, _ message: String) throws { try refuse(if: !isValid, message) }

func refuse(if isInvalid: Bool, _ message: String) throws { if isInvalid { throw ValidationError(message) } }

extension String {
    /// Whether the text looks like a JWT that was given in place of a name or a file.
    var isCompactToken: Bool {
        hasPrefix("eyJ") && split(separator: ".", omittingEmptySubsequences: false).count == 3
    }
}
