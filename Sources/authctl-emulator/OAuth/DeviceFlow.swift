import AuthCore

/// The device flow (RFC 8628), and the page where the user enters the code.
extension AuthorizationServer {
    func deviceAuthorization(_ request: Request) throws -> Reply { try deviceAuthorization(request, tenant: nil) }

    func deviceAuthorization(_ request: Request, tenant: String?) throws -> Reply {
        count("device")
        guard let clientID = request.basicCredentials?.name ?? request.form["client_id"],
            let client = clients[clientID]
        else {
            return refused(Refusal("invalid_client", "client_id is unknown.", status: 401), request)
        }
        do {
            if let key = client.key { try checkAssertion(request, of: clientID, key) }
            if client.isKnownByCertificate { try checkCertificate(request, of: client) }
        } catch let refusal as Refusal {
            return refused(refusal, request)
        }
        if has(.deviceNoBasic), request.basicCredentials != nil {
            return refused(Refusal("invalid_client", "HTTP Basic is not allowed.", status: 401), request)
        }
        if has(.deviceRefused) {
            return refused(Refusal("unauthorized_client", "This client may not use the device flow."), request)
        }
        let code = try token()
        let grant = Grant(
            clientID: clientID, redirectURI: "", challenge: nil, nonce: nil,
            scopes: Scopes.split(request.form["scope"] ?? ""), user: settings.user, tenant: tenant,
            authenticatedAt: now())
        let userCode = try Device.newUserCode()
        devices[code] = Device(grant: grant, userCode: userCode)
        var response: JSONObject = [
            "device_code": .string(code), "user_code": .string(userCode), "expires_in": 900, "interval": 1,
            rules.device.verificationName: .string(settings.base + rules.device.page),
        ]
        if has(.ciCommands) { response["user_code"] = "##vso[task.prependpath]a" }
        if has(.escapesInDevice) {
            response["user_code"] = .string(userCode + HostileText.escapes)
            response[rules.device.verificationName] = .string(
                "\(settings.base)\(rules.device.page)?\(HostileText.escapes)")
        }
        if rules.device.sendsCompleteURL {
            response["verification_uri_complete"] = .string(
                "\(settings.base)\(rules.device.page)?user_code=\(userCode)")
        }
        if has(.emptyMembers) { for name in ["error", "verification_uri_complete"] { response[name] = "" } }
        site.change(&response, Fault.change(device:))
        return .json(.object(response))
    }

    func decideDevice(_ request: Request) throws -> Reply {
        guard request.method == "POST" else {
            return Pages.device(code: request.query["user_code"] ?? "", settings.user)
        }
        let typed = (request.form["user_code"] ?? "").uppercased()
        guard let code = devices.first(where: { $0.value.userCode == typed && $0.value.isApproved == nil })?.key else {
            return Pages.problem("The code '\(typed)' is unknown.")
        }
        let isAllowed = request.form["decision"] == "allow"
        devices[code]?.isApproved = isAllowed
        if isAllowed, let user = request.form["user"], !user.isEmpty { devices[code]?.grant.user = user }
        return Pages.deviceDone(isAllowed)
    }

    /// With automatic approval, the second poll is approved.
    func poll(_ request: Request, _ clientID: String) throws -> Reply {
        let code = request.form["device_code"] ?? ""
        let key = try proofKey(request)
        guard let device = devices[code], device.grant.clientID == clientID else {
            throw Refusal("invalid_grant", "The device code is unknown.")
        }
        devices[code]?.polls += 1
        let isApproved = device.isApproved ?? (settings.approvesAutomatically && device.polls > 0 ? true : nil)
        guard let isApproved else { throw rules.device.pendingRefusal }
        if !isApproved || has(.deviceDenied) {
            throw Refusal("access_denied", "The user declined.", status: rules.device.deniedStatus)
        }
        if has(.deviceExpired) { throw Refusal("expired_token", "The device code has expired.") }
        if has(.deviceSlowDown), device.polls == 1 {
            throw Refusal("slow_down", "The device polls too fast.", status: rules.device.deniedStatus)
        }
        devices[code] = nil
        var grant = device.grant
        grant.proofKey = key
        grant.family = code
        grant.resource = request.form["resource"]
        return try issue(grant, request, isRefresh: false)
    }
}
