# A clock that was wrong for a while: by a year and more, in both directions.
ahead=(faketime -f +400d)

#: A sign-in under a clock that was ahead is no proof for what cannot be undone, and a new one is.
printf 'a long right password' >right
signin=(authctl signin --provider password --email ada@example.com --password-stdin)
"${signin[@]}" --create <right >stdout 2>stderr || fail create
"${ahead[@]}" "${signin[@]}" <right >stdout 2>stderr || fail "signed in then"
exits 5 authctl accounts set-email new@example.com
"${signin[@]}" <right >stdout 2>stderr || fail "signed in now"
works authctl accounts set-email new@example.com

#: Failed passwords under a clock that was ahead lock nobody out.
printf 'a long right password' >right
printf 'a long wrong password' >wrong
authctl signin --provider password --email ada@example.com --create --password-stdin <right >stdout 2>stderr || fail create
for _ in 1 2 3 4 5 6; do "${ahead[@]}" authctl signin --provider password --email ada@example.com --password-stdin <wrong >stdout 2>stderr || true; done
# A few seconds at most, whatever the year was.
for _ in $(seq 100); do
    code=0
    authctl signin --provider password --email ada@example.com --password-stdin <right >stdout 2>stderr || code=$?
    [ $code = 0 ] && break || read -rt 0.2 <> <(:) || true
done
[ $code = 0 ] || fail "locked out"
