import AuthCore

struct NoProviderConfigured: UserFacingError {
    var code: ErrorCode { .invalidConfiguration }

    func explanation(_ context: ErrorContext) -> Explanation {
        "no provider is configured".hint(run: .setup(nil))
    }
}
