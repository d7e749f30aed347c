extension Context {
    var canAsk: Bool { !isUnattended && !output.isJSON && Prompt.canAsk }
}
