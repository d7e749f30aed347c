# Two processes link one identity to two accounts, thirty times: one succeeds, the other gets a conflict.
# Runs on both directories.
provider google.com
works authctl signin --provider google.com
works authctl signin --provider google.com --param emulator_user=grace@example.com
provider github.com --user linus@example.com
# An access token of GitHub's, so that no browser is needed.
works authctl signin --provider github.com
works authctl token --provider github.com
cp stdout token
works authctl accounts delete --yes

for round in $(seq 30); do
    authctl link --provider github.com --access-token token --account ada@example.com >out.a 2>err.a &
    a=$!
    b=0
    authctl link --provider github.com --access-token token --account grace@example.com >out.b 2>err.b || b=$?
    code=0
    wait $a || code=$?
    case "$code $b" in
        "0 6") winner=ada@example.com loser=err.b ;;
        "6 0") winner=grace@example.com loser=err.a ;;
        *) cat err.a err.b; fail "round $round: exits $code and $b" ;;
    esac
    grep -q credential-already-in-use $loser || fail "round $round: $(cat $loser)"
    works authctl accounts list --json
    json "sorted(len(a['providerData']) for a in d['accounts']) == [1, 2]"
    works authctl unlink --provider github.com --account $winner
done
