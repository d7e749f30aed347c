import AuthCore

extension ProfileError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .secretNotSet(let provider, let variable):
            return task.failure(
                .invalidConfiguration,
                "the client secret of '\(provider)' is to come from \(variable), which is not set",
                hint: "set \(variable)")
        case .emulator(let named, let refusal):
            let shown = "FIREBASE_AUTH_EMULATOR_HOST is '\(ServerText.shown(named))'"
            switch refusal {
            case .malformed:
                return task.failure(
                    .invalidConfiguration, "\(shown): it wants host:port, without a scheme",
                    hint: "export FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:9099")
            case .notAllowed(let host):
                return task.failure(
                    .invalidConfiguration,
                    "\(shown), which is not this machine: tokens and passwords would go there as plain http",
                    hint:
                        "unset FIREBASE_AUTH_EMULATOR_HOST; or allow that host: authctl profile set --emulator-host \(host)"
                )
            }
        }
    }
}
