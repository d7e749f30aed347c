extension WorkloadPlatform {
    static let kubernetes = WorkloadPlatform(
        name: "kubernetes",
        isDetected: { host in host.variable("KUBERNETES_SERVICE_HOST") != nil && ProjectedToken.path(host) != nil },
        token: { request, host in
            guard let path = request.source ?? ProjectedToken.path(host) else {
                throw WorkloadError.missing(ProjectedToken.places[0], platform: "kubernetes", remedy: .projectedVolume)
            }
            return .file(path)
        },
        identity: { claims throws(WorkloadError) in
            guard let place = claims.claims["kubernetes.io"]?.object, let namespace = place["namespace"]?.string,
                let account = place["serviceaccount"]?.object, let uid = account["uid"]?.string, !uid.isEmpty
            else { throw .claim("kubernetes.io") }
            // A service account that was deleted and created again under the same name is a different identity.
            return WorkloadIdentity(federatedID: uid, displayName: account["name"]?.string.map { "\(namespace)/\($0)" })
        })

    static let google = WorkloadPlatform(
        name: "google",
        isDetected: { host in
            host.variable("K_SERVICE") != nil
                || host.text(of: "/sys/class/dmi/id/product_name")?.hasPrefix("Google") == true
        },
        token: { request, host in
            guard let audience = request.audience else { throw WorkloadError.audienceNeeded(platform: "google") }
            // Google defines this variable for other hosts and for tests.
            let server = host.variable("GCE_METADATA_HOST") ?? "metadata.google.internal"
            let path = "/computeMetadata/v1/instance/service-accounts/\(request.source ?? "default")/identity"
            let url = try HTTPURL(
                try HTTPURL("http://\(server)\(path)").appending([("audience", audience), ("format", "full")]))
            var request = HTTPRequest(
                .get, url, headers: [(name: "Metadata-Flavor", value: "Google")], maximumResponseLength: 1 << 17,
                allowsPlainHTTP: true)
            request.bypassesProxy = true
            return .request(request, member: nil)
        },
        accepts: { issuer, _ in issuer.hasSameBytes(as: "https://accounts.google.com") },
        identity: WorkloadIdentity.subject)

    static let file = WorkloadPlatform(
        name: "file",
        isDetected: { host in ProjectedToken.variables.contains { host.variable($0) != nil } },
        token: { request, host in
            let path = request.source ?? ProjectedToken.variables.lazy.compactMap { host.variable($0) }.first
            guard let path else {
                throw WorkloadError.missing(ProjectedToken.variables[0], platform: "file", remedy: .path)
            }
            return .file(path)
        },
        identity: WorkloadIdentity.subject)
}

private enum ProjectedToken {
    static let places = ["/var/run/secrets/tokens/authctl", "/var/run/secrets/kubernetes.io/serviceaccount/token"]
    static let variables = ["AWS_WEB_IDENTITY_TOKEN_FILE", "AZURE_FEDERATED_TOKEN_FILE"]

    static func path(_ host: any WorkloadHost) -> String? {
        variables.lazy.compactMap { host.variable($0) }.first ?? places.first { host.text(of: $0) != nil }
    }
}
