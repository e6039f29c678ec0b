"""What the scripts of outside suites share: they run one program under `warpwise check` and compare the verdict with the suite's.

A verdict is the list of a program's findings, each a code and its severity. It is None if the program did not end in time or does not compile.
Guilty means at least one error; a warning (a leak, a race of equal values) does not count.
"""
import argparse, json, subprocess


def arguments(description, suite):
    """The options of every script: the suite's checkout, the program, which of its programs, how long for each."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", help=f"a checkout of {suite}")
    parser.add_argument("warpwise")
    parser.add_argument("--only", default="", help="those with this in their names")
    parser.add_argument("--seconds", type=int, default=120, help="for each")
    parser.add_argument("--json", help="a file for all verdicts")
    return parser


def check(options, words, **how):
    """The findings of `warpwise check WORDS` in the order of their codes, as (code, severity, file, line); None: no verdict. The program's own output,
    which goes to standard error, is dropped."""
    try:
        done = subprocess.run([options.warpwise, "check", "--json", *words], capture_output=True, text=True, errors="replace", timeout=options.seconds, **how)
        return sorted({(f["code"], f["severity"], f.get("file", ""), f.get("line", 0)) for f in json.loads(done.stdout)["findings"]})
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return None


def errors(findings):
    return sorted({code for code, severity, *_ in findings or [] if severity == "error"})


def codes(findings):
    return sorted({code for code, *_ in findings or []})


def save(options, verdicts):
    if options.json:
        with open(options.json, "w") as out:
            json.dump(verdicts, out, indent=1)
