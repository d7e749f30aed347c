# The pictures of the documents.
. "$ROOT/Tests/ScriptTests/documents.sh"

#: The bars of the comparison show its table (make charts updates them).
"$ROOT/Packaging/charts" >new.svg
cmp new.svg "$ROOT/docs/comparison.svg"

#: The picture in README shows its text, loads nothing, and runs no script.
python3 "$ROOT/Tests/Recording/picture.py" "$ROOT/docs/images/first-minute.txt" new.svg
cmp new.svg "$ROOT/docs/images/first-minute.svg"
! grep -iE '<script|href|url\(|@import' new.svg || fail "the picture loads something"

#: The text of the picture is what the program prints (make recording updates it).
play github.com
TOKEN=$(curl -sSf "$EMULATOR_URL/emulator/personal-token?scope=user:email&expires-in=7776000")
TOKEN=$TOKEN python3 "$ROOT/Tests/Recording/record.py" >now
diff "$ROOT/docs/images/first-minute.txt" now || fail "docs/images/first-minute.txt is old"
