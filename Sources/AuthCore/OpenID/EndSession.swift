/// The URL that ends the provider's own session (OpenID Connect RP-Initiated Logout section 2).
package enum EndSession {
    package static func url(
        endpoint: HTTPURL, idToken: RawIDToken?, clientID: String, redirectURI: String?,
        redirectName: String = "post_logout_redirect_uri"
    ) -> String {
        var parameters = [("client_id", clientID)]
        if let idToken { parameters.append(("id_token_hint", idToken.revealed())) }
        if let redirectURI { parameters.append((redirectName, redirectURI)) }
        return endpoint.appending(parameters)
    }
}
