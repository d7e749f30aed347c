# A sign-in whose address belongs to another account on this machine: the question, and what each answer does.
# verified: ada is signed in with oidc.work, and github.com has the same address; both providers confirmed it.
verified() {
    emulator
    works authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client --trust-email
    provider github.com
    works authctl providers set github.com --trust-email
    works authctl signin oidc.work
    work=$(authctl token work)
}
# answers KEYS: signs in to github.com on a terminal, and answers the question so.
answers() { python3 "$ROOT/Tests/Servers/terminal.py" "keeps them separate.) [Y/n] =$1" -- authctl signin github.com >stdout 2>stderr || fail "exit $?"; }

#: One keystroke links it, and the default stays.
verified
answers ''
out '^work/ada@example.com has the same address, ada@example.com.'
out '^Link github.com/ada to that account[?] \(No keeps them separate.\) \[Y/n\]'
out '^Signed in to github.com as ada, linked to work. The default is still work.'
[ "$(authctl token)" = "$work" ] || fail "another default"
works authctl accounts list --json
json "[[p['providerId'] for p in a['providerData']] for a in d['accounts']] == [['oidc.work', 'github.com']]"
works authctl pending list --json
json "d['pending'] == []"

#: No keeps the identity in an account of its own; the address stays the other account's.
verified
answers n
out '^Signed in to github.com as ada, separate from work.'
out '^The default is now github.com. Back: authctl accounts switch work'
works authctl status
diff stdout - <<'LINES' || fail "the lines"
github.com/ada        no expiry date  default
work/ada@example.com  renews itself
LINES
works authctl accounts switch work
[ "$(authctl token)" = "$work" ] || fail "not back"
works authctl accounts show ada@example.com --json
json "[p['providerId'] for p in d['account']['providerData']] == ['oidc.work']"
works authctl signin github.com --json
json "d['account']['email'] is None and d['isNewUser'] is False and d['session'] == 'github.com/ada' and d['defaultChanged'] and not d['linked']"
works authctl signin github.com --json
json "not d['defaultChanged']"

#: --separate avoids the conflict, also in a script.
verified
works authctl signin github.com --separate --json
json "d['isNewUser'] and d['defaultChanged'] and d['session'] == 'github.com/ada'"
works authctl pending list --json
json "d['pending'] == []"

#: Ctrl-D keeps the credential pending, and one hint links it.
verified
python3 "$ROOT/Tests/Servers/terminal.py" 'keeps them separate.) [Y/n] =^D' -- authctl signin github.com >stdout 2>stderr && fail "signed in" || [ $? = 2 ] || fail "exit"
works authctl status
out '^Waiting for link:  github.com/ada@example.com to work, until [0-9:]+: authctl link --pending$'
works authctl status --json
json "[p['providerId'] for p in d['pending']] == ['github.com']"
works authctl link --pending --json
json "d['linked'] and d['session'] == 'github.com/ada' and not d['defaultChanged']"
[ "$(authctl token)" = "$work" ] || fail "another default"

#: Without a terminal: exit 6, and the hint works.
verified
exits 6 authctl signin github.com
err "'ada@example.com' already signs in with 'oidc.work' .account-exists-with-different-credential"
err 'hint: authctl link --pending$'
works authctl signout work
exits 4 authctl link --pending
exits 6 authctl signin github.com
err 'hint: authctl signin oidc.work .*--link-pending$'

#: A personal token of another provider does not make Enter a yes, but the question is asked.
verified
works authctl signout
works authctl accounts delete ada@example.com --yes
curl -sS "$ISSUER/emulator/personal-token?scope=user:email" >token
works bash -c 'authctl signin github.com --with-token <token'
python3 "$ROOT/Tests/Servers/terminal.py" 'keeps them separate.) [y/N] =y' -- authctl signin oidc.work >stdout || fail "not linked"
out '^Signed in to work as ada@example.com, linked to github.com. The default is still github.com.'

#: If the provider of the other account is gone, the hint keeps the identity separate.
verified
works authctl signout
works authctl providers remove work
exits 6 authctl signin github.com
err 'hint: authctl signin github.com --separate$'
works authctl signin github.com --separate
