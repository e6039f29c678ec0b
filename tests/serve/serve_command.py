#!/usr/bin/env python3
"""`warpwise serve` from outside: it is there in half a second, keeps its rules, answers about recordings what `warpwise view --json`
answers, records sources, judges as `warpwise lab submit` judges, survives the end of its processes, and ends without a trace.

    serve_command.py WARPWISE SOURCE_FOLDER      exit code 77 (skipped) where the page was not built
"""
import atexit, http.client, json, os, re, shutil, signal, subprocess, sys, tempfile, time

warpwise, source = sys.argv[1:3]
page = os.path.join(os.path.dirname(os.path.dirname(warpwise)), "share/warpwise/page/app.js.gz")
if not os.path.exists(page):
    print("SKIPPED: the page is not built here (npm is missing)")
    sys.exit(77)
planted = os.path.join(source, "tests/serve/planted.cu")


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Server:
    def __init__(self, *words, folder=None):
        begin = time.monotonic()
        self.process = subprocess.Popen([warpwise, "serve", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": folder or tempfile.gettempdir(), "XDG_DATA_HOME": os.path.join(folder or tempfile.gettempdir(), "..", "data")})
        atexit.register(self.process.kill)  # a test that fails leaves no server
        link = self.process.stdout.readline()
        self.seconds = time.monotonic() - begin
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{48})\n", link)
        assert found, (link, self.process.communicate()[1])
        self.port, self.token, self.cookie = int(found[1]), found[2], None
        status, headers, _ = self.ask("POST", "/api/session", {"token": self.token})
        assert status == 200, status
        self.cookie = headers["Set-Cookie"].split(";")[0]

    def ask(self, method, path, body=None, **changes):
        headers = {"Host": f"127.0.0.1:{self.port}", "Accept-Encoding": "gzip"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if method == "POST":
            headers |= {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        headers |= {name.replace("_", "-"): value for name, value in changes.items()}
        headers = {name: value for name, value in headers.items() if value is not None}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def get(self, path):
        status, _, body = self.ask("GET", path)
        assert status == 200, (path, status, body[:300])
        return json.loads(body)

    def children(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            return [int(child) for child in file.read().split()]

    def descendants(self):
        found, look = [], [self.process.pid]
        while look:
            pid = look.pop()
            try:
                with open(f"/proc/{pid}/task/{pid}/children") as file:
                    children = [int(child) for child in file.read().split()]
            except FileNotFoundError:
                continue
            found += children
            look += children
        return found

    def end(self):
        begin, children = time.monotonic(), self.descendants()
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=20)
        assert code == 0, (code, self.process.stderr.read())
        assert time.monotonic() - begin < 5, "^C took long"
        for _ in range(100):  # what is killed takes a moment to go
            left = [child for child in children if is_alive(child)]
            if not left:
                break
            time.sleep(0.02)
        assert not left, ("processes are left behind", left)


def view(recording, *options):
    return json.loads(subprocess.run([warpwise, "view", "--json", *options, recording], check=True, capture_output=True).stdout)


def compare(server, folder, name):
    """All answers about one recording; how many were compared."""
    recording, about = os.path.join(folder, name), lambda question, **q: server.get(f"/api/trace/{question}?file={name}" + "".join(f"&{k}={v}" for k, v in q.items()))
    summary = view(recording)
    profile = summary.pop("profile")
    served = about("summary")
    assert served.pop("profile") is None and served == summary, name
    assert about("profile") == profile, name
    pairs = [(about("lines"), view(recording, "--lines")), (about("sources"), view(recording, "--sources")), (about("overview", zoom=2), view(recording, "--overview=2"))]
    for warp, steps in enumerate(summary["warps"]):
        last = steps["first"] + steps["count"] - 1
        for step in {steps["first"], (steps["first"] + last) // 2, last}:
            pairs.append((about("step", warp=warp, step=step), view(recording, f"--warp={warp}", f"--step={step}")))
    for event in ("divergence", "conflict", "uncoalesced", "barrier", "atomic", "race", "finding"):
        pairs.append((about("next", event=event, warp=0, step=3), view(recording, f"--next={event}", "--warp=0", "--step=3")))
    for mine, theirs in pairs:
        assert mine == theirs, (name, mine, theirs)
    return len(pairs) + 2


def rules(server):
    """The rules hold for the whole server, and not only for the functions that state them."""
    expect = lambda wanted, *words, **changes: (lambda got: (_ for _ in ()).throw(AssertionError((wanted, got, words, changes))) if got != wanted else None)(server.ask(*words, **changes)[0])
    expect(200, "GET", "/")
    expect(200, "GET", "/api/files")
    expect(421, "GET", "/", Host="evil.example")
    expect(421, "GET", "/api/files", Host=f"evil.example:{server.port}")
    expect(401, "GET", "/api/files", Cookie=None)
    expect(401, "GET", "/api/files", Cookie=f"warpwise-{server.port}={'0' * 48}")
    expect(403, "POST", "/api/record?file=planted.cu", {}, Origin=None)
    expect(403, "POST", "/api/record?file=planted.cu", {}, Origin="http://evil.example")
    expect(403, "GET", "/api/files", Sec_Fetch_Site="cross-site")
    expect(431, "GET", "/", X_Long="a" * 20000)
    expect(413, "POST", "/api/session", {"token": "a" * 100000})
    expect(404, "GET", "/../../etc/passwd")
    expect(404, "GET", "/api/trace/summary?file=..%2f..%2fetc%2fpasswd")
    expect(404, "GET", "/api/trace/summary?file=link.wwt")
    expect(404, "GET", "/api/record?file=link.cu")


def record(server, name):
    server.ask("POST", f"/api/record?file={name}", {})
    for _ in range(600):
        progress = server.get(f"/api/record?file={name}")
        if progress["state"] != "recording":
            return progress
        time.sleep(0.1)
    raise AssertionError("the recording takes more than a minute")


MAP = 'extern "C" __global__ void map(float* out, const float* a) {\n  int i = threadIdx.x;\n  %s\n}\n'


def judged(server, text, kind="submit", **query):
    """A run of the page from its start to its end: its number, its events, its last answer."""
    words = "".join(f"&{name}={value}" for name, value in query.items())
    status, _, body = server.ask("POST", f"/api/lab/run?name=puzzles/map&kind={kind}&page=test{words}", {"text": text})
    assert status == 200, (status, body)
    run, events, at = json.loads(body)["run"], [], 0
    while True:
        news = server.get(f"/api/lab/run?run={run}&from={at}")
        events, at = events + news["events"], news["next"]
        if news["state"] not in ("waiting", "running"):
            return run, events, news


def the_lab(server, folder, home):
    """Verdicts are those of the command, to the word."""
    expect = lambda wanted, *words, **changes: (lambda got: (_ for _ in ()).throw(AssertionError((wanted, got, words[:2]))) if got != wanted else None)(server.ask(*words, **changes)[0])
    expect(401, "GET", "/api/lab", Cookie=None)
    expect(401, "POST", "/api/lab/run?name=puzzles/map&kind=submit&page=p", {"text": "x"}, Cookie=None)
    expect(403, "POST", "/api/lab/run?name=puzzles/map&kind=submit&page=p", {"text": "x"}, Origin=None)
    expect(403, "POST", "/api/lab/draft?name=puzzles/map", {"text": "x", "revision": 0}, Origin="http://evil.example")
    expect(421, "GET", "/api/lab", Host=f"evil.example:{server.port}")
    expect(404, "POST", "/api/lab/run?name=../problems/puzzles/map&kind=submit&page=p", {"text": "x"})
    expect(400, "POST", "/api/lab/run?name=puzzles/map&kind=submit&page=p", {"text": "x" * (1024 * 1024 + 1)})
    expect(413, "POST", "/api/lab/run?name=puzzles/map&kind=submit&page=p", {"text": "x" * (3 * 1024 * 1024)})
    assert server.get("/api/lab")["next"] == "puzzles/map"

    run, events, news = judged(server, MAP % "out[i] = a[i + 1] + 10;")
    judgement = events[-1]["judgement"]
    assert news["state"] == "done" and judgement["verdict"] == "out-of-bounds", news
    assert [event["case"] for event in events[:-1]] == [case["name"] for case in judgement["cases"]]
    file = os.path.join(folder, "map.cu")
    open(file, "w").write(MAP % "out[i] = a[i + 1] + 10;")
    command = subprocess.run([warpwise, "lab", "submit", "--json", "--no-record", f"--seed={judgement['seed']}", "map.cu"], cwd=folder, capture_output=True, text=True, env={**os.environ, "XDG_DATA_HOME": home})
    timeless = lambda told: {name: value for name, value in told.items() if name not in ("seconds", "compile_seconds", "cases", "refusal")}
    theirs = json.loads(command.stdout)
    os.remove(file)
    assert timeless(judgement) == timeless(theirs), (judgement, theirs)
    assert judgement["refusal"]["next"] == theirs["refusal"]["next"]
    problem = server.get("/api/lab/problem?name=puzzles/map")
    assert problem["attempts"][0]["verdict"] == "out-of-bounds" and problem["last"]["judgement"]["facts"] == judgement["facts"]

    # "See it": a recording of that case, which is read as any other.
    run, _, news = judged(server, MAP % "out[i] = a[i + 1] + 10;", "trace", seed=judgement["seed"])
    assert news["state"] == "done", news
    summary = server.get(f"/api/trace/summary?file=lab:{run}")
    assert summary["findings"]["list"][0]["code"] == "C0101" and summary["open"]["step"] == summary["findings"]["marks"][0]["step"], summary
    assert [os.path.basename(source["name"]) for source in server.get(f"/api/trace/sources?file=lab:{run}")["files"]] == ["map.cu"]
    assert server.ask("GET", f"/api/trace/summary?file=lab:{run + 1}")[0] == 409
    _, _, news = judged(server, "no C++", "trace")
    assert news["state"] == "failed" and "L0010" in news["said"], news

    # A submission that reads elsewhere, floods, or claims to be another file gets a verdict, and no more.
    for text, verdict in (('#include "/etc/passwd"\n' + MAP % "", "forbidden"), ('#line 1 "/etc/passwd"\n' + MAP % "out[i] = a[i + 1];", None), (MAP % 'for (int n = 0; n < 1000000; ++n) printf("%d aaaaaaaaaaaaaaaaaaaaaaa\\n", n);', None)):
        _, events, news = judged(server, text)
        assert news["state"] == "done" and verdict in (None, events[-1]["judgement"]["verdict"]), (text[:60], news)
        assert "root:" not in json.dumps(events)

    # The server ends in the middle of a judgement: nothing runs on, and no folder of the judge stays.
    status, _, body = server.ask("POST", "/api/lab/run?name=puzzles/map&kind=submit&page=test", {"text": MAP % "while (true) out[i] += 1;"})
    assert json.loads(body)["state"] == "running"
    temporary = os.path.join(home, "..", "temporary")
    for _ in range(500):
        if any(name.startswith("warpwise-lab-") for _, names, _ in os.walk(temporary) for name in names):
            break
        time.sleep(0.02)
    else:
        raise AssertionError("no folder of the judge")
    server.end()


IMAGE = "// size: 64 x 16\n__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame%s) {\n  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n  %s\n}\n"


def piece(server, text):
    """The run of a piece, and what its process says of it."""
    status, _, body = server.ask("POST", "/api/image/run?name=piece&page=test", {"text": text})
    assert status == 200, (status, body)
    run = json.loads(body)["run"]
    return run, server.get(f"/api/image/piece?run={run}")


def images(server):
    """Live images: their rules, a frame and its checks, and pieces that want more than a picture."""
    expect = lambda wanted, *words, **changes: (lambda got: (_ for _ in ()).throw(AssertionError((wanted, got, words[:2], changes))) if got != wanted else None)(server.ask(*words, **changes)[0])
    run, about = piece(server, IMAGE % (", int* sum", "out[y * w + x] = make_uchar4(x, y, ++sum[y * w + x], mouse.x);"))
    assert about["compiled"] and (about["width"], about["height"], about["kernels"], about["arrays"]) == (64, 16, ["image"], [{"name": "sum", "bytes": 4}]), about
    moment = "time=1.5&x=9&y=3&frame=0"
    for wanted, changes in ((401, {"Cookie": None}), (421, {"Host": "evil.example"}), (403, {"Sec_Fetch_Site": "cross-site"})):
        expect(wanted, "GET", f"/api/image/frame?run={run}&{moment}", **changes)
        expect(wanted, "GET", "/api/images", **changes)
    for path in (f"run?name=piece&page=p", f"check?run={run}&{moment}", f"see?run={run}&{moment}&px=1&py=1"):
        expect(403, "POST", "/api/image/" + path, {"text": "x"}, Origin=None)
        expect(401, "POST", "/api/image/" + path, {"text": "x"}, Cookie=None)
        expect(404 if "run=" in path else 400, "GET", "/api/image/" + path)
    expect(403, "POST", "/api/images/draft?name=life", {"text": "x", "revision": 0}, Origin="http://evil.example")
    expect(404, "POST", "/api/images/draft?name=../images/life", {"text": "x", "revision": 0})
    for name in ("", "../x", "a/b", "x.cu", "x" * 65):
        expect(400, "POST", f"/api/image/run?name={name}&page=p", {"text": "x"})
    expect(413, "POST", "/api/image/run?name=piece&page=p", {"text": "x" * 100000})
    expect(410, "GET", f"/api/image/frame?run={run + 1000}&{moment}")
    expect(400, "GET", f"/api/image/frame?run={run}&time=nan&x=0&y=0&frame=0")

    for frame in (1, 2):
        status, headers, body = server.ask("GET", f"/api/image/frame?run={run}&{moment}")
        assert status == 200 and headers["Content-Type"] == "application/octet-stream" and body[:4] == b"WWIM" and len(body) == 16 + 64 * 16 * 4, (status, body[:200])
        assert body[16 + 4 * (5 * 64 + 7):][:4] == bytes((7, 5, frame, 255))
    status, _, body = server.ask("POST", f"/api/image/check?run={run}&state=1&x=9&y=3", {})
    checked = json.loads(body)
    assert status == 200 and checked["findings"] == [] and checked["pixels"] == [] and checked["frame"] == 1, checked
    status, _, body = server.ask("POST", f"/api/image/see?run={run}&state=1&x=9&y=3&px=40&py=9", {})
    seen = json.loads(body)
    assert status == 200 and (seen["block"], seen["thread"], seen["warp"]) == ([1, 1, 0], [8, 1, 0], 1), seen
    step = server.get(f"/api/trace/step?file=image:{seen['recording']}&warp=1&step={seen['step']}")
    assert step["site"]["kind"] == "store", step
    expect(409, "GET", f"/api/trace/summary?file=image:{seen['recording'] + 1}")

    # A race, found by the check and seen by its number.
    run, _ = piece(server, IMAGE % ("", "out[y * w] = make_uchar4(x, 0, 0, 0);"))
    checked = json.loads(server.ask("POST", f"/api/image/check?run={run}", {})[2])
    assert checked["findings"][0]["code"].startswith("C02") and [0, 1] in checked["pixels"], checked
    seen = json.loads(server.ask("POST", f"/api/image/see?run={run}&finding=0", {})[2])
    assert server.get(f"/api/trace/summary?file=image:{seen['recording']}")["findings"]["marks"], seen

    # What reads elsewhere, never ends, or goes astray gets an answer, and the server others.
    for text, code in (('#include "/etc/passwd"\n' + IMAGE % ("", ""), "I0007"), (IMAGE % (", Thing* t", ""), "I0007"), (IMAGE % (", int n", ""), "I0002"), ("// size: 9999 x 1\n" + IMAGE % ("", ""), "I0003"), (IMAGE % ("", "while (w) atomicAdd((int*)out, 1);"), "I0004"), (IMAGE % ("", "*(volatile int*)(8 * x) = 1;"), "I0004")):
        run, about = piece(server, text)
        assert "root:" not in json.dumps(about)
        status, _, body = server.ask("GET", f"/api/image/frame?run={run}&{moment}")
        assert status == 422 and json.loads(body)["error"]["code"] == code, (text[:80], status, body[:300], about)
    pieces = server.get("/api/images")["pieces"]
    assert len(pieces) == 10 and all(one["title"] and one["draft"] is None for one in pieces), [one["name"] for one in pieces]
    status, _, body = server.ask("POST", "/api/images/draft?name=life", {"text": "mine", "revision": 0})
    assert status == 200 and server.get("/api/images")["pieces"][5]["draft"] == {"text": "mine", "revision": 1}
    expect(409, "POST", "/api/images/draft?name=life", {"text": "theirs", "revision": 0})


def diagnoses(server):
    """What the compiler says of a text while it is typed."""
    ask = lambda text, name="puzzles/map": server.ask("POST", f"/api/lab/diagnose?name={name}&page=test", {"text": text})
    status, _, body = ask(MAP % "out[i] = missing;")
    assert status == 200 and json.loads(body)["messages"].startswith("map.cu:3:12: error: use of undeclared identifier 'missing'"), body
    status, _, body = ask(MAP % "out[i] = a[i];")
    assert status == 200 and json.loads(body)["messages"] == "", body
    status, _, body = ask('#include "/etc/passwd"\n' + MAP % "")
    assert status == 200 and "root:" not in body.decode() and "passwd" in body.decode(), body
    assert ask("x", "puzzles/none")[0] == 404
    assert server.ask("POST", "/api/lab/diagnose?name=puzzles/map&page=test", {"text": "x"}, Origin=None)[0] == 403


with tempfile.TemporaryDirectory() as everything:
    folder, temporary = os.path.join(everything, "shown"), os.path.join(everything, "temporary")
    os.mkdir(folder), os.mkdir(temporary)
    traced = [("race.wwt", [planted]), ("conflict.wwt", ["--kernel=conflict", "--block=1", planted]), ("divergence.wwt", ["--kernel=divergence", "--steps=300", "--from=9", "--no-check", planted])]
    traced += [(f"{name}.wwt", ["--no-check", os.path.join(source, f"examples/{name}.cu")]) for name in ("transpose", "reduction", "histogram")]
    for name, words in traced:
        subprocess.run([warpwise, "trace", "-q", "--compiler=clang", "-o", os.path.join(folder, name), *words], stdout=subprocess.DEVNULL, check=True)
    shutil.copy(planted, folder)
    open(os.path.join(folder, "wrong.cu"), "w").write("__global__ void k() { undeclared = 1; }\nint main() {}\n")
    open(os.path.join(folder, "broken.wwt"), "w").write("no recording at all, but long enough to be one")
    os.symlink("/etc/passwd", os.path.join(folder, "link.wwt"))
    os.symlink("/etc/passwd", os.path.join(folder, "link.cu"))

    server = Server(folder, folder=temporary)
    print(f"the link after {server.seconds:.2f} s")
    assert server.seconds < 0.5 * (10 if "asan" in warpwise else 1) or os.getloadavg()[0] > os.cpu_count(), f"{server.seconds} s"
    files = {file["name"]: file for file in server.get("/api/files")["files"]}
    assert sorted(files) == sorted([name for name, _ in traced] + ["planted.cu", "wrong.cu", "broken.wwt"]), sorted(files)
    rules(server)
    print("answers compared:", sum(compare(server, folder, name) for name, _ in traced))
    status, _, body = server.ask("GET", "/api/trace/summary?file=broken.wwt")
    assert status == 422 and json.loads(body)["error"]["code"] == "V0001", body

    # Its reader dies: that question is lost, and the next one has an answer.
    before = server.get("/api/trace/summary?file=race.wwt")
    for child in server.children():
        os.kill(child, signal.SIGKILL)
    answers = [server.ask("GET", "/api/trace/summary?file=race.wwt")[0] for _ in range(2)]
    assert answers[1] == 200 and answers[0] in (200, 502), answers
    assert server.get("/api/trace/summary?file=race.wwt") == before

    # Sources: nothing is recorded before someone asks; then there is a recording, or the reason why there is none.
    assert server.ask("GET", "/api/trace/summary?file=planted.cu")[0] == 409
    progress = record(server, "planted.cu")
    assert progress["state"] == "ready" and "done" in progress["said"], progress
    assert server.get("/api/trace/summary?file=planted.cu")["findings"]["list"][0]["code"].startswith("C02")
    # Its profile is a document that may reach nothing, in no one's origin.
    assert server.ask("GET", "/api/report?file=planted.cu")[0] == 409
    server.ask("POST", "/api/profile?file=planted.cu", {})
    while server.get("/api/profile?file=planted.cu")["state"] == "recording":
        time.sleep(0.1)
    status, headers, body = server.ask("GET", "/api/report?file=planted.cu")
    policy = headers["Content-Security-Policy"]
    assert status == 200 and b"uncoalesced" in body and policy.startswith("sandbox allow-scripts; default-src 'none'") and "same-origin" not in policy, (status, policy)
    assert headers.get_all("Content-Security-Policy") == [policy]
    progress = record(server, "wrong.cu")
    assert progress["state"] == "failed" and "undeclared" in progress["said"], progress
    server.end()
    assert os.listdir(temporary) == [], os.listdir(temporary)

    # One source with words for `trace`, and a port.
    one = Server("--port=0", planted, "--kernel=uncoalesced", "--no-check", folder=temporary)
    assert one.get("/api/files")["open"] == "planted.cu"
    record(one, "planted.cu")
    assert one.get("/api/trace/summary?file=planted.cu")["kernel"].startswith("uncoalesced")
    taken = subprocess.run([warpwise, "serve", f"--port={one.port}", folder], capture_output=True, text=True)
    assert taken.returncode == 1 and "W0002" in taken.stderr, taken
    one.end()
    for words, code in ((["nothing.wwt"], "U0001"), ([source + "/README.md"], "U0009")):
        refused = subprocess.run([warpwise, "serve", *words], capture_output=True, text=True)
        assert refused.returncode == 1 and code in refused.stderr, refused

    lab = Server(folder, folder=temporary)
    assert lab.get("/api/files")["lab"] and lab.get("/api/files")["images"]
    images(lab)
    diagnoses(lab)
    the_lab(lab, everything, os.path.join(temporary, "..", "data"))
    assert os.listdir(temporary) == [], os.listdir(temporary)
print("PASSED")
