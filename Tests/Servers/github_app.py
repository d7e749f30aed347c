"""PyPI's PyJWT checks an app's JWTs, and githubkit calls the API with an installation token.

    github_app.py jwt RECORD KEY.pem APP-ID | client API REPOSITORY OTHER <token | app API KEY.pem APP-ID REPOSITORY
"""
import subprocess
import sys
import time

import jwt


def check_jwts(record, path, app):
    public = subprocess.run(["openssl", "pkey", "-in", path, "-pubout"], check=True, capture_output=True).stdout
    count = 0
    for token in open(record).read().split():
        if token.count(".") != 2 or not token.startswith("eyJ"):
            continue
        claims = jwt.decode(token, public, algorithms=["RS256"], issuer=app, options={"require": ["iat", "exp", "iss"]})
        assert set(claims) == {"iat", "exp", "iss"}, claims
        assert claims["exp"] <= time.time() + 600, "more than ten minutes"
        assert claims["iat"] <= time.time() - 60, "not 60 seconds earlier"
        assert claims["exp"] - claims["iat"] == 600, "not ten minutes"
        assert jwt.get_unverified_header(token) == {"alg": "RS256", "typ": "JWT"}
        count += 1
    assert count >= 2, "no JWT"


def status(github, repository):
    from githubkit.exception import RequestFailed

    try:
        answer = github.request("GET", f"/repos/{repository}")
    except RequestFailed as error:
        return error.response.status_code
    assert answer.json()["full_name"] == repository
    return answer.status_code


def call(api, repository, other):
    from githubkit import GitHub

    github = GitHub(sys.stdin.read().strip(), base_url=api, auto_retry=False, http_cache=False)
    listed = github.request("GET", "/installation/repositories").json()
    assert [entry["full_name"] for entry in listed["repositories"]] == [repository], listed
    assert status(github, repository) == 200 and status(github, other) == 404


def call_as_app(api, path, app, repository):
    """Calls the emulator with githubkit as an app."""
    from githubkit import AppAuthStrategy, GitHub

    github = GitHub(AppAuthStrategy(app, open(path).read()), base_url=api, auto_retry=False, http_cache=False)
    installation = github.request("GET", f"/repos/{repository}/installation").json()
    assert installation["app_id"] == int(app), installation


kind, *arguments = sys.argv[1:]
{"jwt": check_jwts, "client": call, "app": call_as_app}[kind](*arguments)
