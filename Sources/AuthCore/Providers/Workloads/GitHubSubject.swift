/// GitHub's `sub`: `repo:O/R:…`, or with IDs, as in repositories since July 2026, `repo:O@1/R@2:…`. A colon in a value
/// is encoded as `%3A`.
struct GitHubSubject: Equatable {
    let owner: String
    let ownerID: String?
    let repository: String
    let repositoryID: String?
    let context: String

    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "repo", !parts[2].isEmpty else { return nil }
        let names = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, let owner = GitHubSubject.part(names[0]), let repository = GitHubSubject.part(names[1])
        else { return nil }
        (self.owner, ownerID) = owner
        (self.repository, repositoryID) = repository
        context = String(parts[2])
    }

    private static func part(_ text: Substring) -> (String, String?)? {
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        guard let name = halves.first, !name.isEmpty, halves.count <= 2 else { return nil }
        guard halves.count == 2 else { return (String(name), nil) }
        guard halves[1].hasOnlyDigits else { return nil }
        return (String(name), String(halves[1]))
    }

    func satisfies(_ rule: GitHubSubject) -> Bool {
        owner.hasSameBytes(as: rule.owner) && repository.hasSameBytes(as: rule.repository)
            && (rule.ownerID == nil || rule.ownerID == ownerID)
            && (rule.repositoryID == nil || rule.repositoryID == repositoryID) && context.hasSameBytes(as: rule.context)
    }
}
