# Parallel processes with an expired token send one refresh, because the provider rotates refresh tokens.

# expire: moves the stored expiry into the past.
expire() {
    session_set tokens.expiresAt 1
}

# refreshes COMMAND…: prints how many refreshes the command causes.
refreshes() {
    local before
    before=$(requests 'token refresh_token')
    "$@"
    echo $(($(requests 'token refresh_token') - before))
}

# twenty COMMAND…: twenty parallel processes, which print equal tokens.
twenty() {
    local jobs=() i job
    for i in $(seq 20); do "$@" >"token.$i" 2>"error.$i" & jobs+=($!); done
    for job in "${jobs[@]}"; do wait "$job" || { cat error.* >&2; fail "one of twenty failed"; }; done
    [ "$(cat token.* | sort -u | wc -l)" = 1 ] || fail "not twenty equal tokens"
}

#: Twenty parallel processes with an expired token send one refresh and print equal tokens.
signed_in
expire
[ "$(refreshes twenty authctl token)" = 1 ] || fail "not one request"

#: Short-lived tokens cause one refresh for each expiry, even if a longer lifetime is requested.
for ttl in 5 30 45 60; do
    signed_in --access-ttl $ttl
    for command in 'authctl token' 'authctl token --min-ttl 999999'; do
        expire
        # The clock stands still: no token expires between two commands.
        frozen=(env FAKETIME_DONT_FAKE_MONOTONIC=1 faketime -f "$(date '+%F %T')")
        [ "$(refreshes twenty "${frozen[@]}" $command)" = 1 ] || fail "valid for $ttl s: not one request from: $command"
        for again in "$command" 'authctl exec -- true' "authctl request $ISSUER/userinfo"; do
            [ "$(refreshes works "${frozen[@]}" $again)" = 0 ] || fail "valid for $ttl s: refreshed again by: $again"
        done
    done
    rm -rf "$HOME/.config"
done
