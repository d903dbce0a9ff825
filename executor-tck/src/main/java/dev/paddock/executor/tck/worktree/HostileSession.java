package dev.paddock.executor.tck.worktree;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A random sequence of commands that plant programs, and put files and directories into states in
 * which they are hard to find, read or move.
 *
 * @param seed repeats it
 * @param commands shell scripts, run one after the other
 * @param background a shell script that runs concurrently with the commands and never ends, if there is one
 * @since 0.1
 */
public record HostileSession(long seed, List<String> commands, Optional<String> background) {
    private static final List<String> NAMES = List.of(
            "x",
            "$(printf 'na\\377me')",
            "$(printf 'new\\nline')",
            "\"a b\"",
            "./-rf",
            ".GIT",
            "HEAD",
            "refs",
            "x/y/z",
            "$(printf '%0100d/%0100d/%0100d' 1 2 3)");

    private static final List<String> MODES = List.of("0", "111", "444", "555", "644", "300", "2755");

    private static final List<String> DIRECTORIES =
            List.of("src", "old", "old/.git", ".git/hooks", ".git/refs", ".git/info", ".git/logs", ".git");

    private static final List<String> FILES = List.of(
            ".git/config",
            ".git/HEAD",
            ".git/index",
            ".git/MERGE_MSG",
            ".git/ORIG_HEAD",
            ".git/logs/HEAD",
            ".git/info/exclude",
            ".git/packed-refs",
            ".git/FETCH_HEAD",
            "old/.git/config",
            "old/.git/HEAD",
            ".envrc",
            ".mcp.json",
            ".vscode",
            ".git/description",
            ".git/new");

    private static final String RESTLESS = """
            while :; do
                mv src src2; ln -s old src; rm -f src; mv src2 src
                mv old/.git old/g; mkdir -p old/.git; rmdir old/.git; mv old/g old/.git
                mkdir -p b/c; git init -q b/c/d; printf '[core]\\nfsmonitor=%s\\n' "$E" >> b/c/d/.git/config; mv b b2; ln -s b2 b; rm -f b; mv b2 b3
                P .git/hooks/pre-commit; ln -sfn "$W/src" .vscode; rm -f .envrc; mkfifo .envrc; rm -f .envrc; P .envrc
                printf '[core]\\nfsmonitor=%s\\n' "$E" > .git/config.lock; mv -f .git/config.lock .git/config; rm -rf b3
            done""";

    /**
     * Makes a session.
     *
     * @param seed of the generator
     * @return the session; the same for the same seed
     */
    public static HostileSession of(long seed) {
        Random random = new Random(seed);
        List<String> steps = new ArrayList<>();
        for (int count = 2 + random.nextInt(3); count > 0; count--) {
            steps.add(plant(random));
        }
        for (int count = 2 + random.nextInt(4); count > 0; count--) {
            steps.add(random.nextInt(steps.size() + 1), state(random));
        }
        List<String> commands = new ArrayList<>();
        while (!steps.isEmpty()) {
            List<String> some = steps.subList(0, 1 + random.nextInt(steps.size()));
            commands.add(String.join("\n", some));
            some.clear();
        }
        return new HostileSession(
                seed, List.copyOf(commands), random.nextInt(4) == 0 ? Optional.of(RESTLESS) : Optional.empty());
    }

    private static String plant(Random random) {
        if (random.nextInt(3) > 0) {
            return pick(random, Plants.all());
        }
        String name = pick(random, NAMES);
        String inside = pick(random, Plants.INTO_GIT_DIRECTORY);
        String reached = random.nextBoolean()
                ? ""
                : "; git update-index --add --cacheinfo 160000,$(git -C \"$D\" rev-parse HEAD),\"$D\"";
        return "D=" + name + "; mkdir -p -- \"$D\"; git init -q -- \"$D\"; (cd -- \"$D\" && echo n > n && git add n"
                + " && git commit -qm n; W=$W/$D; G=.git; " + inside + ")" + reached
                + (random.nextInt(3) == 0 ? "; chmod " + pick(random, MODES) + " \"$D\"" : "");
    }

    private static String state(Random random) {
        String file = pick(random, FILES);
        String directory = pick(random, DIRECTORIES);
        String mode = pick(random, MODES);
        return switch (random.nextInt(13)) {
            case 0 -> "chmod " + mode + " " + directory;
            case 1 -> "chmod " + mode + " " + file;
            case 2 -> "rm -rf " + file + "; mkfifo " + file;
            case 3 -> "rm -rf " + file + "; ln -s nowhere " + file;
            case 4 -> "rm -rf " + file + "; ln -s \"$W/" + file + "\" " + file;
            case 5 -> "rm -rf " + file + "; ln -s \"$W/.git/config\" " + file;
            case 6 -> "rm -rf " + file + "; ln -s \"$O\" " + file;
            case 7 -> "rm -rf " + file + "; mkdir -p " + file + "/HEAD";
            case 8 -> "mv " + directory + " " + directory + "-away; mv " + directory + "-away " + directory;
            case 9 -> "cp -a .git .copy && mv .git .old && mv .copy .git";
            case 10 -> "mv old " + pick(random, List.of("moved", "src/old", ".git/old")) + "; chmod " + mode + " src";
            case 11 -> {
                String place = pick(random, List.of(".claude", ".git/x", "src/deep", ".git/modules"));
                yield deep(place);
            }
            default -> {
                String place = pick(random, List.of(".git/x", "src/c", "old/.git/c", ".idea"));
                yield closed(place, pick(random, List.of("0", "111", "444")));
            }
        };
    }

    /** Nests 60 directories with names of 100 letters, deeper than a path can name. */
    private static String deep(String place) {
        return "(mkdir -p " + place + " && cd " + place + " && i=0; while [ $i -lt 60 ]; do d=$(printf '%0100d' $i);"
                + " mkdir $d && cd -P $d || break; i=$((i+1)); done; git init -q .;"
                + " printf '[core]\\nfsmonitor=%s\\n' \"$E\" >> .git/config)";
    }

    /** Nests directories, and closes them from the innermost on. */
    private static String closed(String place, String mode) {
        return "mkdir -p " + place + "/1/2/3/4/5/6/7/8; git init -q " + place + "/1/2/3/4/5/6/7/8;"
                + " printf '[core]\\nfsmonitor=%s\\n' \"$E\" >> " + place + "/1/2/3/4/5/6/7/8/.git/config;"
                + " for d in 8 7 6 5 4 3 2 1; do chmod " + mode + " $(find " + place
                + " -depth -type d -name $d); done";
    }

    private static <T> T pick(Random random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
