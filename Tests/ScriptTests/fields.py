"""Checks that the JSON output of a story has the fields and types that the OUTPUT sections of the manual document.

    fields.py MAN LOG

LOG has a record for each command with --json: its words, standard output, and the last line of standard error.
"""
import json
import os
import re
import sys

MAN, LOG = sys.argv[1:]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
PLAIN = {
    "string": lambda value: isinstance(value, str),
    "time": lambda value: isinstance(value, str) and TIME.fullmatch(value),
    "number": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
}


class Tables:
    """The tables of a page: rows of subcommands, field and type. All fields of a table in `optional` are optional."""

    def __init__(self, page):
        self.rows, self.optional = {}, set()
        table, subcommands = None, []
        with open(f"{MAN}/{page}.1") as file:
            for line in file:
                if line.startswith(".Sh "):
                    table = "" if line == ".Sh OUTPUT\n" else None
                elif table is None:
                    continue
                elif line.startswith(".Ss "):
                    table = line[4:].strip().removesuffix(", additional fields")
                elif "are optional:" in line:
                    self.optional.add(table)
                elif line.startswith(".It ") and " Ta" in line:
                    cells = [cell.strip() for cell in re.split(r" Ta\b", line[4:])]
                    if cells[1].startswith(("Cm ", "Em ")):
                        names = cells.pop(0).removeprefix("Cm ")
                        subcommands = names.split(" , ") if names else subcommands
                    self.rows.setdefault(table, []).append((subcommands, cells[0].removeprefix("Cm "), cells[1]))

    def type(self, table, kind):
        return kind + (", optional" if table in self.optional and "optional" not in kind else "")


pages = {}


def tables(page):
    if page not in pages:
        pages[page] = Tables(page)
    return pages[page]


def fields(page, table):
    """The fields of a table, and those of the table with the same name in authctl(1)."""
    found = {}
    for of in (tables("authctl"), tables(page)):
        found |= {field: of.type(table, kind) for _, field, kind in of.rows.get(table, [])}
    return found


def problems(value, kind, page, place):
    """Differences between this value and the type."""
    kind = kind.removesuffix(", optional")
    if kind.endswith(" or null"):
        if value is None:
            return
        kind = kind.removesuffix(" or null")
    if kind.startswith("list of "):
        if not isinstance(value, list):
            yield f"{place} is not a list"
            return
        for item in value:
            yield from problems(item, kind.removeprefix("list of "), page, place + "[]")
    elif kind in PLAIN:
        if not PLAIN[kind](value):
            yield f"{place} is not of the type {kind}: {json.dumps(value)[:60]}"
    else:
        yield from members(value, fields(page, kind), page, place)


def members(value, documented, page, place):
    if not documented or not isinstance(value, dict):
        yield f"{place or 'the output'}: no table of {page}(1) describes it"
        return
    for name, item in value.items():
        if name not in documented:
            yield f"{place}.{name} is not documented"
        else:
            yield from problems(item, documented[name], page, f"{place}.{name}")
    for name, kind in documented.items():
        if name not in value and "optional" not in kind:
            yield f"{place}.{name} is documented and missing"


def top(words, page):
    """The fields of the first table, for the subcommand in `words`: those of `set --vault` are not those of `set`."""
    if "--begin" in words:
        return fields(page, "Output of --begin")
    rows = tables(page).rows.get("", [])
    verbs = {name.split()[0] for names, _, _ in rows for name in names}
    verb = next((word for word in words if word in verbs), None)
    given = {verb, *(word for word in words if word.startswith("--"))}

    def match(names):
        return max((len(name.split()) for name in names if set(name.split()) <= given), default=0)

    best = max((match(names) for names, _, _ in rows), default=0)
    found = {field: tables(page).type("", kind) for names, field, kind in rows if match(names) == best}
    return fields(page, found["Em fields of"]) if "Em fields of" in found else found


LIKE = {"link": "signin", "reauth": "signin", "login": "signin", "logout": "signout"}
# These print what servers and tokens contain.
FREE = {"request", "exec", "verify"}
COMMANDS = {name[8:-2] for name in os.listdir(MAN) if name.startswith("authctl-")} | set(LIKE)
bad = False
with open(LOG) as file:
    for record in file.read().split("\x1e")[:-1]:
        text, output, error = record.split("\x1f")
        words = text.split()
        command = next((word for word in words if word in COMMANDS), None)
        page = "authctl-" + LIKE.get(command, command or "")
        found = []
        if output and command and command not in FREE and "--field" not in words:
            found += members(json.loads(output), top(words[words.index(command) + 1:], page), page, "")
        if error.startswith('{"error":'):
            found += members(json.loads(error)["error"], fields("authctl", "Error"), page, "error")
        for problem in found:
            bad = True
            print(f"FAILED: {text[:200]}: {problem}", file=sys.stderr)
sys.exit(bad)
