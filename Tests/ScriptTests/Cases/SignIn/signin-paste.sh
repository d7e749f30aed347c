# A browser on another machine: prints the authorization URL, and reads the pasted callback URL.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client

#: Prints the authorization URL, and reads the pasted callback URL.
signs_in_by_paste "$ISSUER/authorize[^ ]*"
# The provider sends the browser to a port without a listener; the user copies the URL.
curl -sS -o /dev/null -w '%{redirect_url}\n' "$url" >&3
exec 3>&-
wait $signin || fail "sign-in by paste"
works authctl whoami
out 'ada@example.com'
works authctl status --long
out 'by paste'

#: Refuses the URL of another sign-in; the end of input cancels the sign-in.
code=0
echo 'http://127.0.0.1:8400/callback?code=x&state=y' | authctl signin --flow paste >stdout 2>stderr || code=$?
[ $code = 65 ] || fail "exit $code for a foreign callback"
exits 2 authctl signin --flow paste

#: The paste flow ends at the timeout; the end of input after other text is not a callback.
mkfifo silent
exec 4<>silent
code=0
authctl signin --flow paste --timeout 1 <&4 >stdout 2>stderr || code=$?
[ $code = 3 ] || fail "exit $code"
err 'timed out waiting for the sign-in'
exec 4>&-
code=0
authctl signin --flow paste <<<foo >stdout 2>stderr || code=$?
[ $code = 2 ] || fail "exit $code"
err 'input ended before the callback URL'
