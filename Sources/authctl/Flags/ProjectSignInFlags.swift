import ArgumentParser

/// The flags of sign-ins and proofs that only a Firebase project takes.
struct ProjectSignInFlags: ParsableArguments {
    @OptionGroup var custom: CustomTokenFlag
    @OptionGroup var link: EmailLinkFlags
    @OptionGroup var factor: SecondFactorFlag
}

/// The flags of links that only a Firebase project takes.
struct LinkToProjectFlags: ParsableArguments {
    @OptionGroup var link: EmailLinkFlags
    @OptionGroup var factor: SecondFactorFlag
}
