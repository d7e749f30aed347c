#!/usr/bin/env python3
"""A scripted user with a browser: signs in at Glewlwyd or canaille, and follows the redirects to the client.

    person.py URL          works as BROWSER

PERSON_USER is the user (default: alice). PERSON_DENIES=1 declines the consent. PERSON_LOG names a log file. SSL_CERT_FILE
names the trusted CAs. Uses only the standard library."""
import html.parser
import http.client
import json
import os
import sys
import urllib.parse as urls

USER = os.environ.get("PERSON_USER", "alice")
PASSWORD = USER + "-password"
DENIES = os.environ.get("PERSON_DENIES") == "1"


def log(text):
    if os.environ.get("PERSON_LOG"):
        with open(os.environ["PERSON_LOG"], "a") as file:
            file.write(text + "\n")


class Page:
    def __init__(self, url, status, headers, body):
        self.url, self.status, self.headers, self.body = url, status, headers, body

    @property
    def query(self):
        return dict(urls.parse_qsl(urls.urlsplit(self.url).query, keep_blank_values=True))


class Browser:
    def __init__(self):
        self.cookies = {}

    def request(self, method, url, body=None, content_type=None):
        """One request; redirects are not followed."""
        parts = urls.urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname, parts.port, timeout=float(os.environ["PATIENCE"]))
        headers = {"Accept": "text/html", "Connection": "close"}
        jar = self.cookies.setdefault(parts.netloc, {})
        if jar:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in jar.items())
        if content_type:
            headers["Content-Type"] = content_type
            headers["Referer"] = url
        target = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        connection.request(method, target, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = line.split(";")[0].partition("=")
            jar[name.strip()] = value.strip()
        log(f"{method} {parts.netloc}{parts.path} {answer.status}")
        return Page(url, answer.status, answer.headers, data)

    def submit(self, form, button):
        fields = form.fields + ([(button, form.buttons[button])] if button else [])
        return self.request(form.method, form.action, urls.urlencode(fields), "application/x-www-form-urlencoded")


class Form:
    def __init__(self, action, method):
        self.action, self.method, self.fields, self.kinds, self.buttons = action, method, [], set(), {}

    def fill(self, name, value):
        self.fields = [(key, value if key == name else old) for key, old in self.fields]


class Forms(html.parser.HTMLParser):
    """The forms of a page."""

    def __init__(self, page):
        super().__init__()
        self.url, self.forms, self.open = page.url, [], False
        self.feed(page.body.decode())

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "form":
            self.forms.append(Form(urls.urljoin(self.url, a.get("action") or self.url), (a.get("method") or "get").upper()))
            self.open = True
        elif self.open and tag in ("input", "button"):
            kind = (a.get("type") or ("submit" if tag == "button" else "text")).lower()
            form = self.forms[-1]
            if kind == "submit":
                form.buttons[a.get("name")] = a.get("value") or ""
                form.buttons.setdefault(a.get("value"), a.get("value") or "")
            elif a.get("name"):
                form.fields.append((a["name"], a.get("value") or ""))
                form.kinds.add(kind)

    def handle_endtag(self, tag):
        if tag == "form":
            self.open = False


def canaille(browser, page):
    """Submits the form of a page of canaille: user name, password or consent."""
    for form in Forms(page).forms:
        names = [name for name, _ in form.fields]
        if "login" in names:
            form.fill("login", USER)
            return browser.submit(form, next(iter(form.buttons), None))
        if "password" in form.kinds:
            form.fill("password", PASSWORD)
            return browser.submit(form, next(iter(form.buttons), None))
        if "answer" in form.buttons:
            form.buttons["answer"] = "deny" if DENIES else "accept"
            return browser.submit(form, "answer")
    raise SystemExit(f"nothing to do on {page.url}: {page.body[:300]!r}")


def glewlwyd(browser, page):
    """Calls Glewlwyd's REST interface like its login page, which is a JavaScript application."""
    base = "{0.scheme}://{0.netloc}".format(urls.urlsplit(page.url))
    query = page.query
    answer = browser.request("POST", base + "/api/auth/", json.dumps({"username": USER, "password": PASSWORD}),
                             "application/json")
    if answer.status != 200:
        raise SystemExit(f"sign-in refused: {answer.status}")
    scope = "" if DENIES else query.get("scope", "")
    browser.request("PUT", base + "/api/auth/grant/" + query["client_id"], json.dumps({"scope": scope}),
                    "application/json")
    return query["callback_url"] + "&g_continue"


def main(url):
    browser, home, step = Browser(), urls.urlsplit(url).netloc, url
    for _ in range(30):
        page = browser.request("GET", step) if isinstance(step, str) else step
        if page.status in (301, 302, 303, 307) and page.headers.get("Location"):
            step = urls.urljoin(page.url, page.headers["Location"])
            continue
        if urls.urlsplit(page.url).netloc != home:
            return  # The browser has returned to the client.
        if page.query.get("prompt", "").startswith("device"):
            log(page.query["prompt"])
            return  # The device flow is complete.
        act = glewlwyd if page.url.split("?")[0].endswith("/login.html") else canaille
        step = act(browser, page)
    raise SystemExit("more than 30 steps")


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except BaseException as error:
        log(f"{type(error).__name__}: {error}")
        raise
