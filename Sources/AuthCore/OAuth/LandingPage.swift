/// The page that the browser shows after the redirect. It contains no part of the request, no script and no external
/// resource.
package struct LandingPage: Sendable, Equatable {
    package enum Kind: Sendable { case succeeded, failed, waiting }

    private let kind: Kind
    private let title: String
    private let text: String
    private let program: String

    package init(_ kind: Kind, title: String, text: String, by program: String) {
        self.kind = kind
        self.title = title
        self.text = text
        self.program = program
    }

    private static let style = """
        :root{color-scheme:light dark}\
        body{font:16px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center;\
        background:Canvas;color:CanvasText}\
        main{max-width:30rem;padding:2rem;text-align:center}\
        svg{width:4rem;height:4rem;fill:none;stroke:#fff;stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}\
        .succeeded{fill:#1a7f37;stroke:none}.failed{fill:#cf222e;stroke:none}\
        .waiting{fill:#0969da;stroke:none}\
        h1{font-size:1.4rem;margin:1rem 0 .5rem;overflow-wrap:anywhere}p{margin:0;opacity:.8}\
        footer{margin-top:2rem;font-size:.85rem;opacity:.6}
        """

    var html: String {
        let (title, text, program) = (escaped(title), escaped(text), escaped(program))
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width,initial-scale=1"><title>\(title) – \(program)</title>\
            <style>\(LandingPage.style)</style></head><body><main>\
            <svg viewBox="0 0 24 24" aria-hidden="true"><circle class="\(kind)" cx="12" cy="12" r="12"/>\
            <path d="\(mark)"/></svg>\
            <h1>\(title)</h1><p>\(text)</p><footer>\(program)</footer></main></body></html>
            """
    }

    private var mark: String {
        switch kind {
        case .succeeded: "M7 12.5l3.5 3.5 7-8"
        case .failed: "M8 8l8 8M16 8l-8 8"
        case .waiting: "M8 12h8M13 7l5 5-5 5"
        }
    }

    private func escaped(_ text: String) -> String { text.replacing("&", with: "&amp;").replacing("<", with: "&lt;") }

    static func securityHeaders() throws -> [(String, String)] {
        let hash = try HashFunction.sha256.digest(style.utf8)
        return [
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'sha256-\(Base64.encode(hash))'; frame-ancestors 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
        ]
    }
}
