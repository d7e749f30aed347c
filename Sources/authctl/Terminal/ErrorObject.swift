import AuthCore

/// An error as JSON, with the details that only some errors have.
struct ErrorObject: Viewed {
    static let view = View<ErrorObject>("Error") {
        Field("code", of: \.code, means: "stable")
        Field("message", of: \.message)
        Field("hint", of: \.hint, means: "what to do next")
        Field("email", of: { $0.details["email"]?.string }, means: "the address of a conflict")
        Field(
            "providers", of: { $0.details["providers"]?.array?.compactMap(\.string) },
            means: "how its account signs in")
        Field("pendingId", of: { $0.details["pendingId"]?.string }, means: "the pending credential")
        Field("reason", of: { $0.details["reason"]?.string }, means: "why a vault is unavailable")
    }
    static let output = View<ErrorObject> { Field("error", of: \.self) }

    let code: String
    let message: String
    let hint: String?
    var details = JSONObject()
}
