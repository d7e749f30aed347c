#!/usr/bin/env python3
"""Compares the catalog with the configuration of other projects' libraries on PyPI, which know many of its services.

    libraries.py SERVICES.YAML

Prints a line for each service, and fails if a service differs from a library without a reason below, if such a reason is out
of date, or if fewer than 25 services agree with at least one library. The libraries' sources are parsed, not run: to import
them, settings of Django and Flask would be required. Authlib and requests-oauthlib have no endpoints of services: those are in
loginpass and Flask-Dance, which are built on them.
"""
import ast
import importlib.util
import pathlib
import sys
import urllib.parse

import yaml

ENOUGH = 25

# Each library's folder, the file of a service in it, and the names of files that differ from ours.
LIBRARIES = {
    "social-core": ("social_core", "backends/{}.py", {
        "eve-online": "eveonline", "openstreetmap": "openstreetmap_oauth2"}),
    "Flask-Dance": ("flask_dance", "contrib/{}.py", {}),
    "django-allauth": ("allauth", "socialaccount/providers/{}/views.py", {
        "bitbucket": "bitbucket_oauth2", "eve-online": "eveonline", "wikimedia": "mediawiki"}),
    "loginpass": ("loginpass", "{}.py", {}),
}

NAMES = {
    "authorization": {"authorize_url", "authorization_url", "AUTHORIZATION_URL"},
    "token": {"access_token_url", "token_url", "ACCESS_TOKEN_URL"},
    "revocation": {"REVOKE_TOKEN_URL"},
    "userinfo": {"profile_url", "userinfo_endpoint", "userinfo_url", "identity_url"},
    "issuer": {"OIDC_ENDPOINT"},
    "separator": {"SCOPE_SEPARATOR"},
    "scopes": {"DEFAULT_SCOPE", "scope"},
}
FACTS = {name: fact for fact, names in NAMES.items() for name in names}

# Reasons, after a look at what other sources say.
OLD = "an earlier address, which newer libraries and the vendor's documentation no longer have"
OTHER = "another address of the same service; the vendor's documentation has ours"
COMMA = "no source beside this library has commas; RFC 6749 has spaces"
PLUS = "a plus sign is a space that is already encoded, which the library encodes again"
CHOICE = "the library requests other scopes"
DIFFERENCES = {
    ("atlassian", "django-allauth", "token"): OTHER,
    ("bitbucket", "loginpass", "scopes"): CHOICE,
    ("box", "social-core", "token"): OLD,
    ("box", "social-core", "separator"): COMMA,
    ("cilogon", "social-core", "separator"): PLUS,
    ("discord", "social-core", "separator"): PLUS,
    ("discord", "loginpass", "token"): OLD,
    ("discord", "loginpass", "userinfo"): OLD,
    ("dropbox", "Flask-Dance", "token"): OLD,
    ("dropbox", "django-allauth", "token"): OLD,
    ("dropbox", "django-allauth", "userinfo"): OLD,
    ("figma", "django-allauth", "token"): OLD,
    ("gitea", "social-core", "separator"): COMMA,
    ("line", "django-allauth", "userinfo"): "the profile API, which has no claims of OpenID Connect",
    ("paypal", "social-core", "authorization"): OLD,
    ("paypal", "social-core", "token"): OLD,
    ("pinterest", "social-core", "authorization"): OLD,
    ("pinterest", "social-core", "token"): OLD,
    ("reddit", "social-core", "authorization"): OLD,
    ("reddit", "social-core", "token"): OLD,
    ("reddit", "social-core", "separator"): COMMA,
    ("slack", "social-core", "separator"): "for Slack's own scopes; those of OpenID Connect have spaces",
    ("strava", "Flask-Dance", "authorization"): OTHER,
    ("strava", "Flask-Dance", "token"): OTHER,
    ("zoom", "social-core", "scopes"): "the scopes before Zoom's granular scopes",
}


class Source:
    """The constants of a Python file, by their names."""

    def __init__(self, path):
        self.known = {}
        self.found = {}
        for node in ast.walk(ast.parse(path.read_text())):
            for name, value in self.pairs(node):
                value = self.value(value)
                if value is None:
                    continue
                if isinstance(node, (ast.Assign, ast.AnnAssign)):
                    self.known.setdefault(name, value)
                if name in FACTS:
                    self.found.setdefault(FACTS[name], []).append(value)

    @staticmethod
    def pairs(node):
        if isinstance(node, ast.Assign):
            return [(getattr(target, "id", getattr(target, "attr", "")), node.value) for target in node.targets]
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return [(getattr(node.target, "id", ""), node.value)]
        if isinstance(node, ast.Call):
            return [(keyword.arg, keyword.value) for keyword in node.keywords]
        if isinstance(node, ast.Dict):
            return [(key.value, value) for key, value in zip(node.keys, node.values) if isinstance(key, ast.Constant)]
        return []

    def value(self, node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.known.get(node.id)
        if isinstance(node, ast.Attribute):
            return self.known.get(node.attr)
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.value(item) for item in node.elts]
        if isinstance(node, ast.JoinedStr):
            parts = [self.value(getattr(part, "value", part) if isinstance(part, ast.FormattedValue) else part) for part in node.values]
            return None if None in parts else "".join(parts)
        # settings.get("URL", "https://…")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and len(node.args) == 2:
            return self.value(node.args[1])
        return None


def origin(url):
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def plain(url):
    """A URL without its query, and without a slash at its end."""
    return url.partition("?")[0].rstrip("/")


def filled(text, entry):
    """A setting with the defaults of its questions; None if the user's answer is missing."""
    for name, question in (entry.get("ask") or {}).items():
        if question.get("default"):
            text = text.replace("{" + name + "}", question["default"])
    return None if text is None or "{" in text else text


def disagreement(fact, entry, found):
    """What our entry says, if the library has something else; "" if both agree; None if one of them has no such fact."""
    if fact == "separator":
        ours = entry.get("scope_separator", " ")
        return "" if ours in found else repr(ours)
    if fact == "scopes":
        theirs = {scope for value in found for scope in (value.split() if isinstance(value, str) else value)}
        if not entry.get("scopes") or not theirs:
            return None
        return "" if theirs & set(entry["scopes"]) else " ".join(entry["scopes"])
    urls = [value for value in found if isinstance(value, str) and value.startswith("https://")]
    ours = entry.get("issuer" if fact == "issuer" else f"{fact}_endpoint")
    # The metadata of an issuer is not in the catalog: the library's token endpoint must be at its host.
    if fact == "token" and ours is None and "issuer" in entry:
        issuer = filled(entry["issuer"], entry)
        return None if not issuer or not urls else "" if origin(issuer) in map(origin, urls) else issuer
    ours = filled(ours, entry) if ours else None
    if not ours or not urls:
        return None
    return "" if plain(ours) in map(plain, urls) else ours


def main():
    entries = yaml.safe_load(open(sys.argv[1]))
    agreeing, problems, used = 0, [], set()
    for name, entry in entries.items():
        agreed = []
        for library, (package, file, names) in LIBRARIES.items():
            folder = pathlib.Path(importlib.util.find_spec(package).submodule_search_locations[0])
            path = folder / file.format(names.get(name, name.replace("-", "_")))
            if not path.is_file():
                continue
            found = Source(path).found
            results = {fact: disagreement(fact, entry, values) for fact, values in found.items()}
            for fact, ours in results.items():
                if not ours:
                    continue
                used.add((name, library, fact))
                if (name, library, fact) not in DIFFERENCES:
                    problems.append(f"{name}: {fact} of {library} is {found[fact]}, not {ours}")
            endpoints = [fact for fact, ours in results.items() if ours == "" and fact not in ("separator", "scopes")]
            others = [fact for fact, ours in results.items() if ours and fact not in ("separator", "scopes")]
            if endpoints and not others:
                agreed.append(f"{library} ({', '.join(sorted(endpoints))})")
        if agreed:
            agreeing += 1
            print(f"{name}: {'; '.join(agreed)}")
    problems += [f"{' '.join(key)}: no longer differs" for key in DIFFERENCES if key not in used]
    if agreeing < ENOUGH:
        problems.append("too few services agree")
    print(*problems, sep="\n", file=sys.stderr)
    print(f"{agreeing} services agree with a library, {len(used)} facts differ")
    sys.exit(1 if problems else 0)


main()
