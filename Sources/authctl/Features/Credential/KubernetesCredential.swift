import AuthCore

/// kubectl's request in `KUBERNETES_EXEC_INFO`, and the response (client.authentication.k8s.io).
struct KubernetesCredential: Equatable {
    private(set) var apiVersion = versions[0]
    private(set) var isInteractive = false

    static let versions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]

    static let variable = "KUBERNETES_EXEC_INFO"

    /// The value of the variable for a kubectl that does not set it (before 1.20).
    static func info(_ version: String) -> JSONValue { ["kind": "ExecCredential", "apiVersion": .string(version)] }

    init(_ info: String?) throws {
        guard let info, !info.isEmpty else { return }
        guard let object = try? StrictJSON.object(Array(info.utf8)), let version = object["apiVersion"]?.string,
            object["kind"] == "ExecCredential"
        else { throw UsageProblem.other("KUBERNETES_EXEC_INFO is not an ExecCredential") }
        try require(
            KubernetesCredential.versions.contains(version),
            "KUBERNETES_EXEC_INFO requests '\(ServerText(version))': set the apiVersion of the user's 'exec' to '\(KubernetesCredential.versions[0])'"
        )
        apiVersion = version
        isInteractive = object["spec"]?.object?["interactive"]?.bool ?? false
    }

    /// A `metav1.Status`. A kubectl with `ExecPluginStatusError` shows its message (kubernetes/kubernetes#139150). Others
    /// ignore it.
    static func status(of failure: Failure) -> JSONValue {
        let (reason, code): (JSONValue, Int64) =
            switch failure.exitCode {
            case 2...5: ("Unauthorized", 401)
            case 7: ("Forbidden", 403)
            case 64, 78: ("BadRequest", 400)
            case 69: ("ServiceUnavailable", 503)
            default: ("InternalError", 500)
            }
        let message = Output.escaped(Output.redacted(failure.line))
        return [
            "kind": "Status", "apiVersion": "v1", "metadata": [:], "status": "Failure", "message": .string(message),
            "reason": reason, "code": JSONValue(code),
        ]
    }

    func response(_ token: CurrentToken.Result) -> JSONValue {
        var status: JSONObject = ["token": .string(token.token.revealed())]
        if let expiresAt = token.expiresAt { status["expirationTimestamp"] = .string(HTTPDate.rfc3339(expiresAt)) }
        return ["kind": "ExecCredential", "apiVersion": .string(apiVersion), "spec": [:], "status": .object(status)]
    }
}
