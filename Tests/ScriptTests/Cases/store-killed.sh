# SIGKILL leaves a store that the next command uses.

#: Killed before each system call in turn that makes the store.
emulator
secret_file client-secret-1
works python3 "$ROOT/Tests/Chaos/every_call.py" "$BIN/authctl" "$ISSUER" "$PWD/secret"
out '^[0-9]+ moments'

#: Killed before each system call in turn that brings the store of an earlier version up to date.
emulator
secret_file client-secret-1
works python3 "$ROOT/Tests/Chaos/every_call.py" "$BIN/authctl" "$ISSUER" "$PWD/secret" \
    "$ROOT/Tests/AuthCoreTests/Storage/Stores/16-steps.sql"
out '^[0-9]+ moments'

#: Killed at random moments of adding a provider, signing in, refreshing and signing out.
works python3 "$ROOT/Tests/Chaos/chaos.py" "$BIN" --kills 40 --seed 20261122
out '^40 killed'
