/// How the provider sends its response to the redirect URI (OAuth 2.0 Multiple Response Types, Form Post Response
/// Mode).
package enum ResponseMode: String, Sendable, CaseIterable, StoredJSON {
    case query
    case formPost = "form_post"
}
