#!/usr/bin/env python3
"""Headless Chromium, driven over WebDriver: signs in as alice at canaille, and records the final page.

    chromium.py URL          works as BROWSER; CHROMIUM_RESULT names the file to write
"""
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request


class Driver:
    """The commands of W3C WebDriver that this script requires."""

    def __init__(self, port, profile):
        self.base = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={profile}"]
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments, "binary": "/usr/bin/chromium"},
            "timeouts": {"implicit": 20000, "pageLoad": 60000}}}})
        self.base += "/session/" + answer["sessionId"]

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.base + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=float(os.environ["PATIENCE"])) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:800]}") from None

    def element(self, selector):
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        return "/element/" + next(iter(found.values()))

    def type(self, selector, text):
        self.call("POST", self.element(selector) + "/value", {"text": text})

    def click(self, selector):
        self.call("POST", self.element(selector) + "/click", {})

    def script(self, text):
        return self.call("POST", "/execute/sync", {"script": text, "args": []})


@contextlib.contextmanager
def browser():
    """Starts a browser and yields its driver. The browser ends after the block."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        server = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True)
        try:
            port = next(found[1] for line in server.stdout if (found := re.search(r"successfully on port (\d+)", line)))
            yield Driver(port, profile)
        finally:
            # The browser is not in the driver's process group, but the profile's name is in the arguments of each process.
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
            subprocess.run(["pkill", "-KILL", "-f", "--", "--user-data-dir=" + profile], check=False)


def main(url):
    with browser() as driver:
        driver.call("POST", "/url", {"url": url})
        driver.type("input[name=login]", "alice")
        driver.click("form [type=submit]")
        driver.type("input[type=password]", "alice-password")
        driver.click("form [type=submit]")
        driver.click("[name=answer][value=accept]")
        driver.element("main h1")
        result = {
            "url": driver.call("GET", "/url"), "title": driver.call("GET", "/title"),
            "background": driver.script("return getComputedStyle(document.body).backgroundColor"),
            "color": driver.script("return getComputedStyle(document.body).color")}
    temporary = os.environ["CHROMIUM_RESULT"] + ".new"
    with open(temporary, "w") as file:
        json.dump(result, file)
    os.rename(temporary, os.environ["CHROMIUM_RESULT"])


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except BaseException as error:
        with open(os.environ["CHROMIUM_RESULT"] + ".error", "w") as file:
            file.write(repr(error))
        raise
