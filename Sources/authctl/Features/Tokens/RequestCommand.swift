import ArgumentParser
import AuthCore

struct RequestCommand: Command, UsesSession {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Call an API with the access token.",
        discussion: """
            Sends the token in the Authorization header, refreshed if needed, and only to hosts that the provider's \
            configuration allows. A Firebase project's own token is sent to the hosts of 'profile set --api-host'. If \
            there are several sessions, the one whose provider allows the host is used. Prints the response body \
            unchanged. Fails if the status is not 200 to 299.
            """)
    static let examples: Examples = [
        "Show the signed-in user at GitHub.": "authctl request https://api.github.com/user",
        "Send a JSON file.":
            "authctl request https://api.example.com/notes --data note.json -H 'Content-Type: application/json'",
    ]

    @Argument(help: "The URL.")
    var url: String

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions

    @Option(
        name: [.customShort("X", allowingJoined: true), .customLong("method")],
        help: "The method: GET, HEAD, POST, PUT, PATCH or DELETE (default: GET, or POST with --data).")
    var method: HTTPRequest.Method?

    @Option(
        name: [.customShort("H", allowingJoined: true), .customLong("header")],
        help: "Add a header, 'Name: value'; repeatable.")
    var header: [String] = []

    @Option(
        help: .init("Send this file, or standard input (-), as the body.", valueName: "file|-"), completion: .file())
    var data: String?

    @Flag(help: "If the API requires more scopes or re-authentication: sign in, and send the request again.")
    var stepUp = false

    var errorContext: ErrorContext { .init("request failed", for: .request, provider: provider.id) }

    func validate() throws { _ = try headers() }

    private func headers() throws -> [(name: String, value: String)] {
        try header.map { line in
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw UsageProblem.other("--header must be 'Name: value'")
            }
            let (name, value) = (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
            do throws(HTTPFieldProblem) {
                try HTTPFieldProblem.check(name: name, value: value)
            } catch {
                throw UsageProblem.other("--header: \(error.message)")
            }
            try require(
                name.lowercased() != "authorization", "the Authorization header carries the token and cannot be set")
            try require(
                !HTTPFieldProblem.isReserved(name),
                "--header: '\(name)' controls the request's target or length, and cannot be set")
            return (name: name, value: value)
        }
    }

    func run(_ context: Context) async throws {
        var request = APIRequest(url: try CommandError.url(url, as: "authctl request"))
        request.body = try data.map(body)
        request.method = method ?? (data == nil ? .get : .post)
        request.headers = try headers()
        request.account = try context.account
        request.provider = try provider.id.map(context.named)
        let given = try await context.environmentToken(request.provider, for: request.url)
        if let given {
            request.provider = given.providerID
            request.accessToken = try given.token()
        }
        let result: APIRequest.Response
        do {
            result = try await self.response(to: request, context)
        } catch let missing as NotSignedIn where missing.isForEveryURL {
            guard let response = try await request.withoutToken(context.profile) else { throw missing }
            context.output.note("you are not signed in: the request was sent without a token")
            return context.output.exactly(response.body)
        }
        context.show(result.notes)
        context.output.exactly(result.response.body)
        if let needed = result.stepUp { throw needed }
        if let challenge = request.challenge(in: result) { throw challenge }
        let (response, now) = (result.response, context.clock.now())
        if let refused = RequestRefused(response, variable: given?.variable, session: result.ended, now: now) {
            throw refused
        }
    }

    private func body(_ source: String) throws -> [UInt8] {
        do {
            return try SecretInput.bytes(source)
        } catch let problem as InputProblem where source.contains(where: { "{[=\"&\n".contains($0) }) {
            throw UsageProblem.other(
                "--data names a file, and \(problem.what) cannot be read: \(problem.reason); to send text: pipe it to --data -"
            )
        }
    }

    /// Sends the request. With step-up enabled, repeats it after each sign-in that the response requires. The server
    /// did not process a rejected request.
    private func response(to request: APIRequest, _ context: Context) async throws -> APIRequest.Response {
        var result = try await request.run(context.profile)
        guard stepUp else { return result }
        var (request, rounds) = (request, 0)
        while let needed = result.stepUp {
            // To sign in again, a machine account requires the options of its first sign-in.
            if needed.source.isMachine { throw needed }
            // If the new token has the scopes, the API rejects it for another reason.
            guard rounds < StepUp.maximumRounds, rounds == 0 || !needed.isGranted else {
                throw StepUpRefused(requirement: needed.requirement, rounds: rounds)
            }
            rounds += 1
            context.output.note("the API requires \(needed.requirement.message): signing in again")
            do {
                try await signIn(needed, context)
            } catch let refused as IDTokenRefused
                where [.authenticationContext, .authenticationTooOld].contains(refused.rejection)
            {
                throw StepUpRefused(requirement: needed.requirement, rounds: rounds)
            }
            // The repeated request must use the same account.
            (request.account, request.provider) = (needed.accountUID, needed.providerID)
            result = try await request.run(context.profile)
        }
        return result
    }

    private func signIn(_ needed: StepUpRequired, _ context: Context) async throws {
        var flags = try FlowFlags.parse([])
        var target: SignInToResource.Target?
        flags.authorization.scope = needed.scopes
        if let resource = needed.resource {
            var signIn = SignInToResource(context.profile, clientName: "authctl")
            signIn.provider = needed.providerID
            // If the challenge does not name scopes, uses those of the resource's metadata.
            let usesMetadata = needed.requirement.reason == .scope && needed.requirement.scopes.isEmpty
            signIn.scopes = usesMetadata ? nil : needed.scopes
            signIn.granted = needed.granted
            let found = try await signIn.run(resource) { try context.agrees(ResourceText.question($0)) }
            context.output.note(ResourceText.requestNote(found))
            flags.authorization.scope = needed.scopes + found.scopes
            target = found
        }
        flags.authorization.maxAge = needed.requirement.maximumAge.map { TimeSpan(seconds: $0) }
        if !needed.requirement.authenticationContexts.isEmpty {
            flags.authorization.acr = needed.requirement.authenticationContexts.joined(separator: " ")
        }
        let result = try await flags.run(
            needed.providerID, as: .signIn, in: context, for: target, of: needed.accountUID, isUserInitiated: true)
        SignInText.note(result, context)
    }
}
