#!/usr/bin/env python3
"""README's picture: a real run of `warpwise run` and `warpwise check`, as a terminal would show it.

    scripts/readme_picture.py build/release/bin/warpwise > docs/images/check.svg

The commands run on a pseudo-terminal, so that colours are the program's own. Only lines longer than the picture is wide are broken.
"""
import html, os, pty, re, subprocess, sys

WIDTH = 108  # characters
FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "images")
COMMANDS = ["run rows.cu", "check rows.cu"]

CHARACTER, LINE, MARGIN, TOP = 8.0, 18, 16, 40  # pixels; a character of 13.3 px monospace is about 8 wide
BACKGROUND, TEXT = "#1b1f27", "#d7dbe0"
COLOURS = {31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#76e3ea", 37: "#ffffff", 90: "#8b949e"}


def on_a_terminal(command):
    """What the command writes to a terminal, and its exit code."""
    outer, inner = pty.openpty()
    environment = dict(os.environ, TERM="xterm-256color", COLUMNS=str(WIDTH))
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(command, cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=inner, stderr=inner, env=environment)
    os.close(inner)
    parts = []
    while True:
        try:
            part = os.read(outer, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(outer)
    return b"".join(parts).decode().replace("\r\n", "\n"), process.wait()


def cells(line):
    """The characters of a line with the style that stands for each: (character, colour, bold)."""
    result, colour, bold = [], TEXT, False
    line = line.rsplit("\r", 1)[-1]  # what stood there before has been written over
    for code, character in re.findall(r"\x1b\[([0-9;]*)[mK]|([^\x1b])", line):
        if character:
            result.append((character, colour, bold))
            continue
        for number in [int(n) for n in code.split(";") if n] or [0]:
            if number == 0:
                colour, bold = TEXT, False
            elif number == 1:
                bold = True
            elif number in COLOURS:
                colour = COLOURS[number]
            elif number == 39:
                colour = TEXT
    return result


def broken(line):
    """A line in pieces of at most WIDTH characters, broken at spaces; further pieces are indented as far as its text."""
    text = "".join(c for c, _, _ in line)
    label = re.match(r" *= [a-z]+: ", text)
    indent = [(" ", TEXT, False)] * (label.end() if label else 4)
    pieces = []
    while len(line) > WIDTH:
        at = max((i for i in range(len(indent) + 1, WIDTH + 1) if line[i][0] == " "), default=WIDTH)
        pieces.append(line[:at])
        line = indent + line[at + 1:]
    return pieces + [line]


def drawn(line, y):
    if not line:
        return ""
    spans, i = [], 0
    while i < len(line):
        style, j = line[i][1:], i
        while j < len(line) and line[j][1:] == style:
            j += 1
        weight = ' font-weight="bold"' if style[1] else ""
        spans.append(f'<tspan fill="{style[0]}"{weight}>{html.escape("".join(c for c, _, _ in line[i:j]))}</tspan>')
        i = j
    return f'<text x="{MARGIN}" y="{y}" xml:space="preserve">{"".join(spans)}</text>'


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    lines = []
    for words in COMMANDS:
        output, _ = on_a_terminal([program, *words.split()])
        prompt = [("$", COLOURS[32], True)] + [(c, COLOURS[37], False) for c in f" warpwise {words}"]
        lines += [prompt] + [piece for line in output.rstrip("\n").split("\n") for piece in broken(cells(line))] + [[]]
    lines.pop()

    width, height = int(2 * MARGIN + WIDTH * CHARACTER), TOP + len(lines) * LINE + MARGIN
    said = html.escape(" / ".join("".join(c for c, _, _ in line) for line in lines if line and line[0][0] == "$"))
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="{said}">')
    print(f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>')
    for i, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        print(f'<circle cx="{20 + 18 * i}" cy="18" r="5.5" fill="{colour}"/>')
    print('<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="13.3">')
    for i, line in enumerate(lines):
        text = drawn(line, TOP + (i + 1) * LINE - 5)
        if text:
            print(text)
    print("</g>\n</svg>")


if __name__ == "__main__":
    main()
