# SIGKILL at fifty random moments of moving the key to the keyring, and at fifty of moving it back: the key is never lost, the
# store knows where it is, and the same command completes the move.
. "$ROOT/Tests/ScriptTests/keyring.sh"
bus
keyring
a_store
/usr/bin/python3 "$ROOT/Tests/Chaos/vaults.py" "$BIN/authctl" --kills 50 ${SEED:+--seed "$SEED"} >stdout 2>stderr || {
    cat keyring.log
    fail "the moves did not hold"
}
cat stdout
out '^[0-9]+ killed on the way to keyring'
out '^[0-9]+ killed on the way to file'
