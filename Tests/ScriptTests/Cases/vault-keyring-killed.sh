# SIGKILL at fifty random moments of moving the key to the keyring, and at fifty of moving it back: it is always somewhere,
# the store knows where, and the same command again finishes.
. "$ROOT/Tests/ScriptTests/keyring.sh"
# gnome-keyring 42 itself ends now and then (SIGTRAP) when clients come and go that fast: only then once more, from the start.
for attempt in first last; do
    rm -rf "$HOME"
    bus
    keyring
    a_store
    ! /usr/bin/python3 "$ROOT/Tests/Chaos/vaults.py" "$BIN/authctl" --kills 50 ${SEED:+--seed "$SEED"} >stdout 2>stderr || break
    cat keyring.log
    if [ $attempt = last ] || kill -0 "$KEYRING"; then fail "the moves did not hold"; fi
done
cat stdout
out '^[0-9]+ killed on the way to keyring'
out '^[0-9]+ killed on the way to file'
