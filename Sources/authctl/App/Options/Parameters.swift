import ArgumentParser
import AuthCore

/// `KEY=VALUE` arguments.
enum Parameters {
    static func parse(_ arguments: [String], _ form: String = "--param must be KEY=VALUE") throws -> [(String, String)]
    {
        try arguments.map { argument in
            guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
                throw ValidationError(form)
            }
            return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
        }
    }
}
