package dev.paddock.executor.tck.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The child JVM's side of {@link NoAnonymousFiles}: runs the commands and reports how each ends.
 */
final class NoAnonymousFilesRun {
    private static final String NOWHERE = "/no such place";

    private NoAnonymousFilesRun() {}

    /**
     * Runs the commands.
     *
     * @param arguments the factory's name, the worktree, and the file for the report
     */
    public static void main(String[] arguments) throws Exception {
        Constructor<?> constructor = Class.forName(arguments[0]).getDeclaredConstructor();
        constructor.setAccessible(true);
        NoAnonymousFiles.Factory factory = (NoAnonymousFiles.Factory) constructor.newInstance();
        Path worktree = Path.of(arguments[1]);
        List<String> lines = new ArrayList<>();
        for (int slots = 0; slots < 2; slots++) {
            try (CommandExecutor executor = factory.make(worktree, slots)) {
                lines.addAll(results(executor, worktree));
            }
        }
        Files.write(Path.of(arguments[2]), lines);
    }

    private static List<String> results(CommandExecutor executor, Path worktree) throws IOException {
        SpawnOptions plain = SpawnOptions.builder(worktree.toString()).build();
        // The second of these variables is one that shells maintain themselves.
        SpawnOptions greeting = SpawnOptions.builder(worktree.toString())
                .env(Map.of("GREETING", "güten 'Tag'", "OPTERR", "0"))
                .build();
        return List.of(
                output(executor, "pwd; echo \"$GREETING $OPTERR\" >&2; exit 3", greeting),
                output(executor, "exit 4", plain),
                output(executor, ": " + "x".repeat(140_000) + "; echo long", greeting),
                refusal(executor));
    }

    /** Returns the expected report of one executor's commands. */
    static List<String> expected(Path worktree) {
        return List.of(worktree + "|güten 'Tag' 0|3", "||4", "long||0", "refused: " + NOWHERE);
    }

    private static String output(CommandExecutor executor, String command, SpawnOptions options) throws IOException {
        ProcessLike process = executor.spawn(command, options);
        String out = new String(process.stdout().readAllBytes(), UTF_8).strip();
        String err = new String(process.stderr().readAllBytes(), UTF_8).strip();
        int code = process.onExit().toCompletableFuture().join().code();
        process.onClosed().toCompletableFuture().join();
        return out + "|" + err + "|" + code;
    }

    private static String refusal(CommandExecutor executor) {
        try {
            executor.spawn("true", SpawnOptions.builder(NOWHERE).build());
            return "not refused";
        } catch (SpawnException refused) {
            return "refused: "
                    + (String.valueOf(refused.getMessage()).contains(NOWHERE) ? NOWHERE : refused.getMessage());
        }
    }
}
