/// How the session of a workload is renewed: the request's parameters, without secrets.
/// A copied store does not contain a job's credential, and refresh tokens of machines are not stored.
package struct SessionRenewal: Sendable, Equatable {
    package var workload: Workload?
    package var grant: TokenRequest?

    package struct Workload: Sendable, Equatable {
        package var platform: String
        package var request: WorkloadRequest
    }

    package struct TokenRequest: Sendable, Equatable {
        package var kind: TokenEndpoint.WorkloadGrant?
        package var scopes: [String]
        package var parameters: [Parameter]

        package init(kind: TokenEndpoint.WorkloadGrant?, scopes: [String], parameters: [(String, String)]) {
            self.kind = kind
            self.scopes = scopes
            self.parameters = parameters.map { Parameter(name: $0.0, value: $0.1) }
        }
    }

    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String
    }
}

extension SessionRenewal: StoredObject {
    init(stored object: JSONObject) throws(UnexpectedJSON) {
        workload = try object.storedIfPresent("workload")
        grant = try object.storedIfPresent("grant")
    }

    var members: KeyValuePairs<String, (any StoredJSON)?> { ["workload": workload, "grant": grant] }
}

extension SessionRenewal.Workload: StoredObject {
    init(stored object: JSONObject) throws(UnexpectedJSON) {
        platform = try object.stored("platform")
        request = try object.stored("request")
    }

    var members: KeyValuePairs<String, (any StoredJSON)?> { ["platform": platform, "request": request] }
}

extension SessionRenewal.TokenRequest: StoredObject {
    init(stored object: JSONObject) throws(UnexpectedJSON) {
        kind = try object.storedIfPresent("kind")
        scopes = try object.stored("scopes")
        parameters = try object.stored("parameters")
    }

    var members: KeyValuePairs<String, (any StoredJSON)?> {
        ["kind": kind, "scopes": scopes, "parameters": parameters]
    }
}

extension SessionRenewal.Parameter: StoredObject {
    init(stored object: JSONObject) throws(UnexpectedJSON) {
        name = try object.stored("name")
        value = try object.stored("value")
    }

    var members: KeyValuePairs<String, (any StoredJSON)?> { ["name": name, "value": value] }
}
