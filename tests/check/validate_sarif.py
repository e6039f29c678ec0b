"""Holds SARIF reports of `warpwise check` against the schema of the standard.

    validate_sarif.py WARPWISE SOURCE...

Each source is checked three times: as it is, with all findings suppressed, and with all findings known from a baseline. The schema is
OASIS', and not ours to bring along: $SARIF_SCHEMA names a copy (sarif-2.1/schema/sarif-schema-2.1.0.json of github.com/oasis-tcs/sarif-spec).
Without one, or without python3-jsonschema, the test is skipped (exit code 77). What the standard demands of every result is also asked in
reports_test.cpp.
"""
import json
import os
import subprocess
import sys
import tempfile

SKIPPED = 77

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(SKIPPED)
if not os.path.exists(os.environ.get("SARIF_SCHEMA", "")):
    print("SARIF_SCHEMA names no file")
    sys.exit(SKIPPED)

warpwise, sources = sys.argv[1], sys.argv[2:]
with open(os.environ["SARIF_SCHEMA"], encoding="utf-8") as file:
    schema = json.load(file)
failed = False
with tempfile.TemporaryDirectory() as folder:
    report, baseline = os.path.join(folder, "report.sarif"), os.path.join(folder, "baseline.json")
    for source in sources:
        for options in (["--save-baseline=" + baseline], ["--suppress=*"], ["--new-only=" + baseline]):
            command = [warpwise, "check", "--with=numbers", "--sarif=" + report, *options, source]
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            with open(report, encoding="utf-8") as file:
                log = json.load(file)
            os.remove(report)
            if not log["runs"][0]["results"]:
                print(source, "has no findings: nothing is validated")
                failed = True
            validator = jsonschema.validators.validator_for(schema)(schema)
            for error in validator.iter_errors(log):
                print(f"{source}: {'/'.join(str(p) for p in error.absolute_path)}: {error.message[:300]}")
                failed = True
sys.exit(1 if failed else 0)
