#!/usr/bin/env python3
"""Runs a command and prints {"seconds", "peak_kb", "code"} as JSON: wall time and peak resident memory of the process."""
import json, os, resource, subprocess, sys, time

started = time.monotonic()
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
seconds = time.monotonic() - started
print(json.dumps({"seconds": seconds, "peak_kb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, "code": code}))
