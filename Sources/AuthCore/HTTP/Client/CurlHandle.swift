import CCurl
import Glibc

/// Sets the options of a request in libcurl, and reads its result.
extension ccurl {
    mutating func configure(_ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer) -> Bool {
        setConnection(handle, transfer) && setMethod(handle, transfer) && setBody(handle, transfer)
            && setHeaders(handle, transfer) && setCallbacks(handle, transfer)
    }

    private mutating func set(_ handle: UnsafeMutableRawPointer, _ options: [(CURLoption, Int)]) -> Bool {
        options.allSatisfy { ccurl_set_long(&self, handle, $0.0, $0.1) == CURLE_OK }
    }

    private mutating func setConnection(_ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer) -> Bool {
        let (request, configuration) = (transfer.request, transfer.configuration)
        var numbers = [
            (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_DISALLOW_USERNAME_IN_URL, 1), (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_SSLVERSION, 6 /* CURL_SSLVERSION_TLSv1_2 */),
            (CURLOPT_CONNECTTIMEOUT, configuration.connectTimeout),
            (CURLOPT_TIMEOUT, request.timeout ?? configuration.requestTimeout),
        ]
        if request.timeout == 0 { numbers.append((CURLOPT_TCP_KEEPALIVE, 1)) }
        // The proxy is always set, so that libcurl does not read the proxy variables of the environment.
        let texts: [(name: ccurl_text, value: String?)] = [
            (CCURL_URL, request.url.text), (CCURL_PROXY, transfer.proxy ?? ""), (CCURL_NOPROXY, ""),
            (CCURL_ACCEPT_ENCODING, ""), (CCURL_USERAGENT, configuration.userAgent),
        ]
        guard set(handle, numbers),
            texts.allSatisfy({ ccurl_set_text(&self, handle, $0.name, $0.value) == CURLE_OK }),
            ccurl_set_protocol(&self, handle, request.url.isSecure ? 1 : 0) == CURLE_OK,
            ccurl_set_error_buffer(&self, handle, transfer.errorBuffer.baseAddress) == CURLE_OK
        else { return false }
        let isProxySecure = transfer.proxy.map(ProxyRules.scheme) == "https"
        guard request.url.isSecure || isProxySecure else { return true }
        guard ccurl_demand_names(&self, handle, isProxySecure ? 1 : 0) == CURLE_OK,
            setAuthorities(handle, own: configuration.authorities, added: configuration.addedAuthorities)
        else { return false }
        return request.clientCertificate.map { present($0, handle) } ?? true
    }

    /// Sets the trusted CAs: those of SSL_CERT_FILE, or those of the file and the directory that libcurl was built with;
    /// and those that are added.
    private mutating func setAuthorities(
        _ handle: UnsafeMutableRawPointer, own: [UInt8]?, added: [UInt8]?
    ) -> Bool {
        let path = own == nil ? ccurl_bundle(&self).map { String(cString: $0) } : nil
        // The system can replace its file while a process runs.
        let change = path.flatMap(FileChange.init)
        let mark = own == nil ? change?.hashValue ?? (added == nil ? 0 : -1) : -1
        if mark != self.mark {
            let pem = own ?? path.flatMap { try? BoundedRead.file($0, limit: CertificateFile.limit).bytes } ?? []
            var all = CertificateAuthorities(pem: pem)
            let ofProxies = all.places.count
            all.add(pem: added ?? [])
            let places = all.places.map {
                ccurl_authority(
                    begin: $0.certificate.lowerBound, end: $0.certificate.upperBound, subject: $0.subject.lowerBound,
                    subject_end: $0.subject.upperBound)
            }
            let code = ccurl_take_authorities(&self, mark, all.der, all.der.count, places, places.count, ofProxies)
            guard code == 0 else { return false }
        }
        // A file that cannot be read is an error of libcurl. Without a file, the directory is enough.
        guard own != nil || tls.pointee.count > 0 || path != nil && change == nil else { return true }
        return ccurl_use_authorities(&self, handle, own == nil ? 0 : 1) == CURLE_OK
    }

    private mutating func setMethod(_ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer) -> Bool {
        let method = transfer.request.method
        let sendsBody = transfer.request.body != nil || transfer.stream?.upload != nil
        let code =
            switch method {
            case .get where !sendsBody: CURLE_OK
            case .head: ccurl_set_long(&self, handle, CURLOPT_NOBODY, 1)
            case .post where transfer.stream?.upload == nil: ccurl_set_long(&self, handle, CURLOPT_POST, 1)
            case .get, .post, .put, .patch, .delete: ccurl_set_text(&self, handle, CCURL_CUSTOMREQUEST, method.rawValue)
            }
        var options: [(CURLoption, Int)] = []
        // If a reused connection ends without a response, libcurl repeats the request. A code or token would be used
        // twice.
        if method != .get, method != .head { options.append((CURLOPT_FRESH_CONNECT, 1)) }
        // A server that does not read a client's body would read it as the beginning of the next request.
        if sendsBody, transfer.stream != nil { options.append((CURLOPT_FORBID_REUSE, 1)) }
        return code == CURLE_OK && set(handle, options)
    }

    private mutating func setBody(_ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer) -> Bool {
        let request = transfer.request
        guard transfer.stream == nil || setStream(handle, transfer) else { return false }
        guard transfer.stream?.upload == nil, let body = request.method == .post ? request.body ?? [] : request.body
        else { return true }
        return ccurl_set_body(&self, handle, body, body.count) == CURLE_OK
    }

    private mutating func setHeaders(_ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer) -> Bool {
        for header in transfer.request.headers + [(name: "Expect", value: "")] {
            let line = header.value.isEmpty ? "\(header.name):" : "\(header.name): \(header.value)"
            guard let list = curl_slist_append(transfer.headerList, line) else { return false }
            transfer.headerList = list
        }
        return ccurl_set_headers(&self, handle, transfer.headerList) == CURLE_OK
    }

    private mutating func setCallbacks(_ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer) -> Bool {
        // The pointer is valid: `active` holds the transfer until its handle is freed.
        ccurl_set_callbacks(
            &self, handle, Unmanaged.passUnretained(transfer).toOpaque(),
            { bytes, size, count, context in
                ccurl.deliver(bytes, length: size * count, to: context) { $0.take(bodyPart: $1) }
            },
            { bytes, size, count, context in
                ccurl.deliver(bytes, length: size * count, to: context) { $0.take(headerLine: $1) }
            },
            { context, _, address in
                guard let context, let address else { return -1 }
                let transfer = CurlTransfer.at(context)
                let permitted = withUnsafePointer(to: &address.pointee.addr) { transfer.permits($0) }
                guard permitted else { return -1 }  // CURL_SOCKET_BAD
                return socket(
                    address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
                    address.pointee.protocol)
            },
            { context, address, _, _, _ in
                guard let context, let address else { return CURL_PREREQFUNC_ABORT }
                let transfer = CurlTransfer.at(context)
                transfer.isConnected = true
                let permitted = transfer.permits(connectedTo: String(cString: address))
                return permitted ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            }) == CURLE_OK
    }

    /// Sends the URL's path unchanged, and receives larger parts.
    private mutating func setStream(_ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer) -> Bool {
        let options = [
            (CURLOPT_PATH_AS_IS, 1), (CURLOPT_HTTP_VERSION, 2 /* CURL_HTTP_VERSION_1_1 */),
            (CURLOPT_BUFFERSIZE, 128 * 1024),
        ]
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        guard set(handle, options),
            ccurl_set_progress(
                &self, handle, context,
                { context, _, _, _, _ in
                    guard let context else { return 1 }
                    return CurlTransfer.at(context).continues() ? 0 : 1
                }) == CURLE_OK
        else { return false }
        guard let upload = transfer.stream?.upload else { return true }
        let code = ccurl_set_upload(&self, handle, upload.length ?? -1, context) { buffer, size, count, context in
            guard let buffer, let context else { return Int(CURL_READFUNC_ABORT) }
            let space = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
            return CurlTransfer.at(context).upload(into: space) ?? Int(CURL_READFUNC_ABORT)
        }
        return code == CURLE_OK
    }

    private mutating func present(_ certificate: ClientCertificate, _ handle: UnsafeMutableRawPointer) -> Bool {
        guard var key = try? certificate.key.pem() else { return false }
        defer { key.wipe() }
        let chain = certificate.chain.pem
        return ccurl_set_client_certificate(&self, handle, chain, chain.count, key, key.count) == CURLE_OK
    }

    private static func deliver(
        _ bytes: UnsafeMutablePointer<CChar>?, length: Int, to context: UnsafeMutableRawPointer?,
        take: (CurlTransfer, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Int {
        guard let bytes, let context else { return 0 }
        let transfer = CurlTransfer.at(context)
        let buffer = UnsafeRawBufferPointer(start: bytes, count: length).bindMemory(to: UInt8.self)
        transfer.hasArrived = true
        return take(transfer, buffer) ? length : 0
    }

    mutating func result(of transfer: CurlTransfer, _ code: CURLcode) -> Result<HTTPResponse, HTTPError> {
        if let refusal = transfer.refusal { return .failure(refusal) }
        let origin = transfer.request.url.origin
        guard code == CURLE_OK, let handle = transfer.handle else {
            return .failure(error(code, of: transfer))
        }
        var status = 0
        guard ccurl_get_long(&self, handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK, status > 0 else {
            return .failure(.malformedResponse(origin: origin, reason: "no status"))
        }
        var address: UnsafeMutablePointer<CChar>?
        _ = ccurl_get_string(&self, handle, CURLINFO_PRIMARY_IP, &address)
        return .success(
            HTTPResponse(
                status: status, headers: transfer.headers, body: transfer.body,
                remoteAddress: transfer.proxy == nil ? address.map { String(cString: $0) } : nil))
    }

    /// The error of a handshake that the server ended because of the client certificate (RFC 8446 section 6.2). With
    /// TLS 1.3, the alert arrives after the handshake, so libcurl reports a lost connection.
    private func refusal(_ code: CURLcode, of transfer: CurlTransfer) -> HTTPError? {
        let origin = transfer.request.url.origin
        if code == CURLE_SSL_CERTPROBLEM, transfer.request.clientCertificate != nil {
            return .certificateUnusable(origin: origin, reason: transfer.message)
        }
        guard transfer.request.url.isSecure, let alert = CertificateAlert(in: transfer.message) else { return nil }
        return transfer.request.clientCertificate == nil
            ? alert == .required ? .certificateRequired(origin: origin) : nil
            : .certificateRefused(origin: origin, reason: alert)
    }

    private mutating func error(_ code: CURLcode, of transfer: CurlTransfer) -> HTTPError {
        let origin = transfer.request.url.origin
        if let proxy = transfer.proxy, !transfer.isConnected, let fault = fault(code, of: proxy, for: transfer) {
            return .proxyFailed(origin: origin, proxy: ProxyRules.server(of: proxy), fault: fault)
        }
        if let refusal = refusal(code, of: transfer) { return refusal }
        if let distrust = distrust(code, of: transfer, verdict: CURLINFO_SSL_VERIFYRESULT) {
            return .untrusted(origin: origin, reason: distrust)
        }
        let reason = self.reason(code)
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST: return .cannotConnect(origin: origin, reason: reason)
        // A part of the request may have arrived before CURLE_SEND_ERROR.
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE:
            return transfer.headerLength == 0
                ? .noResponse(origin: origin, reason: reason) : .connectionLost(origin: origin, reason: reason)
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(origin: origin)
        default: return .malformedResponse(origin: origin, reason: reason)
        }
    }

    /// Why the proxy did not connect to the server; nil if it did, or may have.
    private mutating func fault(_ code: CURLcode, of proxy: String, for transfer: CurlTransfer) -> ProxyFault? {
        let status = number(CURLINFO_HTTP_CONNECTCODE, of: transfer)
        if status > 0 { return status / 100 == 2 ? nil : .status(status) }
        let scheme = ProxyRules.scheme(of: proxy)
        if scheme == "https", let distrust = distrust(code, of: transfer, verdict: CURLINFO_PROXY_SSL_VERIFYRESULT) {
            return .untrusted(distrust)
        }
        return switch code {
        case CURLE_COULDNT_RESOLVE_PROXY: .unknownName
        // libcurl 8.16 reports the proxy's unknown name so. With socks4 and socks5, it can be the server's name.
        case CURLE_COULDNT_RESOLVE_HOST where scheme != "socks4" && scheme != "socks5": .unknownName
        case CURLE_COULDNT_CONNECT: .unreachable
        case CURLE_PROXY: .refused
        // A request is sent only after a response to CONNECT. SOCKS has no CONNECT, and libcurl before 7.80 does not
        // say whether the request was sent.
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_WEIRD_SERVER_REPLY:
            transfer.request.url.isSecure && scheme.hasPrefix("http") ? .noResponse : nil
        default: nil
        }
    }

    private mutating func number(_ name: CURLINFO, of transfer: CurlTransfer) -> Int {
        var value = 0
        if let handle = transfer.handle { _ = ccurl_get_long(&self, handle, name, &value) }
        return value
    }

    private func reason(_ code: CURLcode) -> String {
        curl_easy_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
    }

    /// Why the TLS handshake failed; nil if it did not. `verdict` is the name of OpenSSL's result: for the server's
    /// certificate, or for the proxy's.
    private mutating func distrust(_ code: CURLcode, of transfer: CurlTransfer, verdict: CURLINFO) -> Distrust? {
        if transfer.message.contains("alert handshake failure") { return .handshakeRefused }
        // Once the server is connected, it may have received the request.
        if !transfer.isConnected, transfer.message.contains("wrong version number") { return .noTLS }
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            break
        default: return nil
        }
        return switch number(verdict, of: transfer) {
        // OpenSSL has not rejected the chain, so libcurl has rejected the host name.
        case 0, 1, 62: code == CURLE_PEER_FAILED_VERIFICATION ? .otherName : .other(reason(code))
        case 9: .notYetValid
        case 10: .expired
        case 18, 19: .selfSigned
        case 2, 20, 21: .unknownAuthority
        case Int(CCURL_NAMELESS_CERTIFICATE): .noName
        default: .other(reason(code))
        }
    }
}
