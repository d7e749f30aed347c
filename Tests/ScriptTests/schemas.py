"""Checks the JSON output of a story against the schemas that `authctl schema` prints."""
import json
import re
import subprocess

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
TYPES = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "null": lambda value: value is None,
}
KEYWORDS = {"type", "format", "properties", "required", "items", "anyOf", "$ref", "$defs", "$schema", "title", "description"}


def problems(value, schema, root, place):
    """Returns the differences between the value and the schema."""
    unknown = schema.keys() - KEYWORDS
    if unknown:
        yield f"the schema of {place} has {unknown}, which schemas.py does not know"
    if "$ref" in schema:
        yield from problems(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, place)
    if "anyOf" in schema:
        found = [list(problems(value, one, root, place)) for one in schema["anyOf"]]
        yield from min(found, key=len)
    types = schema.get("type", [])
    types = types if isinstance(types, list) else [types]
    if types and not any(TYPES[type](value) for type in types):
        yield f"{place} is not of the type {' or '.join(types)}: {json.dumps(value)[:60]}"
    elif schema.get("format") == "date-time" and value is not None and not TIME.fullmatch(value):
        yield f"{place} is not a time: {value[:60]}"
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from problems(item, schema.get("items", {}), root, f"{place}.{number}")
    elif isinstance(value, dict) and "properties" in schema:
        for name in schema["required"]:
            if name not in value:
                yield f"{place}.{name} is missing"
        for name, item in value.items():
            if name in schema["properties"]:
                yield from problems(item, schema["properties"][name], root, f"{place}.{name}")
            else:
                yield f"{place}.{name} is not in the schema"


ALIASES = {"login": "signin", "logout": "signout"}
# Servers or the protocols of other tools define the output of these commands.
FREE = {"request", "exec", "git", "docker", "kubectl", "aws", "mcp", "netrc"}


class Schemas:
    def __init__(self, authctl):
        self.authctl, self.known = authctl, {}
        self.commands = set(self.run("schema").rstrip("\n").split("\n")) - {"error"}

    def run(self, *words):
        # Does not use a story's environment or configuration.
        return subprocess.run(
            [self.authctl, *words], stdout=subprocess.PIPE, encoding="utf-8", env={"HOME": "/nonexistent"}, check=True).stdout

    def schema(self, name):
        if name not in self.known:
            self.known[name] = json.loads(self.run("schema", *name.split()))
        return self.known[name]

    def named(self, words):
        """Returns the command of a command line if its output has a schema."""
        group = ""
        for word in words:
            word = ALIASES.get(word, word)
            if f"{group} {word}".strip() in self.commands:
                return f"{group} {word}".strip()
            if word in FREE:
                return None
            if not group and any(command.startswith(word + " ") for command in self.commands):
                group = word

    @staticmethod
    def outputs(words, command, text):
        """The values that the command printed, if its schema describes them."""
        if not text or not command or "--field" in words:
            return []
        if command == "verify":
            return [json.loads(line) for line in text.split("\n")] if "-" in words and "--introspect" not in words else []
        # The output of `schema` is itself a schema, which has no schema here.
        return [] if command == "schema" and words[-2:] != ["schema", "--json"] else [json.loads(text)]

    def problems(self, log):
        """The differences in a story's log, which has a record for each command: its words, standard output, and the last line
        of standard error. A field that the schema does not name is one."""
        for record in log.split("\x1e")[:-1]:
            text, output, error = record.split("\x1f")
            words = text.split()
            command = self.named(words)
            values = [(command, value) for value in self.outputs(words, command, output)]
            if error.startswith('{"error":'):
                values.append(("error", json.loads(error)))
            for name, value in values:
                root = self.schema(name)
                for problem in problems(value, root, root, "" if name == "error" else name):
                    yield f"{text[:200]}: {problem}"
