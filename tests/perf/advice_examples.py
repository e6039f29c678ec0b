#!/usr/bin/env python3
"""Every rule of advice has a page with two programs: the rule must give its advice on the first and not on the second.

    advice_examples.py WARPWISE SOURCE_FOLDER [KEY...]

Also: the code on a page is that of its programs, what both programs print is the same, `warpwise explain` shows the page without
raw Markdown, and there is a page for each rule and no other.
"""
import json, os, re, subprocess, sys, tempfile

warpwise, root = sys.argv[1], sys.argv[2]
folder = os.path.join(root, "docs/advice")
rules = re.findall(r'^(?:PROGRAM_)?RULE\(\w+,\s+"([\w-]+)"', open(os.path.join(root, "src/perf/advice/rules.inc")).read(), re.M)
wanted = sys.argv[3:] or rules
failures, printed = [], {}


def fail(key, what):
    failures.append(key)
    print(f"{key}: {what}")


def advice_on(program):
    with tempfile.TemporaryDirectory() as out:
        file = os.path.join(out, "profile.json")
        run = subprocess.run([warpwise, "profile", "-q", "--json", file, program], capture_output=True, text=True)
        if run.returncode != 0:
            return None, run.stdout + run.stderr
        model = json.load(open(file))["model"]
        printed[program] = run.stdout
    found = {a["rule"]: a for a in model["advice"]}
    for kernel in model["kernels"]:
        found.update({a["rule"]: a for a in kernel.get("advice", [])})
    return found, [(k["kernel"], k.get("seconds"), k.get("limiter")) for k in model["kernels"]]


def check_page(key, sources):
    page = os.path.join(folder, key + ".md")
    if not os.path.exists(page):
        return fail(key, "has no page")
    blocks = re.findall(r"```cuda\n(.*?)```", open(page).read(), re.S)
    if len(blocks) != 2:
        return fail(key, "its page does not show a before and an after")
    for block, source in zip(blocks, sources):
        lines = {line.strip() for line in open(source)}
        for line in block.splitlines():
            if line.strip() and line.strip() not in lines:
                fail(key, f"its page has a line that is not in {os.path.basename(source)}: {line}")


def check_explained(key):
    run = subprocess.run([warpwise, "explain", key], capture_output=True, text=True)
    prose = [line for line in run.stdout.splitlines() if not line.startswith("    ")]
    if run.returncode != 0 or not prose:
        return fail(key, f"is not explained: {run.stderr}")
    for line in prose:
        if "**" in line or "](" in line or line.startswith("#") or len(line) > 80:
            fail(key, f"explain shows raw Markdown, or a line that does not fit: {line}")


for key in wanted:
    before, after = (os.path.join(folder, "examples", f"{key}_{which}.cu") for which in ("before", "after"))
    check_page(key, (before, after))
    check_explained(key)
    found, seen = advice_on(before)
    if found is None or key not in found:
        fail(key, f"is not given on its own example: {seen}; given: {sorted(found or [])}")
    found, seen = advice_on(after)
    if found is None or key in found:
        fail(key, f"is given on the improved example: {seen}" + (f", {found[key]['evidence']}, {found[key]['gain']:.2f}" if found else ""))
    if printed.get(before) != printed.get(after):
        fail(key, f"its examples print different results: {printed.get(before)!r}, {printed.get(after)!r}")

pages = {name[:-3] for name in os.listdir(folder) if name.endswith(".md") and name != "README.md"}
for page in pages ^ set(rules):
    fail(page, "is a page without a rule, or a rule without a page")
print(f"{len(wanted)} rules, {len(set(failures))} fail")
sys.exit(1 if failures else 0)
