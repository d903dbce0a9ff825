package dev.paddock.executor.tck.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Checks whether a planted program runs when the host's user works in a worktree. The program leaves
 * a mark outside the worktree, which is the only evidence.
 *
 * @since 0.1
 */
public final class Canary {
    private static final Map<String, String> IDENTITY = Map.of(
            "GIT_CONFIG_GLOBAL", "/dev/null",
            "GIT_CONFIG_NOSYSTEM", "1",
            "GIT_AUTHOR_NAME", "t",
            "GIT_AUTHOR_EMAIL", "t@example.org",
            "GIT_COMMITTER_NAME", "t",
            "GIT_COMMITTER_EMAIL", "t@example.org",
            "GIT_TERMINAL_PROMPT", "0",
            "EDITOR", "true",
            "LC_ALL", "C");

    /**
     * The host's work in the directory {@code $1}, until the mark exists; more where git finds
     * a repository. The words {@code $2} begin each command.
     */
    private static final String WORK = """
            cd -- "$1" || exit 0
            LIMIT=$2
            t() { [ -e "$MARK" ] || $LIMIT "$@"; }
            t git status; t git log -1
            [ -e .git ] || [ -e HEAD ] || [ -e commondir ] || exit 0
            t git submodule status; t git diff; t git add .; t git rebase --continue; t git commit --allow-empty -m host
            t git checkout other; t git checkout main; t git stash; t git fetch; t git push ./push.git HEAD:refs/heads/p
            [ -e .git ] || exit 0
            for f in .envrc .profile .bashrc .zshrc .zshenv .mcp.json .npmrc .hg/hgrc .husky/* .vscode/* .idea/* .claude/* \\
                    .zed/* .gemini/*; do
                [ ! -f "$f" ] || t sh "$f"
            done
            exit 0
            """;

    /**
     * Visits every directory, inner ones first, with relative names, below the kernel's path limit. A pipe left by a
     * command may block a program: then the work there is repeated, with a limit of time for each program.
     */
    private static final String EVERYWHERE =
            "find . -depth -type d ! -path '*/.git/objects/*' ! -path '*/.git/refs/*' ! -path '*/.git/hooks'"
                    + " ! -path '*/.git/logs*' ! -path '*/.git/info' ! -path '*/.git/branches'"
                    + " \\( -execdir timeout -s KILL 10 sh \"$WORK\" {} \\;"
                    + " -o -execdir sh \"$WORK\" {} 'timeout -s KILL 5' \\; \\)";

    /** Writes the program's name and directory. */
    private static final String NOTE = "echo \"$0 in $PWD\" >> ";

    private static final String PRECIOUS = "precious";

    private final Path directory;
    private final Path worktree;
    private final Path mark;

    private Canary(Path directory, Path worktree) {
        this.directory = directory;
        this.worktree = worktree;
        this.mark = directory.resolve("mark");
    }

    /**
     * Creates a worktree with earlier work of the host, and the programs outside it.
     *
     * @param directory an existing directory, the real path
     * @param worktree the worktree, which does not exist, outside that directory
     * @return the canary
     * @throws IOException if a file cannot be written
     * @throws InterruptedException if the thread is interrupted
     */
    public static Canary in(Path directory, Path worktree) throws IOException, InterruptedException {
        Canary canary = new Canary(directory, worktree);
        Files.writeString(canary.program(), "#!/bin/sh\n" + NOTE + "'" + canary.mark + "'\n");
        Files.writeString(directory.resolve("work"), WORK);
        canary.restoreOutside();
        Files.createDirectory(worktree);
        canary.succeedOnHost("chmod 755 '" + canary.program() + "'; git init -q -b main . && echo a > a"
                + " && mkdir src && echo s > src/s && git add . && git commit -qm a && echo b > a && git commit -qam b"
                + " && git branch other HEAD~1 && git init -q -b main old && echo o > old/o && git -C old add o"
                + " && git -C old commit -qm o && git worktree add -q inner && : > .envrc && mkdir .husky"
                + " && ln -s ../tools/check .husky/post-commit");
        return canary;
    }

    private Path program() {
        return directory.resolve("program");
    }

    /**
     * Returns a session's script as a command.
     *
     * @param script of a {@link HostileSession}
     * @return the command, for a shell whose current directory is the worktree; the worktree and the
     *     canary's programs have the host's paths in it
     */
    public String command(String script) {
        StringBuilder command = new StringBuilder();
        IDENTITY.forEach((name, value) ->
                command.append("export ").append(name).append('=').append(value).append('\n'));
        return command + "E='" + program() + "'; W='" + worktree + "'; O='" + directory.resolve("outside") + "'\n"
                + "P() { printf '#!/bin/sh\\n" + NOTE + "%s\\n' \"'" + mark + "'\" > \"$1\" && chmod 755 \"$1\"; }\n"
                + script;
    }

    /**
     * Works in every directory of the worktree as the host's user does.
     *
     * @return whether a planted program has run
     * @throws IOException if a file cannot be written
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean runsOnHost() throws IOException, InterruptedException {
        Files.deleteIfExists(mark);
        onHost("export MARK='" + mark + "'; WORK='" + directory.resolve("work") + "'; " + EVERYWHERE);
        return Files.exists(mark);
    }

    /**
     * Returns whether the file outside the worktree to which links were made is unchanged.
     *
     * @return false if anything has written through one of them
     * @throws IOException if it cannot be read
     */
    public boolean isOutsideUnchanged() throws IOException {
        return Files.readString(directory.resolve("outside")).equals(PRECIOUS);
    }

    /**
     * Writes the file outside the worktree again: an unsandboxed command may write it
     * itself, through its own link; only later writes by others matter.
     *
     * @throws IOException if it cannot be written
     */
    public void restoreOutside() throws IOException {
        Files.writeString(directory.resolve("outside"), PRECIOUS);
    }

    /**
     * Asserts that nothing planted runs when the host's user works in the worktree, and that nothing
     * has reached the file outside; removes everything then.
     *
     * @param session the session that has ended
     * @param notices those of its commands
     * @throws IOException if a file cannot be read or written
     * @throws InterruptedException if the thread is interrupted
     */
    public void requireHarmless(HostileSession session, List<String> notices) throws IOException, InterruptedException {
        boolean ran = runsOnHost();
        assertThat(ran)
                .as("%s: %s ran on the host; %s", session, ran ? Files.readString(mark) : "nothing", notices)
                .isFalse();
        assertThat(isOutsideUnchanged())
                .as("%s reached a file outside", session)
                .isTrue();
        remove();
    }

    /** Runs a script of the host's user in the worktree, which has to succeed. */
    void succeedOnHost(String script) throws IOException, InterruptedException {
        String output = onHost("( " + script + "\n) && echo succeeded");
        if (!output.endsWith("succeeded\n")) {
            throw new AssertionError("fails on the host: " + script + ": " + output);
        }
    }

    /**
     * Removes the worktree and the canary's files, whatever modes they have.
     *
     * @throws IOException if the removal cannot be started
     * @throws InterruptedException if the thread is interrupted
     */
    public void remove() throws IOException, InterruptedException {
        onHost("chmod -R u+rwx .. 2> /dev/null; cd .. && rm -rf \"$PWD\"");
    }

    private String onHost(String script) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of("sh", "-c", script))
                .directory(worktree.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().putAll(IDENTITY);
        Process process = builder.start();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (InputStream stream = process.getInputStream()) {
            stream.transferTo(output);
        }
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("does not end: " + script);
        }
        return output.toString(StandardCharsets.ISO_8859_1);
    }
}
