#!/usr/bin/env python3
"""A browser for scripts: follows redirects, and sends a form that a page submits automatically.

Usage: browser.py URL
A form that a script of the page submits is posted (OAuth 2.0 Form Post Response Mode). No other script is run.
PAGE names a file for the last page. FORM names a file for the form's body, which is then not sent. NAMES maps host names
to addresses (signin.example.com=127.0.0.1). PROXY is the proxy for https. SSL_CERT_FILE names the trusted CAs.
"""

import html.parser
import os
import socket
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request


class Form(html.parser.HTMLParser):
    """The first form of a page, and whether a script submits it."""

    def __init__(self):
        super().__init__()
        self.action = None
        self.fields = []
        self.submits = False

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = values.get("action", "")
        if tag == "input" and values.get("type") == "hidden":
            self.fields.append((values["name"], values.get("value", "")))

    def handle_data(self, data):
        self.submits = self.submits or ".submit()" in data


def resolve_by_names():
    """Resolves the hosts in NAMES, like /etc/hosts."""
    names = dict(pair.split("=") for pair in os.environ.get("NAMES", "").split())
    ask = socket.getaddrinfo
    socket.getaddrinfo = lambda host, *rest, **named: ask(names.get(host, host), *rest, **named)


def visit(url, body=None):
    headers = {"Accept": "text/html", "User-Agent": "browser.py"}
    # Ignores the machine's proxy; a story can set PROXY.
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({"https": os.environ["PROXY"]} if "PROXY" in os.environ else {}), urllib.request.HTTPSHandler(context=ssl.create_default_context())
    )
    try:
        with opener.open(urllib.request.Request(url, body, headers), timeout=float(os.environ["PATIENCE"])) as answer:
            return answer.geturl(), answer.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return url, error.read().decode("utf-8", "replace")


def main():
    resolve_by_names()
    url, page = visit(sys.argv[1])
    form = Form()
    form.feed(page)
    if form.submits:
        body = urllib.parse.urlencode(form.fields)
        if "FORM" in os.environ:
            with open(os.environ["FORM"], "w", encoding="utf-8") as file:
                file.write(body + "\n")
            return
        body = body.encode()
        url, page = visit(urllib.parse.urljoin(url, form.action), body)
    if "PAGE" in os.environ:
        with open(os.environ["PAGE"], "w", encoding="utf-8") as file:
            file.write(page)


main()
