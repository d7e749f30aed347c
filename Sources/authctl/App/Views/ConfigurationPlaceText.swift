import AuthCore

extension ConfigurationPlace {
    var from: String {
        switch self {
        case .own(let path, _): path
        case .system(let place): place.path
        case .environment: "environment"
        }
    }

    var hidden: String? { if case .own(_, let place?) = self { place.path } else { nil } }

    var description: String { from + (hidden.map { ", instead of \($0)" } ?? "") }

    var foreignDescription: String? {
        if case .own = self { hidden.map { "instead of \($0)" } } else { "from \(from)" }
    }
}
