/// The page that the browser shows after the redirect: fixed text, no part of the request, no script, no external
/// resource.
package struct LandingPage: Sendable, Equatable {
    private let title: String
    private let text: String
    private let program: String

    package init(_ title: String, _ text: String, by program: String) {
        self.title = title
        self.text = text
        self.program = program
    }

    private static let style = """
        :root{color-scheme:light dark}\
        body{font:16px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center;\
        background:Canvas;color:CanvasText}\
        main{max-width:28rem;padding:2rem;text-align:center}\
        h1{font-size:1.4rem;margin:0 0 .5rem}p{margin:0;opacity:.8}
        """

    var html: String {
        let (title, text, program) = (escaped(title), escaped(text), escaped(program))
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width,initial-scale=1"><title>\(title) – \(program)</title>\
            <style>\(LandingPage.style)</style></head><body><main><h1>\(title)</h1><p>\(text)</p></main></body></html>
            """
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

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

/// How a sign-in ended, for the browser.
package struct LandingPages: Sendable, Equatable {
    let succeeded: LandingPage
    let failed: LandingPage

    package init(succeeded: LandingPage, failed: LandingPage) {
        self.succeeded = succeeded
        self.failed = failed
    }
}
