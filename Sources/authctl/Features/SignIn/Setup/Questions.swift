import AuthCore

// The questions of `setup`. Ctrl-D cancels the whole command.
extension Context {
    @_semantics("optimize.sil.specialize.generic.never")
    func ask<Value>(
        _ question: String, default standard: String? = nil, read: (String) async throws -> Value
    ) async throws -> Value {
        let shown = question + (standard.map { " [\($0)]" } ?? "") + ": "
        return try await required {
            try await output.ask(shown) { (typed: String) async throws -> Value in
                guard let given = typed.isEmpty ? standard : typed else {
                    throw InvalidInput("the input is empty; press Ctrl-D to cancel")
                }
                return try await read(given)
            }
        }
    }

    func hidden(_ question: String, isOptional: Bool) async throws -> String? {
        try await required {
            try output.ask("\(question)\(isOptional ? " (Enter for none)" : ""), hidden: ", isHidden: true) { typed in
                let text = typed.trimmingSpaces()
                guard !text.isEmpty || isOptional else {
                    throw InvalidInput("the input is empty; press Ctrl-D to cancel")
                }
                return text.isEmpty ? String?.none : text
            }
        }
    }

    func confirm(_ question: String, default standard: Bool) async throws -> Bool {
        try await required { try output.decide(question, enterIsYes: standard) }
    }

    func required<Value>(_ ask: () async throws -> Value?) async throws -> Value {
        do {
            guard let answer = try await ask() else { throw CancellationError() }
            return answer
        } catch let error as CancellationError {
            // Ends the line of the unanswered question.
            output.prompt("")
            throw error
        }
    }
}

extension InvalidInput {
    init(_ error: any Error) {
        self.init(Failure(error, while: ErrorContext()).message)
    }
}
