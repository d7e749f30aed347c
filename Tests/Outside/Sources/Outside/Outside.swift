import AuthCore
import Foundation
import InMemoryTracing
import Metrics
import MetricsTestKit
import Tracing

/// A program outside the package. It signs in at the given issuer, and uses the session with the public API.
@main
struct Outside {
    static func main() async throws {
        let issuer = CommandLine.arguments[1]
        let (metrics, tracer) = (TestMetrics(), InMemoryTracer())
        MetricsSystem.bootstrap(metrics)
        InstrumentationSystem.bootstrap(tracer)
        let directory = FileManager.default.currentDirectoryPath + "/config"
        var configuration = Sessions.Configuration(
            directory: directory,
            environment: ["AUTHCTL_OIDC_TEST_ISSUER": issuer, "AUTHCTL_OIDC_TEST_CLIENT_ID": "emulator-client"])
        let sessions = Sessions(configuration)
        let outcome = try await InteractiveSignIn(to: "oidc.test", in: sessions, presenter: Browser()).run()
        guard case .signedIn(let account) = outcome else { fatalError("\(outcome)") }
        print("signed in:", account.email ?? "no email")

        let source = sessions.tokens(of: "oidc.test")
        let first = try await source.accessToken()
        print("twice the same:", try await source.accessToken() == first)

        let verifier = try TokenVerifier(issuer: issuer, audience: "emulator-client", kind: .idToken)
        let idToken = try await sessions.tokens(of: "oidc.test", kind: .id).accessToken()
        let text = idToken.withUnsafeValue { $0 }
        let checked = try await verifier.verify(text)
        print("verified:", checked.issuer == issuer)
        do { _ = try await verifier.verify(text.dropLast(8) + "AAAAAAAA") } catch let error as AuthError {
            print("a changed one:", error.code)
        }

        // After 80 seconds, less than a quarter of the 90 seconds of lifetime is left.
        configuration.now = { Date() + 80 }
        let later = Sessions(configuration).tokens()
        let tokens = try await withThrowingTaskGroup(of: IssuedToken.self) { group in
            for _ in 0..<50 { group.addTask { try await later.accessToken() } }
            var all: [IssuedToken] = []
            for try await token in group { all.append(token) }
            return all
        }
        print("fifty tasks, one new token:", tokens.allSatisfy { $0 == tokens[0] } && tokens[0] != first)

        let attributes = [("provider", "oidc.test"), ("outcome", "renewed")]
        let counted = try metrics.expectCounter("authcore.refreshes", attributes).totalValue
        print(
            "renewals counted: \(counted), timed:",
            try metrics.expectTimer("authcore.refresh.duration", attributes).values.count)
        print("spans:", tracer.finishedSpans.map(\.operationName).joined(separator: ", "))

        // The provider does not know this client.
        configuration.environment["AUTHCTL_OIDC_TEST_CLIENT_ID"] = "another-client"
        configuration.now = { Date() + 170 }
        do { _ = try await Sessions(configuration).tokens().accessToken() } catch let error as AuthError {
            print("another client:", error.code)
        }
        let failed = [("provider", "oidc.test"), ("outcome", "failed")]
        print(
            "failures counted: \(try metrics.expectCounter("authcore.refreshes", failed).totalValue), span:",
            tracer.finishedSpans.last?.status?.message ?? "no status")
    }
}

/// A browser that signs in without a user.
struct Browser: SignInPresenter {
    var hasBrowser: Bool { true }
    func show(_ step: SignInStep) async {}

    func openBrowser(_ url: String) async -> Bool {
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/curl")
        curl.arguments = ["-sSLo", "/dev/null", url]
        return (try? curl.run()) != nil
    }

    var landing: SignInLanding {
        SignInLanding(
            succeededTitle: "Signed in", succeededText: "You can close this tab.", failedTitle: "Not signed in",
            failedText: "You can close this tab.", program: "Outside")
    }
}
