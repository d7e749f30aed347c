"""Documents as stories: every command in them is run.

    ```console           input after `$ `, and below it the output; `…` matches anything
    $ authctl signin
    ```
    ```yaml file=a.yaml  a file for the following commands

What only the test does is in a file beside the page, `docs/tools.setup` for `docs/tools.md`, in the page's order:

    == $ authctl signin  before this line of the page, or the block that begins with it; without a line, at the end
    story: A sentence.   begins another story, in a new directory
    types: Client ID: =Ov23li | [Y/n]=y
    play github.com      a script
"""
import re

from stories import ROOT, Story

# Commands that are not run here, by prefix, and why.
NOT_RUN = {
    "sudo apt install ./authctl_": "is run by `make check-image`, in a fresh Debian",
    "sudo dnf install ./authctl-": "is run there too, by Debian's dnf",
    "sha256sum --check": "is run there too, and by packages.sh",
    "ssh-keygen -Y verify": "is run by packages.sh, with a key of its own",
    "tar xf authctl-": "is run there too",
    "./authctl-": "is run there too",
    "sudo make install": "installs on the machine",
    "docker run": "needs Docker's daemon",
    "docker build": "needs Docker's daemon; `make check-image` runs the steps of the Dockerfile",
    "make ": "is what runs this test, or takes minutes",
}
# The allowed languages of blocks. Commands are only in `console` blocks, so that all of them are run.
LANGUAGES = {"console", "yaml", "json", "python", "swift", "text", "dockerfile"}


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


class Document:
    def __init__(self, path, text, setup="", not_run=tuple(NOT_RUN)):
        self.path, self.not_run = path, tuple(not_run)
        # An error in the document is a problem, with its line.
        self.stories, self.problems = [], []
        self.script, self.sentence, self.has_steps = [], None, False
        sections = [section.split("\n") for section in re.split(r"\n*(?:^|\n)== ?|\n+$", setup) if section]
        lines, number = text.split("\n"), 0
        while number < len(lines):
            line = lines[number]
            block = line.startswith("```")
            while sections and sections[0][0] and sections[0][0] in ([line] + (lines[number + 1:number + 2] if block else [])):
                self.prepare(sections.pop(0)[1:])
            number += 1
            if not block:
                continue
            start = number
            while number < len(lines) and lines[number] != "```":
                number += 1
            self.block(line[3:].split(), lines[start:number], start)
            number += 1
        for place, *section in sections:
            self.prepare(section)
            if place:
                self.problems.append(f"{path}: there is no line '{place}' for its setup")
        self.finish()

    def prepare(self, section):
        """The lines of one section of the setup."""
        for line in section:
            if line.startswith("story: "):
                self.finish()
                self.sentence = line[7:]
            elif line.startswith("types: "):
                self.script.append(f"answers=({' '.join(map(quoted, line[7:].split(' | ')))})")
            else:
                self.script.append(line)
                self.has_steps = True

    def finish(self):
        if self.has_steps:
            script = "\n".join(['. "$ROOT/Tests/ScriptTests/documents.sh"', *self.script, ""])
            self.stories.append(Story(self.path, self.sentence, script, own_network=True))
        self.script, self.sentence, self.has_steps = [], None, False

    def block(self, words, lines, start):
        """A block whose first line is below the line `start`."""
        if not words or words[0] not in LANGUAGES:
            self.problems.append(f"{self.path}:{start}: a block in no language of {sorted(LANGUAGES)}")
            return
        if words[0] == "console":
            self.type(lines, start)
        for word in words[1:]:
            if word.startswith("file="):
                file, text = word[5:], quoted("\n".join(lines))
                self.script.append(f"mkdir -p \"$(dirname {file})\"; printf '%s\\n' {text} >{file}")

    def type(self, lines, start):
        """The commands of a block, each with the output below it."""
        if not lines or not lines[0].startswith("$ "):
            self.problems.append(f"{self.path}:{start + 1}: a console block begins with what is typed, '$ …'")
            return
        number = 0
        while number < len(lines):
            place = f"{self.path}:{start + number + 1}"
            command = lines[number][2:]
            number += 1
            while command.endswith("\\") and number < len(lines):
                command += "\n" + lines[number]
                number += 1
            first = number
            while number < len(lines) and not lines[number].startswith("$ "):
                number += 1
            if command.startswith(self.not_run):
                continue
            self.has_steps = True
            self.script.append(f"shown {quoted(place)} {quoted(command)} {quoted(chr(10).join(lines[first:number]))}")
        self.script.append("answers=()")


def all_documents():
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        setup = path.with_suffix(".setup")
        yield Document(str(path.relative_to(ROOT)), path.read_text(), setup.read_text() if setup.exists() else "")
