/// `KEY=VALUE` arguments.
enum Parameters {
    static func parse(
        _ arguments: [String], _ problem: UsageProblem = "--param must be KEY=VALUE"
    ) throws(UsageProblem) -> [(String, String)] {
        try arguments.map { argument throws(UsageProblem) in
            guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
                throw problem
            }
            return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
        }
    }
}
