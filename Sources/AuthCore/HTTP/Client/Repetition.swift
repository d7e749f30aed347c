/// The pauses between the tries of one request: at most five tries in 30 seconds, and three if the server does not accept
/// connections (docs/decisions/017).
struct Repetition {
    let began: Int64
    var tries = 0
    var waited = 0.0

    /// Seconds until the next try; nil if this result is final. `Retry-After` makes a pause longer. Without it, status
    /// 429 is final.
    mutating func pause(after result: Result<HTTPResponse, HTTPError>, now: Int64) -> Double? {
        tries += 1
        var pause = 0.2 * Double(1 << (tries - 1))
        switch result {
        case .success(let response) where response.status == 429 || (500...599).contains(response.status):
            let requested = RetryAfter.seconds(response, now: now)
            guard requested != nil || response.status != 429 else { return nil }
            pause = max(pause, Double(requested ?? 0))
        case .failure(let error) where error.mayConnectLater && tries < 3: break
        case .failure(.connectionLost), .failure(.noResponse): break
        default: return nil
        }
        waited += pause
        return tries < 5 && max(waited, Double(now - began) + pause) <= 30 ? pause : nil
    }
}
