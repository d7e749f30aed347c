/// A service that users can set up by its name: the settings of its provider, and where a client is registered.
package struct CatalogEntry: Sendable {
    package enum Secret: String, Sendable { case none, optional, required }

    /// A value of each user, which replaces its name in braces in the settings.
    package struct Question: Sendable {
        package enum Kind: String, Sendable {
            case host
            /// One label of a host name.
            case label
            /// One segment of a path.
            case segment
            /// A host with a path.
            case url
        }

        package let name: String
        package private(set) var text = ""
        package private(set) var kind = Kind.host
        package private(set) var standard: String?
        /// A template whose placeholders get the parts of the answer.
        package private(set) var form: String?
    }

    package let name: String
    package private(set) var title: String
    package private(set) var id = ""
    /// The page where users register a client, and what to choose there.
    package private(set) var page: String?
    package private(set) var steps: String?
    package private(set) var secret = Secret.none
    package private(set) var questions: [Question] = []
    /// The origin of the redirect URI to register; nil if the provider's dialect has it.
    private var redirectOrigin: String?
    /// The facts that were not confirmed by the vendor or two sources.
    package private(set) var unconfirmed: [String] = []
    /// The file of a user's or an organization's entry.
    package internal(set) var file: String?
    private var settings = YAMLMapping()
    private let bytes: [UInt8]

    /// The keys that are not settings of a provider.
    private static let keys = ["title", "id", "register", "steps", "secret", "ask", "redirect", "unconfirmed"]

    init(_ name: String, entry: YAMLMapping, in bytes: [UInt8]) throws(CatalogError) {
        (self.name, title, self.bytes) = (name, name, bytes)
        for member in entry.entries {
            guard let key = member.key.text else { continue }
            func invalid() -> CatalogError { CatalogError(.value(key), at: member.value, in: bytes) }
            switch key {
            case "title": title = member.value.text ?? name
            case "id": id = member.value.text ?? ""
            case "register":
                page = member.value.text
                guard page?.hasPrefix("https://") == true else { throw invalid() }
            case "steps": steps = member.value.text
            case "secret":
                guard let known = member.value.text.flatMap(Secret.init(rawValue:)) else { throw invalid() }
                secret = known
            case "unconfirmed": unconfirmed = member.value.text.map(Scopes.split) ?? member.value.texts
            case "redirect":
                let words = (member.value.text ?? "").split(separator: " ").map(String.init)
                let host = words.count == 2 ? words[1] : "127.0.0.1"
                guard let port = ["any": "", "fixed": ":\(Provider.defaultPort)"][words.first ?? ""], words.count < 3,
                    HTTPURL(scheme: "http", authority: host)?.isLoopback == true
                else { throw invalid() }
                redirectOrigin = "http://\(host)\(port)"
            case "ask":
                for question in member.value.mapping?.entries ?? [] {
                    questions.append(try Question(question, in: bytes))
                }
            default: settings[key] = member.value
            }
        }
    }

    /// Throws what is wrong in an entry. The entries of this version are only checked by the tests, because the check of
    /// all takes longer than most commands.
    func check(_ entry: YAMLMapping) throws(CatalogError) {
        let known = CatalogEntry.keys + Provider.settingsOfEntries
        if let unknown = entry.unknownKeys(known: known, in: bytes).first {
            throw CatalogError(line: unknown.line, fault: .key(unknown.name))
        }
        do throws(ProviderError) { _ = try example() } catch {
            guard case .invalid(let setting, let fault) = error else {
                throw CatalogError(.value("id"), at: entry["id"], in: bytes)
            }
            let key = setting.split(separator: " ").last.map(String.init) ?? ""
            throw CatalogError(.setting(key, fault), at: entry.entry(key)?.key, in: bytes)
        }
    }

    package func matches(_ word: String) -> Bool {
        [name, title.lowercased()].contains { $0.contains(word.lowercased()) }
    }

    /// The settings of a provider that an older version copied, and that this version has with another value. A file of
    /// the user or the organization has no version.
    package func differences(from provider: Provider) -> [String] {
        guard file != nil || provider.service != copied else { return [] }
        return Provider.settings.compactMap { setting in
            guard let value = settings[setting.key], let own = try? value.value(setting.kind).displayText,
                !own.contains("{"), setting.value(provider)?.displayText != own
            else { return nil }
            return setting.key
        }
    }

    /// How a configuration names this entry: with the version that it copied.
    private var copied: String { file == nil ? "\(name) \(Catalog.version)" : name }

    /// Whether a setting contains this text. It is much cheaper than `hosts`.
    package func mentions(_ text: String) -> Bool {
        settings.entries.contains { ([$0.value.text ?? ""] + $0.value.texts).contains { $0.contains(text) } }
    }

    /// The hosts that get the client's credentials or its tokens.
    package var hosts: [String] { (try? example())?.hosts ?? [] }

    /// The provider with examples instead of answers.
    package func example() throws(ProviderError) -> Provider {
        try answering(questions.reduce(into: [:]) { $0.merge($1.example) { $1 } }).provider()
    }

    /// The redirect URI to register.
    package var redirectURI: String? { redirectURI(of: id) }

    private func redirectURI(of id: String) -> String? {
        redirectOrigin.map { "\($0)\(Provider.sharedRedirectPath)/\(id)" }
    }

    /// The answers that a text gives: to this question, or to all if it is a URL of the issuer's form. Nil if it could
    /// change another part of the URL that it is put in.
    package func answers(in text: String, to question: Question) -> [String: String]? {
        let (isPlain, rest) = (text.hasPrefix("http://"), text.split(separator: "://").last ?? text[...])
        let parts = settings["issuer"]?.text?.values(in: "https://\(rest)") ?? [:]
        let all = questions.compactMap { other in
            parts[other.name].flatMap { other.answer(in: isPlain && other.kind == .url ? "http://\($0)" : $0) }
        }
        if questions.count > 1, all.count == questions.count {
            return Dictionary(zip(questions.map(\.name), all)) { $1 }
        }
        guard let form = question.form else { return question.answer(in: text).map { [question.name: $0] } }
        guard let parts = form.values(in: text), parts.values.allSatisfy(question.accepts) else { return nil }
        return parts.merging([question.name: text]) { $1 }
    }

    /// This entry for these answers, without its questions.
    package func answering(_ answers: [String: String]) -> CatalogEntry {
        var entry = self
        entry.settings = YAMLMapping(
            settings.entries.map { .init(key: $0.key, value: $0.value.replacing(answers)) })
        entry.page = page?.replacing(answers)
        entry.questions = []
        return entry
    }

    /// The provider of an entry without questions. Its settings are a copy, so that a newer catalog does not change it.
    /// - Parameter base: replaces the origin of every endpoint, for an emulator.
    package func provider(
        id: String? = nil, issuer: HTTPURL? = nil, clientID: String = "", at base: HTTPURL? = nil
    ) throws(ProviderError) -> Provider {
        let id = try ProviderID(id ?? self.id)
        var mapping = settings
        if let base {
            for setting in Provider.settings where setting.kind == .endpoint {
                guard let url = mapping[setting.key]?.text.flatMap({ try? HTTPURL($0) }) else { continue }
                mapping[setting.key] = .text(base.root + url.path)
            }
            if mapping["issuer"] != nil { mapping["issuer"] = .text(base.root) }
            if mapping["api_hosts"] != nil { mapping["api_hosts"] = .texts([base.root]) }
        }
        if let base, id.isBuiltIn { mapping["base_url"] = .text(base.text) }
        if let issuer { mapping["issuer"] = .text(issuer.text) }
        // A provider without a client is not complete.
        mapping["client_id"] = .text("client")
        mapping["redirect_uri"] = redirectURI(of: id.description).map { .text($0) }
        var provider = try Provider(mapping, of: id, in: bytes, redirectPath: nil)
        (provider.clientID, provider.service) = (clientID, copied)
        for host in provider.apiHosts {
            guard let url = try? HTTPURL(host.withDefaultScheme), url.path.isEmpty, url.query == nil,
                url.protectsSecrets
            else { throw provider.invalid("api_hosts", .malformedHost(ServerText(host))) }
        }
        // The answers can complete the name of such a host.
        if file != nil, let host = Catalog.takenHost(of: provider) {
            throw .invalid(setting: id.description, .takenHost(ServerText(host)))
        }
        return provider
    }
}

extension CatalogEntry: Equatable {
    package static func == (left: CatalogEntry, right: CatalogEntry) -> Bool {
        left.name == right.name && left.settings == right.settings
    }
}

extension CatalogEntry.Question {
    fileprivate init(_ entry: YAMLMapping.Entry, in bytes: [UInt8]) throws(CatalogError) {
        name = entry.key.text ?? ""
        for member in entry.value.mapping?.entries ?? [] {
            switch member.key.text {
            case "question": text = member.value.text ?? ""
            case "default": standard = member.value.text
            case "form": form = member.value.text
            case "kind":
                guard let known = member.value.text.flatMap(Kind.init(rawValue:)) else {
                    throw CatalogError(.value("kind"), at: member.value, in: bytes)
                }
                kind = known
            default: throw CatalogError(.key(member.key.text ?? ""), at: member.key, in: bytes)
            }
        }
        if let standard, !accepts(standard) { throw CatalogError(.value("default"), at: entry.key, in: bytes) }
    }

    /// Whether a value cannot change another part of the URL that it is put in.
    func accepts(_ value: String) -> Bool { answer(in: value) == value }

    /// The answer in a text. A whole URL is accepted for a host, and plain http on loopback.
    func answer(in text: String) -> String? {
        guard kind == .host || kind == .url, form == nil else {
            let isWhole = text.hasOnlyLettersAndDigits(or: kind == .segment ? "-_.~" : "-_")
            return isWhole && !text.isEmpty && text != "." && text != ".." ? text : nil
        }
        let isURL = text.contains("://")
        let address = isURL ? String(text.prefix { $0 != "?" && $0 != "#" }) : "https://\(text)"
        guard let url = try? HTTPURL(address), url.isSecure || url.isLoopback, url.query == nil,
            !address.contains(".."), !address.contains("%"),
            isURL || url.host.contains(".") || url.isLoopback, isURL || kind == .url || ["", "/"].contains(url.path)
        else { return nil }
        let host = url.isSecure ? url.authority : url.root
        return kind == .host ? host : host + url.textWithoutSlash.dropFirst(url.root.count)
    }

    fileprivate var example: [String: String] {
        if let form { return form.values(in: form.filter { !"{}".contains($0) }) ?? [:] }
        return [name: standard ?? (kind == .label ? name.uppercased() : "\(name).example.com")]
    }
}

extension Provider {
    /// The hosts that get the client's credentials or its tokens; those of metadata are not known yet.
    var hosts: [String] {
        let endpoints = Provider.settings.filter { $0.kind == .endpoint }.compactMap { $0.value(self)?.displayText }
        return ([issuer.text] + endpoints + apiHosts).compactMap { (try? HTTPURL($0.withDefaultScheme))?.host }
    }
}

extension YAMLNode {
    fileprivate func replacing(_ answers: [String: String]) -> YAMLNode {
        var node = self
        switch content {
        case .scalar(var scalar):
            scalar.text = scalar.text.replacing(answers)
            node.content = .scalar(scalar)
        case .sequence(let nodes): node.content = .sequence(nodes.map { $0.replacing(answers) })
        case .mapping(let mapping):
            node.content = .mapping(
                YAMLMapping(mapping.entries.map { .init(key: $0.key, value: $0.value.replacing(answers)) }))
        }
        return node
    }
}

extension String {
    /// This template with values instead of its placeholders. A value can be a whole origin on loopback.
    fileprivate func replacing(_ values: [String: String]) -> String {
        values.reduce(self) { text, value in
            let origin = value.value.contains("://") ? "https://" : ""
            return text.replacing("\(origin){\(value.key)}", with: value.value)
        }
    }

    /// The values of this template's placeholders in a text of its form. The last one ends at a slash.
    fileprivate func values(in text: String) -> [String: String]? {
        var (values, rest): ([String: String], Substring) = ([:], text[...])
        let parts = split(separator: "{", omittingEmptySubsequences: false)
        guard let first = parts.first, rest.hasPrefix(first) else { return nil }
        rest = rest.dropFirst(first.count)
        for part in parts.dropFirst() {
            let halves = part.split(separator: "}", omittingEmptySubsequences: false)
            guard halves.count == 2, let name = halves.first, let literal = halves.last else { return nil }
            let found =
                literal.isEmpty ? rest.firstIndex { "/?#".contains($0) } : rest.firstRange(of: literal)?.lowerBound
            guard let end = found ?? (literal.isEmpty ? rest.endIndex : nil), end > rest.startIndex else { return nil }
            values[String(name)] = String(rest[..<end])
            rest = rest[end...].dropFirst(literal.count)
        }
        return values
    }
}

/// Why an entry of the catalog cannot be used.
package struct CatalogError: CodedError, Sendable, Equatable {
    /// Nil for an entry of this version.
    package internal(set) var path: String?
    package private(set) var line: Int?
    package let fault: Fault
    package var code: ErrorCode { .invalidConfiguration }

    package enum Fault: Sendable, Equatable {
        case file(PathFault.Reason)
        case content(ConfigFileFault)
        case key(String)
        case value(String)
        case setting(String, SettingFault)
        /// Another entry, or a built-in provider, has the ID or the host.
        case taken(String)
    }

    init(path: String? = nil, line: Int? = nil, fault: Fault) {
        (self.path, self.line, self.fault) = (path, line, fault)
    }

    init(_ fault: Fault, at node: YAMLNode?, in bytes: [UInt8]) { self.init(line: node?.line(in: bytes), fault: fault) }
}
