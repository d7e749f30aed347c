# A real browser: headless Chromium types the password into canaille's login page and lands on our page.
server canaille
works authctl providers add oidc.work --issuer "$ISSUER" --client-id public-rs256
export BROWSER="python3 $ROOT/Tests/Servers/chromium.py" CHROMIUM_RESULT=$PWD/landing.json
authctl signin --port "$REDIRECT_PORT" --timeout 90 >stdout 2>stderr </dev/null || fail "the browser did not come back: $(cat landing.json.error)"
works authctl whoami
out 'alice@example.com'
awaits landing.json '}$'
cp landing.json stdout
json "d['title'].startswith('Signed in') and d['url'] == 'http://127.0.0.1:$REDIRECT_PORT/callback/oidc.work/done' and d['background'] != d['color']"
