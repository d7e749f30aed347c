#!/usr/bin/env python3
"""Prints the scripts of a workflow: each `run:` of GitHub Actions or of one of its actions, and each `script:` of GitLab CI.

    workflow.py FILE      prints the steps, separated by lines `--`"""
import sys

import yaml

with open(sys.argv[1]) as file:
    document = yaml.safe_load(file)
if "runs" in document:
    jobs = [document["runs"]]
else:
    jobs = document["jobs"].values() if "jobs" in document else [job for job in document.values() if isinstance(job, dict)]
steps = []
for job in jobs:
    steps += [step["run"].rstrip("\n") for step in job.get("steps", []) if "run" in step]
    steps += job.get("script", [])
print("\n--\n".join(steps))
