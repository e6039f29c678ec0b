#!/usr/bin/env python3
"""The HTML report, and the page of two runs side by side, in a real browser: they open without a network, their source tables sort, their
rooflines answer the pointer and have names, each says where it comes from, the verdict and the first advice are on the first
screen (1200 by 768), and neither is wider than a narrow window.

    report_browser.py WARPWISE SOURCE.cu OTHER.cu      exit code 77 (skipped) where there is no Chromium
"""
import base64, json, os, re, shutil, subprocess, sys, tempfile

warpwise, source, other = sys.argv[1:4]
browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if not browser:
    print("no Chromium here")
    sys.exit(77)

# Runs in the page, after its own script; what it finds replaces the page.
PROBE = """
<script>
const found = {};
try {
  const table = document.querySelector("table.lines"), column = n => [...table.tBodies[0].rows].map(r => +r.children[n].dataset.value);
  const rising = a => a.every((x, i) => i == 0 || a[i - 1] <= x), button = table.querySelectorAll("th button")[1];
  found.rows = column(0).length;
  found.hottest_first = rising(column(0).reverse());
  button.click();
  found.down = rising(column(1).reverse());
  button.click();
  found.up = rising(column(1));
  const tip = document.getElementById("tip"), over = (e, x, y) => e.dispatchEvent(new PointerEvent("pointermove", {clientX: x, clientY: y, bubbles: true}));
  const dot = document.querySelector("#roofline .dot"), box = dot.getBoundingClientRect();
  over(dot, box.x, box.y);
  found.kernel_tip = tip.style.visibility == "visible" ? tip.textContent : "";
  const roof = document.getElementById("roofline"), area = roof.getBoundingClientRect();
  over(roof, area.x + area.width / 2, area.y + area.height / 2);
  found.roof_tip = tip.textContent;
  const inside = e => { const b = e.getBoundingClientRect(); return b.top >= 0 && b.top < 768; };
  found.above_the_fold = inside(document.querySelector(".verdict .time")) && inside(document.querySelector("ol.advice li strong"));
  found.traced = /Warpwise [0-9.]+ · \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC · .*warpwise profile /.test(document.querySelector(".provenance").textContent);
  found.named_axes = /FLOP\\/s/.test(roof.textContent) && /FLOP per byte/.test(roof.textContent);
  found.labels = [...roof.querySelectorAll(".label")].map(e => e.textContent).join(", ");
  found.fits = document.documentElement.scrollWidth <= innerWidth;
} catch (e) { found.error = String(e); }
document.documentElement.innerHTML = "<body>" + btoa(unescape(encodeURIComponent(JSON.stringify(found)))) + "</body>";
</script>
"""

def page_of(folder, name, options):
    report, page = os.path.join(folder, name + ".html"), os.path.join(folder, name + "_probe.html")
    subprocess.run([warpwise, "profile", "-q", "--html", report, *options, source, "256"], check=True, stdout=subprocess.DEVNULL)
    text = open(report).read()
    assert not re.search(r"(src|href)=['\"]?https?:", text) and "@import" not in text, "the report asks the network for something"
    open(page, "w").write(text + PROBE)
    return page, text


with tempfile.TemporaryDirectory() as folder:
    single, _ = page_of(folder, "report", [])
    double, text = page_of(folder, "comparison", ["--vs", other])
    failures = [] if text.count("class=chart") == 2 and "It was " in text else ["the comparison does not have both sides and a reason"]
    for name, page in (("report", single), ("comparison", double)):
        for width in (1200, 400):
            out = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", f"--user-data-dir={folder}/profile",
                                  f"--window-size={width},1200", "--dump-dom", "file://" + page], capture_output=True, text=True, timeout=120).stdout
            found = json.loads(base64.b64decode(re.search(r"<body>([A-Za-z0-9+/=]+)", out).group(1)))
            print(name, width, found)
            ok = not found.get("error") and found["rows"] > 1 and all(found[k] for k in ("hottest_first", "down", "up", "fits", "traced", "named_axes"))
            ok = ok and "sgemm" in found["labels"] and (found["above_the_fold"] or width < 900)
            ok = ok and "limited by" in found["kernel_tip"] and "operations per byte" in found["roof_tip"]
            if not ok:
                failures.append((name, width))
print(failures)
sys.exit(1 if failures else 0)
