#!/usr/bin/env python3
"""`warpwise serve --class` from outside: joining, equal verdicts judged once, what students cannot reach, attacks, the console, what
is handed in, and that a server that starts again has lost nothing.

    class_command.py WARPWISE      exit code 77 (skipped) where the page was not built
"""
import atexit, csv, http.client, json, os, random, re, shutil, signal, socket, subprocess, sys, tempfile, threading, time

warpwise = sys.argv[1]
if not os.path.exists(os.path.join(os.path.dirname(os.path.dirname(warpwise)), "share/warpwise/page/app.js.gz")):
    print("SKIPPED: the page is not built here (npm is missing)")
    sys.exit(77)
MAP = 'extern "C" __global__ void map(float* out, const float* a) {\n  int i = threadIdx.x;\n  %s\n}\n'


class Browser:
    """One browser, of the teacher or of a student: a port and the cookies that it was given."""

    def __init__(self, port, host="127.0.0.1"):
        self.port, self.host, self.cookie = port, host, None

    def ask(self, method, path, body=None, **changes):
        headers = {"Host": f"{self.host}:{self.port}", "Cookie": self.cookie, "Accept-Encoding": "gzip"}
        if method == "POST":
            headers |= {"Origin": f"http://{self.host}:{self.port}", "Content-Type": "application/json"}
        headers |= {name.replace("_", "-"): value for name, value in changes.items()}
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        connection.request(method, path, json.dumps(body) if body is not None else None, {name: value for name, value in headers.items() if value is not None})
        answer = connection.getresponse()
        if answer.headers["Set-Cookie"]:
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]
        return answer.status, answer.read()

    def expect(self, wanted, *words, code=None, **changes):
        status, body = self.ask(*words, **changes)
        assert status == wanted, (wanted, status, words, changes, body[:300])
        assert code is None or json.loads(body)["error"]["code"] == code, (code, body)
        return json.loads(body) if status == 200 and body.startswith(b"{") else None

    def join(self, code, nickname, **more):
        return self.expect(200, "POST", "/api/class/join", {"code": code, "nickname": nickname, **more})

    def submit(self, text, kind="submit", problem="puzzles/map", **query):
        words = "".join(f"&{name}={value}" for name, value in query.items())
        return self.expect(200, "POST", f"/api/lab/run?name={problem}&kind={kind}&page=test{words}", {"text": text})["run"]

    def follow(self, run):
        events, at = [], 0
        while True:
            news = self.expect(200, "GET", f"/api/lab/run?run={run}&from={at}")
            events, at = events + news["events"], news["next"]
            if news["state"] not in ("waiting", "running"):
                return news["state"], events, news

    def judged(self, text, **more):
        state, events, news = self.follow(self.submit(text, **more))
        assert state == "done", news
        return events[-1]["judgement"]


def free_port(address):
    """A port that a server can have again when it starts again: none that the system hands to other programs in between."""
    first = int(open("/proc/sys/net/ipv4/ip_local_port_range").read().split()[0])
    for port in random.SystemRandom().sample(range(1024, first), 200):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
                return port
            except OSError:
                continue
    raise AssertionError(f"200 ports of {address} below {first} are taken")


class Server:
    def __init__(self, folder, *words, port=0):
        self.process = subprocess.Popen([warpwise, "serve", "--class=cs101", f"--class-port={port}", *words], cwd=folder, stdout=subprocess.PIPE, text=True, env={**os.environ, "XDG_DATA_HOME": os.path.join(folder, "data")})
        atexit.register(self.process.kill)  # a test that fails leaves no server
        own = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{48})\n", self.process.stdout.readline())
        said = re.fullmatch(r"http://([\d.]+):(\d+)  code ([A-Z2-9]{6})\n", self.process.stdout.readline())
        self.host, self.port, self.code = said[1], int(said[2]), said[3]
        self.teacher = Browser(int(own[1]))
        self.teacher.expect(200, "POST", "/api/session", {"token": own[2]})

    def student(self, nickname=None, **more):
        browser = Browser(self.port, self.host)
        if nickname:
            browser.join(self.code, nickname, **more)
        return browser

    def end(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(timeout=20) == 0


def joining(server):
    newcomer = server.student()
    newcomer.expect(200, "GET", "/")
    newcomer.expect(401, "GET", "/api/files", code="W0010")
    newcomer.expect(401, "POST", "/api/lab/run?name=puzzles/map&kind=submit&page=p", {"text": "x"}, code="W0010")
    newcomer.expect(403, "POST", "/api/class/join", {"code": "AAAAAA", "nickname": "eve"}, code="W0011")
    for nickname in ("", "../../etc", "=1+1", "a/b", ".hidden", "a\u202eb", "x" * 25, "two  spaces"):
        newcomer.expect(403, "POST", "/api/class/join", {"code": server.code, "nickname": nickname}, code="W0011")
    newcomer.expect(400, "POST", "/api/class/join", {"code": 5, "nickname": "eve"})
    newcomer.expect(400, "POST", "/api/class/join", [])
    ada = server.student("ada")
    me = ada.expect(200, "GET", "/api/files")
    assert me["class"]["nickname"] == "ada" and me["files"] == [] and not me["images"], me
    newcomer.expect(403, "POST", "/api/class/join", {"code": server.code, "nickname": "Ada"}, code="W0011")
    again = server.student("ADA", return_code=me["class"]["return_code"].lower())
    assert again.expect(200, "GET", "/api/files")["class"]["nickname"] == "ada" and again.cookie != ada.cookie
    ada.expect(200, "GET", "/api/files")
    server.student().join(f" {server.code[:3].lower()} {server.code[3:]} ", "Zoë Ó")
    # Guesses at a nickname's own code end after a few.
    for _ in range(5):
        newcomer.expect(403, "POST", "/api/class/join", {"code": server.code, "nickname": "zoë Ó", "return_code": "AAAAAA"})
    assert "minute" in json.loads(newcomer.ask("POST", "/api/class/join", {"code": server.code, "nickname": "zoë Ó", "return_code": "AAAAAA"})[1])["error"]["message"]
    return ada


def attacks(server, ada):
    """Requests that a page of another site, or another machine, would send."""
    ada.expect(421, "GET", "/", Host="evil.example")  # DNS rebinding
    ada.expect(421, "GET", "/api/lab", Host=f"evil.example:{server.port}")
    ada.expect(421, "GET", "/api/lab", Host=f"{server.host}:{server.teacher.port}")
    ada.expect(403, "POST", "/api/lab/run?name=puzzles/map&kind=submit&page=p", {"text": "x"}, Origin=None)
    ada.expect(403, "POST", "/api/lab/run?name=puzzles/map&kind=submit&page=p", {"text": "x"}, Origin="http://evil.example")
    ada.expect(403, "POST", "/api/class/join", {"code": server.code, "nickname": "eve"}, Origin="null")
    ada.expect(403, "GET", "/api/lab", Sec_Fetch_Site="cross-site")
    ada.expect(415, "POST", "/api/class/join", {"code": server.code, "nickname": "eve"}, Content_Type="text/plain")
    ada.expect(431, "GET", "/", X_Long="a" * 20000)
    ada.expect(413, "POST", "/api/class/join", {"code": "a" * 100000})
    ada.expect(413, "POST", "/api/lab/run?name=puzzles/map&kind=submit&page=p", {"text": "x" * (3 << 20)})
    # What is the teacher's, or another part of the page, is not there.
    for method, path in (("GET", "/api/class"), ("POST", "/api/class/export"), ("POST", "/api/session"), ("GET", "/api/trace/summary?file=own.wwt"), ("POST", "/api/record?file=own.cu"), ("GET", "/api/record?file=own.cu"), ("POST", "/api/profile?file=own.cu"), ("GET", "/api/report?file=own.cu"), ("GET", "/api/images"), ("POST", "/api/image/run?name=piece&page=p"), ("GET", "/api/trace/summary?file=image:1"), ("GET", "/../../etc/passwd"), ("POST", "/")):
        ada.expect(404, method, path, {"text": "x", "token": "x"} if method == "POST" else None)
    # A student's cookie opens no door of the teacher's, and the other way round.
    other_browser = Browser(server.teacher.port)
    other_browser.cookie = ada.cookie
    other_browser.expect(401, "GET", "/api/class", code="W0004")
    other_browser.cookie = ada.cookie.replace("-class", "").replace(str(server.port), str(server.teacher.port))
    other_browser.expect(401, "GET", "/api/class", code="W0004")
    outsider = server.student()
    outsider.cookie = server.teacher.cookie
    outsider.expect(401, "GET", "/api/lab", code="W0010")
    # The teacher's port is not on the network.
    if server.host != "127.0.0.1":
        try:
            socket.create_connection((server.host, server.teacher.port), timeout=2).close()
            raise AssertionError("the teacher's page can be reached from the network")
        except OSError:
            pass
    # Slow clients hold no door shut: many connections that never send a whole request, and a student who works.
    slow = [socket.create_connection((server.host, server.port)) for _ in range(100)]
    for one in slow:
        one.send(b"GET / HTTP/1.1\r\n")
    ada.expect(200, "GET", "/api/lab")
    for one in slow:
        one.close()


def works(server, ada):
    """Verdicts, in the student's own progress; equal submissions; no student reads another's work."""
    bob = server.student("bob")
    wrong, right = MAP % "out[i] = a[i + 1] + 10;", MAP % "out[i] = a[i] + 10;"
    first = ada.judged(wrong)
    assert first["verdict"] == "out-of-bounds", first
    begin = time.monotonic()
    second = bob.judged(wrong)
    assert (second["seed"], second["seconds"]) == (first["seed"], first["seconds"]), "judged once"
    assert time.monotonic() - begin < 30
    attempts = lambda browser: browser.expect(200, "GET", "/api/lab/problem?name=puzzles/map")["attempts"]
    assert [one["verdict"] for one in attempts(ada)] == ["out-of-bounds"] == [one["verdict"] for one in attempts(bob)]
    ada.expect(200, "POST", "/api/lab/draft?name=puzzles/map", {"text": "ada's secret", "revision": 0})
    assert bob.expect(200, "GET", "/api/lab/problem?name=puzzles/map")["draft"] is None
    assert ada.judged(right)["verdict"] == "accepted"
    assert ada.expect(200, "GET", "/api/lab")["solved"] == 1 and bob.expect(200, "GET", "/api/lab")["solved"] == 0

    run = ada.submit(wrong, "trace", seed=first["seed"])
    assert ada.follow(run)[0] == "done"
    assert ada.expect(200, "GET", f"/api/trace/summary?file=lab:{run}")["findings"]["list"][0]["code"] == "C0101"
    for other in (bob, server.teacher):
        other.expect(404, "GET", f"/api/lab/run?run={run}")
        other.expect(404, "POST", f"/api/lab/stop?run={run}", {})
        other.expect(409, "GET", f"/api/trace/summary?file=lab:{run}", code="W0006")
    # Attempts have numbers of their own in each student's database: ada's second is none of bob's.
    assert ada.expect(200, "GET", "/api/lab/attempt?id=2")["source"] == right
    bob.expect(404, "GET", "/api/lab/attempt?id=2")
    # The sandbox: other files, floods of output, links left behind.
    assert bob.judged('#include "/etc/passwd"\n' + MAP % "")["verdict"] == "forbidden"
    assert bob.judged(MAP % 'for (int n = 0; n < 1000000; ++n) printf("%d aaaaaaaaaaaaaaaaaaaaaaa\\n", n);')["verdict"] != "accepted"
    link = '#include <unistd.h>\n#include <fstream>\nextern "C" void solve(const float* a, float* out, int n) {\n  symlink("/etc/passwd", "left.txt");\n  std::ofstream("stolen") << std::ifstream("/etc/passwd").rdbuf();\n}\n'
    told = json.dumps(bob.judged(link, problem="puzzles/map"))
    assert "root:" not in told
    return bob


def types(server, students):
    """The compiler's words while all of them type: no text is lost when it waits for another's."""
    said = []

    def diagnose(browser, name):
        said.append(browser.ask("POST", "/api/lab/diagnose?name=puzzles/map&page=p", {"text": MAP % f"{name};"}))

    threads = [threading.Thread(target=diagnose, args=(browser, f"name_{n}")) for n, browser in enumerate(students)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [status for status, _ in said] == [200] * len(students), said
    assert {name for _, body in said for name in re.findall(r"'(name_\d)'", json.loads(body)["messages"])} == {f"name_{n}" for n in range(len(students))}, said


def console(server, folder):
    board = server.teacher.expect(200, "GET", "/api/class")
    rows = {row["nickname"]: row for row in board["students"]}
    assert board["code"] == server.code and set(rows) == {"ada", "Zoë Ó", "bob", "cleo"}, board
    assert rows["ada"]["solved"] == 1 and rows["ada"]["problem"] == "puzzles/map" and rows["ada"]["attempts"] == 2, rows
    assert {"problem": "puzzles/map", "verdict": rows["bob"]["verdict"], "students": ["bob"]} in board["refusals"], board
    handed = server.teacher.expect(200, "POST", "/api/class/export", {})["folder"]
    assert os.path.dirname(handed) == folder
    assert "a[i] + 10" in open(os.path.join(handed, "ada/puzzles/map.cu")).read(), "the accepted one"
    table = list(csv.DictReader(open(os.path.join(handed, "class.csv"))))
    assert [row["solved"] for row in table if row["student"] == "ada"] == ["yes"], table
    return handed


def graded(handed):
    """`lab grade` takes it as it is."""
    out = subprocess.run([warpwise, "lab", "grade", handed], capture_output=True, text=True, cwd=os.path.dirname(handed))
    text = out.stdout + out.stderr
    assert re.search("ada.*100", text) and "bob" in text, text


has_network = bool(subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split())
folder = os.path.realpath(tempfile.mkdtemp(prefix="warpwise-class-"))
network = ["--lan"] if has_network else []
server = Server(folder, *network, port=free_port("0.0.0.0"))
ada = joining(server)
attacks(server, ada)
bob = works(server, ada)
types(server, [ada, bob, server.student("cleo")])
graded(console(server, folder))
# The server starts again: the code, the students, their cookies, drafts and attempts are there.
code, port, cookie = server.code, server.port, ada.cookie
server.end()
server = Server(folder, *network, port=port)
assert server.code == code
ada.expect(200, "GET", "/api/files")
problem = ada.expect(200, "GET", "/api/lab/problem?name=puzzles/map")
assert problem["draft"]["text"] == "ada's secret" and problem["solved"] and len(problem["attempts"]) == 2, problem
assert len(server.teacher.expect(200, "GET", "/api/class")["students"]) == 4
server.end()
# Nothing else is on the network without a class, and the network is asked for by name.
for words, said in ((["--lan"], "U0003"), (["--class=../x"], "W0012")):
    run = subprocess.run([warpwise, "serve", *words], capture_output=True, text=True, cwd=folder, env={**os.environ, "XDG_DATA_HOME": os.path.join(folder, "data")})
    assert run.returncode != 0 and said in run.stderr, (words, run)
shutil.rmtree(folder)
print("PASSED")
