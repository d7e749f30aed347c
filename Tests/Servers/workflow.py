#!/usr/bin/env python3
"""The lines that a workflow runs: of each `run:` of GitHub Actions, and of each `script:` of GitLab CI, a script a step.

    workflow.py FILE      prints each step, with a line `--` between"""
import sys

import yaml

with open(sys.argv[1]) as file:
    document = yaml.safe_load(file)
jobs = document["jobs"].values() if "jobs" in document else [job for job in document.values() if isinstance(job, dict)]
steps = []
for job in jobs:
    steps += [step["run"].rstrip("\n") for step in job.get("steps", []) if "run" in step]
    steps += job.get("script", [])
print("\n--\n".join(steps))
