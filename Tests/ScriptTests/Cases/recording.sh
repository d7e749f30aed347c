# The recording and the pictures of the documents.
. "$ROOT/Tests/ScriptTests/documents.sh"

#: The recording shows what the program prints (make recording updates it).
play github.com --client-id Ov23liEXAMPLE
python3 "$ROOT/Tests/Recording/record.py" new.cast
python3 "$ROOT/Tests/Recording/record.py" --text new.cast >now
python3 "$ROOT/Tests/Recording/record.py" --text "$ROOT/docs/first-minute.cast" >then
diff then now || fail "docs/first-minute.cast is old"

#: The bars of the comparison show its table (make charts updates them).
"$ROOT/Packaging/charts" >new.svg
cmp new.svg "$ROOT/docs/comparison.svg"

#: The picture was made from that recording, and is smaller than 50 kB.
python3 "$ROOT/Tests/Recording/record.py" --text "$ROOT/docs/first-minute.cast" >then
grep -qaF "$(sha256sum <then | cut -d ' ' -f 1)" "$ROOT/docs/first-minute.svg" || fail "docs/first-minute.svg is old"
[ "$(stat -c %s "$ROOT/docs/first-minute.svg")" -lt 50000 ] || fail "docs/first-minute.svg is too big"
python3 "$ROOT/Tests/Recording/picture.py" "$ROOT/docs/first-minute.cast" new.svg
cmp new.svg "$ROOT/docs/first-minute.svg"
# It loads nothing, and runs no script.
! grep -iE '<script|href|url\(|@import' new.svg || fail "the picture loads something"
