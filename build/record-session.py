#!/usr/bin/env python3
"""Records docs/first-contact.svg: types a session into a real terminal (tmux) and draws the screen.

    build/record-session.py            runs ./paddock, and writes the picture
    build/record-session.py --text     prints the screen's text instead
    --paddock PROGRAM                  runs this program as paddock

The session's home directory is a temporary one; the screen shows it as /home/you.
"""
import argparse
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "first-contact.svg"
COLUMNS, ROWS = 100, 32
PATIENCE = 120
SHOWN_HOME = "/home/you"
PROMPT = "~/project $ "
SESSION = [
    "paddock exec -- cat ~/.ssh/id_rsa",
    "paddock exec -- git ls-remote https://git.invalid/project.git",
    "paddock exec -- sh -c 'echo \"exec evil\" >.git/hooks/pre-commit'",
    "paddock exec -- sh -c 'mkdir sub; cd sub; git init -q; git config core.fsmonitor evil'",
    "paddock exec -- sh -c 'echo built >result; cat result'",
    "git status --short",
]

ADVANCE, LINE, MARGIN, BAR = 8.43, 20, 16, 34


def run(*words, **options):
    return subprocess.run(words, check=True, text=True, **options)


def prepare(base, paddock):
    """Makes a home with a key and a project in it; returns the variables of the session."""
    project = base / "home" / "project"
    (base / "home" / ".ssh").mkdir(parents=True)
    (base / "home" / ".ssh" / "id_rsa").write_text("a private key\n")
    (base / "bin").mkdir()
    program = base / "bin" / "paddock"
    program.write_text(f"#!/bin/sh\nexec {paddock} \"$@\"\n")
    program.chmod(0o755)
    (base / "bashrc").write_text(f"PS1={shlex.quote(PROMPT)}\nunset PROMPT_COMMAND HISTFILE\n")
    environment = dict(os.environ)
    for name in ("TMUX", "TMUX_PANE", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "DOCKER_HOST", "LC_ALL"):
        environment.pop(name, None)
    environment.update(
        HOME=str(base / "home"),
        XDG_STATE_HOME=str(base / "home" / ".local" / "state"),
        PATH=f"{base}/bin:{environment['PATH']}",
        LANG="C.UTF-8",
        GIT_CONFIG_NOSYSTEM="1",
    )
    run("git", "-c", "init.defaultBranch=main", "init", "-q", str(project), env=environment)
    for hook in (project / ".git" / "hooks").iterdir():
        hook.unlink()
    return project, environment


def await_prompt(tmux, count):
    """Waits for the prompt to be drawn so many times; returns the screen and its history."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        screen = run(*tmux, "capture-pane", "-p", "-J", "-S", "-", stdout=subprocess.PIPE).stdout.rstrip()
        lines = screen.split("\n")
        if lines[-1] == PROMPT.rstrip() and sum(line.startswith(PROMPT.rstrip()) for line in lines) == count:
            return screen
        time.sleep(0.05)
    raise SystemExit(f"the session's line {count - 1} did not end in {PATIENCE} s:\n{screen}")


def record(paddock):
    """Runs the session and returns the screen's lines."""
    base = pathlib.Path(tempfile.mkdtemp(prefix="paddock-record-", dir=ROOT / "build"))
    try:
        project, environment = prepare(base, paddock)
        tmux = ("tmux", "-S", f"{base}/tmux", "-f", "/dev/null")
        shell = f"exec bash --noprofile --rcfile {base}/bashrc -i"
        size = ("-x", str(COLUMNS), "-y", str(ROWS))
        run(*tmux, "new-session", "-d", *size, "-c", str(project), shell, env=environment)
        try:
            screen = await_prompt(tmux, 1)
            for number, line in enumerate(SESSION):
                run(*tmux, "send-keys", "-l", line)
                run(*tmux, "send-keys", "Enter")
                screen = await_prompt(tmux, number + 2)
        finally:
            run(*tmux, "kill-server")
        return screen.replace(str(base / "home"), SHOWN_HOME).split("\n")[:-1]
    finally:
        shutil.rmtree(base)


def folded(lines):
    for line in lines:
        while len(line) > COLUMNS:
            yield line[:COLUMNS]
            line = line[COLUMNS:]
        yield line


def draw(lines):
    rows = list(folded(lines))
    width = round(COLUMNS * ADVANCE + 2 * MARGIN)
    height = BAR + len(rows) * LINE + MARGIN
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' role="img" aria-label="A terminal session with paddock exec">',
        "<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
        "white-space:pre;fill:#d6deeb}.p{fill:#7fdbca}.c{fill:#ffffff;font-weight:600}.m{fill:#ffcb6b}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#011627"/>',
        '<circle cx="18" cy="17" r="6" fill="#ff5f56"/><circle cx="38" cy="17" r="6" fill="#ffbd2e"/>'
        '<circle cx="58" cy="17" r="6" fill="#27c93f"/>',
    ]
    for number, row in enumerate(rows):
        y = BAR + (number + 1) * LINE - 6
        if row.startswith(PROMPT):
            text = f'<tspan class="p">{escape(PROMPT)}</tspan><tspan class="c">{escape(row[len(PROMPT):])}</tspan>'
        elif row.startswith("paddock: "):
            text = f'<tspan class="m">{escape(row)}</tspan>'
        else:
            text = escape(row)
        out.append(f'<text x="{MARGIN}" y="{y}" xml:space="preserve">{text}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", action="store_true", help="print the screen's text")
    parser.add_argument("--paddock", default=shlex.quote(str(ROOT / "paddock")), help="a shell command")
    options = parser.parse_args()
    lines = record(options.paddock)
    if options.text:
        print("\n".join(folded(lines)))
    else:
        PICTURE.write_text(draw(lines))
        print(f"wrote {PICTURE.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
