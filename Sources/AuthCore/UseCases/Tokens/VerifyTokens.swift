/// Verifies many tokens in parallel, and returns the results in their order.
package struct VerifyTokens: Sendable {
    static let leastForACore = 16

    package var keys: JWKSet
    private let algorithms: Set<SignatureAlgorithm>
    private let cores: Int

    package init(keys: JWKSet, algorithms: Set<SignatureAlgorithm>, cores: Int) {
        self.keys = keys
        self.algorithms = algorithms
        self.cores = max(cores, 1)
    }

    package func verifier() -> VerifyToken { VerifyToken(keys: keys, algorithms: algorithms) }

    /// Gives each core a part of the tokens and a verifier.
    /// - Parameter own: the verifier of the caller's task, used if there are only a few tokens.
    package func run<Part: Sendable>(
        _ tokens: [[UInt8]], own: VerifyToken, check: @escaping @Sendable (ArraySlice<[UInt8]>, VerifyToken) -> Part
    ) async -> [Part] {
        let width = min(cores, tokens.count / VerifyTokens.leastForACore)
        guard width > 1 else { return [check(tokens[...], own)] }
        let bounds = (0...width).map { tokens.count * $0 / width }
        return await withTaskGroup(of: (Int, Part).self) { group in
            for index in 0..<width {
                let part = tokens[bounds[index]..<bounds[index + 1]]
                group.addTask { (index, check(part, verifier())) }
            }
            var parts: [(Int, Part)] = []
            for await part in group { parts.append(part) }
            // Not a key path: a generic function would create it again at every call.
            return parts.sorted { $0.0 < $1.0 }.map { $0.1 }
        }
    }
}
