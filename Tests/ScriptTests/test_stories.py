"""Tests of the runner itself. `make test` runs them before the stories."""
import unittest

from documents import Document
from stories import parts

PAGE = """\
# Text
Text, and `code`.
```console
$ echo "it's" \\
    a b
it's …
$ make coffee
```
```yaml file=d/a.yaml
a: 1
```
```console
$ cat d/a.yaml
```
```bash
rm -rf /
```"""
SETUP = """\
== # Text
play github.com

== ```yaml file=d/a.yaml
story: Another one.
== $ cat d/a.yaml
types: Name: =ada | [Y/n]=y

== $ cat
==
the end

"""
BEGIN = '. "$ROOT/Tests/ScriptTests/documents.sh"\n'


class RunnerTests(unittest.TestCase):
    maxDiff = None

    def test_blocks_files_and_setup_of_a_document_become_stories(self):
        document = Document("README.md", PAGE, SETUP, ["make "])
        self.assertEqual([story.sentence for story in document.stories], [None, "Another one."])
        self.assertEqual(document.stories[0].script, BEGIN + """\
play github.com
shown 'README.md:4' 'echo "it'\\''s" \\
    a b' 'it'\\''s …'
answers=()
""")
        self.assertEqual(document.stories[1].script, BEGIN + """\
mkdir -p "$(dirname d/a.yaml)"; printf '%s\\n' 'a: 1' >d/a.yaml
answers=('Name: =ada' '[Y/n]=y')
shown 'README.md:13' 'cat d/a.yaml' ''
answers=()
the end
""")
        self.assertEqual(len(document.problems), 2)
        self.assertTrue(document.problems[0].startswith("README.md:15: "))
        self.assertEqual(document.problems[1], "README.md: there is no line '$ cat' for its setup")

    def test_parts_of_a_file_run_separately_after_its_first_lines(self):
        stories = list(parts("a.sh", "x=1\n#: One.\ny=2\n#: Two.\n# Runs on both directories.\nz=3\n"))
        self.assertEqual([story.name for story in stories], ["a.sh: One.", "a.sh: Two.", "a.sh: Two. [firebase]"])
        self.assertEqual(stories[0].script, "x=1\n#: One.\ny=2\n")
        self.assertEqual(stories[1].script, "x=1\n#: Two.\n# Runs on both directories.\nz=3\n")
        self.assertEqual([story.name for story in parts("b.sh", "true\n")], ["b.sh"])


if __name__ == "__main__":
    unittest.main()
