#!/usr/bin/env python3
"""How long a class waits: 30 students, each with one submission every 30 seconds, against `warpwise serve --class`.

    class_load.py WARPWISE [STUDENTS [SECONDS [EVERY]]]      not a test: it takes two minutes, and times a machine

Each student does what the page does: the draft is kept, the compiler is asked about the text, and half a second later it is
submitted. Of three submissions one is what another student has submitted, too.
It prints the longest and the median time from a submission to its verdict, and exits 1 where one took longer than 5 s.
"""
import random, statistics, sys, tempfile, threading, time

students, seconds, every = (int(word) for word in (sys.argv[2:] + ["30", "120", "30"][len(sys.argv[2:]) :]))
own = open(__file__.replace("class_load.py", "class_command.py")).read().split("\ndef joining")[0]
exec(own)  # Browser, Server

MISTAKES = ["out[i] = a[i + 1] + 10;", "out[i] = a[i] + 11;", "out[i] = a[i];", "if (i > 0) out[i] = a[i] + 10;", "out[i] = undeclared;", "a_typo out[i] = a[i] + 10;", "out[i] = a[i] + 10;"]


def diagnose(browser, text, diagnosed):
    asked = time.monotonic()
    status, _ = browser.ask("POST", "/api/lab/diagnose?name=puzzles/map&page=p", {"text": text})
    diagnosed.append((time.monotonic() - asked, status))


def student(server, n, begin, waited, diagnosed, failed):
    chance, browser, revision = random.Random(n), server.student(f"student {n}"), 0
    time.sleep(max(0, begin + every * n / students - time.monotonic()))
    while time.monotonic() < begin + seconds:
        turn = time.monotonic()
        own = "" if chance.random() < 1 / 3 else f"// student {n}, at {turn}\n"
        text = own + MAP % chance.choice(MISTAKES)
        revision = browser.expect(200, "POST", "/api/lab/draft?name=puzzles/map", {"text": text, "revision": revision})["revision"]
        typing = threading.Thread(target=diagnose, args=(browser, text, diagnosed))
        typing.start()
        time.sleep(0.5)
        submitted = time.monotonic()
        state, events, _ = browser.follow(browser.submit(text))
        waited.append(time.monotonic() - submitted)
        if state != "done":
            failed.append(state)
        typing.join()
        time.sleep(max(0, turn + every - time.monotonic()))


folder = tempfile.mkdtemp(prefix="warpwise-class-")
server, waited, diagnosed, failed = Server(folder), [], [], []
begin = time.monotonic() + 2
threads = [threading.Thread(target=student, args=(server, n, begin, waited, diagnosed, failed)) for n in range(students)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
server.end()
shutil.rmtree(folder)
late = sum(one > 5 for one in waited)
refused = sum(status != 200 for _, status in diagnosed)
print(f"{students} students, one submission every {every} s: {len(waited)} verdicts, the longest after {max(waited):.2f} s, half of them within {statistics.median(waited):.2f} s, {late} after more than 5 s; {len(failed)} without a verdict")
print(f"the compiler's words: the longest after {max(seconds for seconds, _ in diagnosed):.2f} s, half of them within {statistics.median(seconds for seconds, _ in diagnosed):.2f} s, {refused} refused")
sys.exit(1 if late or failed else 0)
