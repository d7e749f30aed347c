# The catalog and the libraries of other projects that know the same services (Tests/Servers/libraries.py).
python=$ROOT/.build/venv/bin/python
compare() { "$python" "$ROOT/Tests/Servers/libraries.py" "$1"; }

#: At least 25 services have the endpoints that one of these libraries has, and every difference has a reason.
works compare "$ROOT/Sources/CCatalog/services.yaml"
out '^spotify: social-core .*django-allauth'

#: A wrong endpoint, issuer or separator is found.
while IFS='|' read -r right wrong found; do
    sed "s|$right|$wrong|" "$ROOT/Sources/CCatalog/services.yaml" >changed.yaml
    ! cmp -s changed.yaml "$ROOT/Sources/CCatalog/services.yaml" || fail "'$right' is not in the catalog"
    exits 1 compare changed.yaml
    err "$found"
done <<'LINES'
accounts.spotify.com/authorize|accounts.spotify.com/authorise|^spotify: authorization of
www.reddit.com/api/v1/access_token|www.reddit.com/api/v1/token|^reddit: token of
lichess.org/api/account|lichess.org/api/me|^lichess: userinfo of
issuer: https://id.twitch.tv/oauth2|issuer: https://id.twitch.tv|^twitch: issuer of
issuer: https://zoom.us|issuer: https://zoom.com|^zoom: token of
https://www.pinterest.com/oauth|https://api.pinterest.com/oauth|no longer differs
LINES
