/// When a token expires, and whether it can be used without a refresh.
package struct TokenValidity: Sendable, Equatable {
    /// Seconds for which a token must remain valid by default, unless a quarter of its lifetime is less.
    static let defaultMargin: Int64 = 60

    /// Seconds since 1970; nil for a token that does not expire, or whose expiry is unknown.
    package let expiresAt: Int64?
    /// Seconds from issue to expiry; nil if that is unknown.
    package let lifetime: Int64?

    package init(expiresAt: Int64?, lifetime: Int64?) { (self.expiresAt, self.lifetime) = (expiresAt, lifetime) }

    /// - Parameter minimum: seconds for which the token must remain valid; nil for the default.
    package func isValid(for minimum: Int64? = nil, at now: Int64) -> Bool {
        guard let expiresAt else { return true }
        let remaining = expiresAt - now
        // With more time left than a new token has, the clock was ahead when the token was issued. So its expiry is
        // unknown.
        if let lifetime, remaining > lifetime + ExpectedIDToken.clockSkew { return false }
        return remaining > margin(minimum)
    }

    /// Seconds until the token must be refreshed; nil for one that does not expire.
    package func timeUntilRefresh(_ minimum: Int64?, at now: Int64) -> Int64? {
        expiresAt.map { max(0, $0 - now - margin(minimum)) }
    }

    /// Seconds before its expiry at which a token is refreshed. If `minimum` is not less than the lifetime, a quarter
    /// of the lifetime is used: otherwise each call would refresh.
    private func margin(_ minimum: Int64?) -> Int64 {
        guard let lifetime else { return minimum ?? TokenValidity.defaultMargin }
        if let minimum, minimum < lifetime { return minimum }
        return min(minimum ?? TokenValidity.defaultMargin, lifetime / 4)
    }
}
