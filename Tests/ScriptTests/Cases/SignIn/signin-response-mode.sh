# How the provider returns to the redirect URI: in the URL (query), or in a form that the browser sends (form_post).
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --response-mode form_post
# In place of the browser that `emulator` sets: it sends forms too.
browser() { export BROWSER="python3 $ROOT/Tests/Servers/browser.py" PAGE=$PWD/page; }
browser

#: With form_post, the browser sends a form to the loopback port.
works authctl signin oidc.test --timeout 60
err 'response_mode=form_post'
awaits page '<h1>Signed in to ' >/dev/null
works authctl providers show oidc.test --json
json "d['responseMode'] == 'form_post'"
works authctl providers export oidc.test
out '^ *response_mode: form_post$'

#: With query, or without the setting, the response is in the URL. Only the setting is sent.
works authctl providers set oidc.test --response-mode query
works authctl signin oidc.test --timeout 60
err 'response_mode=query'
works authctl providers set oidc.test --unset response-mode
works authctl signin oidc.test --timeout 60
no_err 'response_mode'

#: A server that ignores the requested mode is refused at once, with the setting.
emulator --fault other-response-mode
browser
for mode in query form_post; do
    works authctl providers add oidc.test --replace --issuer "$ISSUER" --client-id emulator-client --response-mode $mode
    exits 65 authctl signin oidc.test --timeout 60
    err "it came in (a form|the URL), but the response mode '$mode' was requested \(invalid-response\)"
    err "hint: .*providers set oidc.test --response-mode $([ $mode = query ] && echo form_post || echo query)$"
    awaits page '<h1>Not signed in to ' >/dev/null
    [ "$(requests "token authorization_code")" = 0 ] || fail "the code was redeemed"
done

#: A response of the other mode with a wrong state does not end the sign-in.
cat >attacks <<'P'
import re, subprocess, sys, urllib.parse
url = sys.argv[1]
callback = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["redirect_uri"][0]
for command in (["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", callback + "?code=c&state=wrong"],
                ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-d", "code=c&state=wrong", callback],
                ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: text/plain", "-d", "code=c&state=wrong", callback]):
    print(subprocess.run(command, capture_output=True, text=True).stdout, file=open("statuses", "a"))
subprocess.run(["python3", sys.argv[2], url], check=True)
P
printf '#!/bin/sh\nexec python3 %s/attacks "$1" %s/Tests/Servers/browser.py\n' "$PWD" "$ROOT" >browser
chmod +x browser
export BROWSER=$PWD/browser
works authctl signin oidc.test --timeout 60
[ "$(tr '\n' ' ' <statuses)" = '405 404 415 ' ] || fail "$(cat statuses)"

#: Unknown modes are refused, on the command line and in the file. A provider that does not list the mode is refused.
exits 64 authctl providers set oidc.test --response-mode fragment
err "--response-mode"
sed -i 's/response_mode: form_post/response_mode: fragment/' "$HOME/.config/authctl/config.yaml"
exits 78 authctl signin oidc.test
err "response_mode: 'fragment' is neither query nor form_post"
sed -i 's/response_mode: fragment/response_mode: form_post/' "$HOME/.config/authctl/config.yaml"
emulator --fault web-message
works authctl providers add oidc.test --replace --issuer "$ISSUER" --client-id emulator-client --response-mode form_post
exits 78 authctl signin oidc.test
err "response_mode: the provider's metadata does not list 'form_post'"
err 'hint: '

#: The form's body can be pasted, as at Apple; with PAR, the mode is in the pushed request.
signs_in_by_paste "$ISSUER/authorize[^ ]*"
FORM=form python3 "$ROOT/Tests/Servers/browser.py" "$url"
cat form >&3
exec 3>&-
wait $signin || fail "sign-in by paste"
works authctl providers set oidc.test --par
works authctl signin oidc.test --timeout 60
no_err 'response_mode'
