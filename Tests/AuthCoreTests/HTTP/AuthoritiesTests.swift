import CCurl
import Testing

@testable import AuthCore

@Suite struct `Certificate authorities` {
    @Test(arguments: [(file: CCURL_CAINFO, directory: CCURL_CAPATH), (CCURL_PROXY_CAINFO, CCURL_PROXY_CAPATH)])
    func `A CA file replaces the default CA file and clears the default CA directory`(
        file: ccurl_text, directory: ccurl_text
    ) {
        let options = CurlLoop.options(for: "/ca.pem")
        #expect(options.filter { $0.name == file }.map(\.value) == ["/ca.pem"])
        #expect(options.filter { $0.name == directory }.map(\.value) == [nil])
    }
}
