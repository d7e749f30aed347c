# A service that verifies tokens for days with one `verify -`.

#: A running `verify -` notices each new and each revoked key, and an outage is the error of a line.
port=$(free_port)
# provider: starts the provider with new keys, and writes one of its tokens to the file `token`.
provider() {
    rm -f emulator.url && mkfifo emulator.url
    authctl-emulator --auto-approve --port "$port" >emulator.url &
    EMULATOR=$!
    servers+=($!)
    read -r ISSUER <emulator.url
    curl -sS "$ISSUER/emulator/id-token" >token
}
outage() { kill "$EMULATOR" && wait "$EMULATOR" || true; }
provider
cp token first
# The time of the service is that of this machine, plus the seconds in a file.
preload=$(faketime -f +0 env | sed -n 's/^LD_PRELOAD=//p')
echo +0 >ahead
mkfifo tokens results
LD_PRELOAD=$preload FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_NO_CACHE=1 FAKETIME_TIMESTAMP_FILE=$PWD/ahead \
    authctl verify - --issuer "$ISSUER" --audience emulator-client <tokens >results 2>errors &
servers+=($!)
exec 5>tokens 6<results
# line FILE PATTERN: the service's line about this token.
line() {
    { cat "$1" && echo; } >&5
    read -rt "$PATIENCE" line <&6
    grep -qE -- "$2" <<<"$line" || fail "not $2: $line"
}
line first '^\{"valid":true,'
for seconds in 0 90; do
    echo "+$seconds" >ahead
    outage
    provider
    line token '^\{"valid":true,'
    line first '"valid":false,.*"code":"invalid-id-token"'
done
# The provider cannot be reached: an unknown key is not called wrong, and known keys are valid.
cp token second
outage
provider
outage
echo +180 >ahead
line token '"valid":false,.*"code":"network-request-failed"'
line second '^\{"valid":true,'
provider
line first '"valid":false,'
echo +300 >ahead
line token '^\{"valid":true,'
# A key that the provider has withdrawn is not used longer than the provider's document is fresh, one hour.
cp token third
outage
provider
echo +4200 >ahead
line third '"valid":false,.*has not published its key'
exec 5>&-
