"""What every part of `run` uses: the rivals, the emulator, turns, and the list of targets."""

import contextlib
import json
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Rival:
    """Something that is measured: a command, and the environment it runs in."""

    def __init__(self, name, command, **environment):
        self.name, self.command, self.environment = name, command, environment


class Bench:
    def __init__(self, work, programs, against):
        self.work, self.targets, self.processes = work, [], []
        for name in list(os.environ):
            if name == "CI" or name.startswith("AUTHCTL_"):
                del os.environ[name]
        os.environ.update(HOME=f"{work}/home", BROWSER="curl -sS -o /dev/null -L", GH_TOKEN="not-a-real-token")
        os.mkdir(f"{work}/home")
        # As installed: without symbols.
        self.tools = {"authctl": f"{work}/authctl"}
        self.run("strip", "-o", f"{work}/authctl", f"{programs}/authctl")
        self.run("strip", "-o", f"{work}/authctl-emulator", f"{programs}/authctl-emulator")
        if against:
            path = f"{against}/authctl" if os.path.isdir(against) else against
            self.tools["before"] = f"{work}/before"
            self.run("strip", "-o", f"{work}/before", path)
        self.run("gcc", "-O2", "-static", "-o", f"{work}/spawn", f"{HERE}/spawn.c")

    def run(self, *command, **environment):
        """The standard output of a command that must work."""
        done = subprocess.run(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"bench: exit {done.returncode} from {' '.join(command)}\n{done.stderr}")
        return done.stdout

    def emulator(self, *flags):
        """Starts one, and returns its issuer."""
        process = subprocess.Popen([f"{self.work}/authctl-emulator", "--auto-approve", *flags], stdout=subprocess.PIPE, text=True)
        self.processes.append(process)
        return process.stdout.readline().strip()

    def signed_in(self, directory, issuer):
        """Each tool with a session at the issuer, in a directory of its own: their stores may differ."""
        rivals = []
        for name, tool in self.tools.items():
            place = {"AUTHCTL_CONFIG_DIR": f"{self.work}/{directory}-{name}"}
            self.run(tool, "providers", "add", "-q", "oidc.bench", "--issuer", issuer, "--client-id", "emulator-client", **place)
            self.run(tool, "signin", "-q", **place)
            rivals.append(Rival(name, [tool], **place))
        return rivals

    def measure(self, rivals, turns=20, runs=5, width=1, before=None):
        """Medians of each rival. They take turns: a machine with neighbours is faster now and slower then, for all.
        `before` is called with each rival before its turn."""
        rows = [[] for _ in rivals]
        for turn in range(turns + 1):
            for index, rival in enumerate(rivals):
                if before:
                    before(rival)
                text = self.run(f"{self.work}/spawn", str(runs if turn else 2), str(width), *rival.command, **rival.environment)
                if turn:  # the first warms up
                    rows[index] += [[int(word) for word in line.split()] for line in text.splitlines()]
        medians = [[statistics.median(column) for column in zip(*row)] for row in rows]
        return [dict(ms=m[0] / 1e6, mb=m[1] / 1024, minor=m[2], major=m[3]) for m in medians]

    def expire(self, rival):
        """Makes the access tokens of a store expire a second ago."""
        with contextlib.closing(sqlite3.connect(f"{rival.environment['AUTHCTL_CONFIG_DIR']}/authctl.db")) as store, store:
            store.execute("UPDATE session SET details = json_set(details, '$.tokens.expiresAt', unixepoch() - 1)")

    def target(self, what, figure, sign, bound):
        """Notes a figure with its target."""
        self.targets.append((what, figure, sign, bound, figure <= bound if sign == "<=" else figure >= bound))

    def close(self):
        for process in self.processes:
            # On SIGKILL, nginx would leave its worker behind.
            process.terminate()


def table(title, columns, rows):
    """Prints figures; None is one that is not to be had."""
    print(f"\n{title}")
    width = max(len(name) for name, _ in rows) + 2
    widths = [max(len(column), 9) + 2 for column in columns]
    print("  " + " " * width + "".join(column.rjust(w) for column, w in zip(columns, widths)))
    for name, values in rows:
        print("  " + name.ljust(width) + "".join(shown(value).rjust(w) for value, w in zip(values, widths)))


def shown(value):
    if value is None:
        return "-"
    return f"{value:.2f}" if value < 1000 and value != int(value) else f"{value:.0f}"


def start(bench, rival):
    """What the start of a program does: its relocations, libraries, files and system calls."""
    environment = {**os.environ, **rival.environment}
    said = subprocess.run(rival.command, env={**environment, "LD_DEBUG": "statistics"}, stdin=subprocess.DEVNULL, capture_output=True, text=True).stderr
    found = re.search(r"number of relocations: (\d+)", said)
    program = shutil.which(rival.command[0])
    facts = {"size": os.path.getsize(program) / 1e6, "looked up": int(found[1]) if found else None}
    listed = subprocess.run(["readelf", "-rW", program], capture_output=True, text=True).stdout
    facts["relative"] = listed.count("_RELATIV") + sum(int(n) for n in re.findall(r"^\s+(\d+) offsets", listed, re.M))
    facts.update({"calls": None, "libraries": None, "files": None})
    if shutil.which("strace"):
        trace = f"{bench.work}/trace"
        bench.run("strace", "-f", "-qq", "-o", trace, *rival.command, **rival.environment)
        lines = open(trace, errors="replace").read().splitlines()
        facts["calls"] = sum("(" in line for line in lines)
        opened = [m[1] for m in (re.search(r'open(?:at)?\(.*?"([^"]*)".* = \d+', line) for line in lines) if m]
        facts["libraries"] = [os.path.basename(name).split(".so")[0] for name in opened if ".so" in name and "ld.so" not in name]
        facts["files"] = [name for name in opened if ".so" not in name]
    return facts


def openssl_speed(name, cores):
    out = subprocess.run(["taskset", "-c", cores, "openssl", "speed", "-elapsed", "-seconds", "1", name], capture_output=True, text=True).stdout
    return float(out.split()[-1])


def crowd(count):
    """So many accounts, as `accounts import` reads them."""
    def account(n):
        return {
            "uid": f"bulk-{n:06d}", "email": f"user{n}@example.org", "emailVerified": True, "displayName": f"User {n}", "createdAt": "2026-01-01T00:00:00Z",
            "providerData": [{"providerId": p, "authority": f"https://{p}", "federatedId": str(n), "email": f"user{n}@example.org"} for p in ("google.com", "github.com")]}
    return json.dumps({"version": 1, "accounts": [account(n) for n in range(count)]})
