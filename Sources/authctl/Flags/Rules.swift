import ArgumentParser

// The rules of options in `validate()`.

/// Refuses the command line unless the condition holds.
func require(_ isValid: Bool, _ message: String) throws { try refuse(if: !isValid, message) }

func refuse(if isInvalid: Bool, _ message: String) throws { if isInvalid { throw ValidationError(message) } }
