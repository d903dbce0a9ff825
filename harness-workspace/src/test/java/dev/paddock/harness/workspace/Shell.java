package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs programs of the machine, with an environment of its own and no configuration of the user's. */
final class Shell {
    private Shell() {}

    /** Runs a script in a directory; returns its output, in which each byte is a character. */
    static String run(Path directory, String script) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of("sh", "-euc", script))
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment()
                .putAll(Map.of(
                        "LC_ALL", "C",
                        "GIT_CONFIG_GLOBAL", "/dev/null",
                        "GIT_CONFIG_SYSTEM", "/dev/null",
                        "GIT_AUTHOR_NAME", "a",
                        "GIT_AUTHOR_EMAIL", "a@example.org",
                        "GIT_COMMITTER_NAME", "c",
                        "GIT_COMMITTER_EMAIL", "c@example.org"));
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(process.waitFor()).as("%s%n%s", script, output).isZero();
        return output;
    }

    /** Lists a tree: every entry's name, kind, mode, size, time, target and number of names. */
    static String listing(Path tree) throws IOException, InterruptedException {
        return run(
                tree, "find . \\( -type d -printf '%p|%y|%m|%T@\\n' -o -printf '%p|%y|%m|%s|%T@|%l|%n\\n' \\) | sort");
    }

    /** Returns the hashes of all files. */
    static String contents(Path tree) throws IOException, InterruptedException {
        return run(tree, "find . -type f -print0 | sort -z | xargs -0r sha256sum");
    }
}
