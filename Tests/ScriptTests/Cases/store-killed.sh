# After SIGKILL, the next command can use the store.

#: The store works after a kill before each system call that creates it.
emulator
secret_file client-secret-1
works python3 "$ROOT/Tests/Chaos/every_call.py" "$BIN/authctl" "$ISSUER" "$PWD/secret"
out '^[0-9]+ moments'

#: The store works after a kill before each system call that migrates it from an earlier version.
emulator
secret_file client-secret-1
works python3 "$ROOT/Tests/Chaos/every_call.py" "$BIN/authctl" "$ISSUER" "$PWD/secret" \
    "$ROOT/Tests/AuthCoreTests/Store/Stores/16-steps.sql"
out '^[0-9]+ moments'

#: The store works after kills while adding a provider, signing in, refreshing and signing out.
works python3 "$ROOT/Tests/Chaos/chaos.py" "$BIN" --kills 40 --seed 20261122
out '^40 killed'
