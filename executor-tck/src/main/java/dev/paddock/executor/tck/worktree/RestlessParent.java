package dev.paddock.executor.tck.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ProcessLike;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Commands of which one constantly moves a directory, while others plant below it. */
final class RestlessParent {
    private static final String PLANTED = "post-checkout";

    /** With perl if available, since it renames a hundred times as fast as a shell. */
    private static final String MOVING = """
            mkdir parent$N; git init -q parent$N/new; mkdir stand-in$N
            P parent$N/new/.git/hooks/post-checkout
            echo up
            perl -e '($p, $a, $s) = @ARGV; while (1) { rename $p, $a; rename $s, $p; rename $p, $s; rename $a, $p }' \\
                parent$N away$N stand-in$N
            while :; do mv parent$N away$N; mv away$N parent$N; done
            """;

    private static final String PLANTING = """
            i=0
            while [ $i -lt 40 ]; do
                for d in parent$N away$N; do
                    { mkdir -p $d/new/.git/hooks/ $d/n$i && P $d/new/.git/hooks/post-checkout
                    git init -q $d/n$i/x && P $d/n$i/x/.git/hooks/post-checkout; } 2> /dev/null
                done
                i=$((i + 13))
            done
            """;

    private RestlessParent() {}

    static String moving(int round) {
        return "N=" + round + "\n" + MOVING;
    }

    /** Returns the commands that run beside it, the last of which changes nothing. */
    static List<String> plantingIn(int round) {
        return List.of("N=" + round + "\n" + PLANTING, "N=" + round + "\n" + PLANTING, "true");
    }

    /** Returns the host's script that removes what the previous round left, if there was one. */
    static String removalBefore(int round) {
        return "N=" + (round - 1) + "; rm -rf parent$N away$N stand-in$N";
    }

    static void awaitUp(ProcessLike process) throws IOException {
        BufferedReader output = new BufferedReader(new InputStreamReader(process.stdout(), StandardCharsets.UTF_8));
        assertThat(output.readLine()).as("the restless command").isEqualTo("up");
    }

    /** Returns the planted files that are left. */
    static List<Path> plantedIn(Path worktree) throws IOException {
        try (Stream<Path> all = Files.walk(worktree)) {
            return all.filter(path -> path.endsWith(PLANTED) && Files.exists(path, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        }
    }
}
