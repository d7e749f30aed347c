extension Context {
    /// True where a person is there to answer questions: at a terminal, and not where a program wants JSON.
    var canAsk: Bool { !isUnattended && !output.isJSON && Prompt.canAsk }
}
