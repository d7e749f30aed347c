"""The commands of the test build, which SwiftPM writes to a file in its scratch directory."""
import json
import os
import sys

# The options about the module's output.
WITH_VALUE = {"-emit-module-path", "-emit-objc-header-path", "-output-file-map"}
WITHOUT_VALUE = {"-emit-module", "-emit-dependencies", "-emit-objc-header", "-parseable-output", "-serialize-diagnostics",
                 "-incremental"}


def command(scratch, part):
    """The words of the first command that contains this text."""
    with open(os.path.join(scratch, "release.yaml"), encoding="utf-8") as manifest:
        for line in manifest:
            if "args:" in line and part in line:
                return json.loads(line.split("args:", 1)[1])
    sys.exit(f"the tests are not built, or SwiftPM's build has no command with {part}")


def without(words, with_value, without_value):
    """The words without these options and their values."""
    words, kept = iter(words), []
    for word in words:
        if word in with_value:
            next(words)
        elif word not in without_value:
            kept.append(word)
    return kept


def compilation(scratch, module):
    """The words that compile a module, without the options about its output. The sources are a word with @."""
    return without(command(scratch, f'"-module-name","{module}","-emit-dependencies",'), WITH_VALUE, WITHOUT_VALUE)
