package dev.paddock.executor.landlock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.WaitingProgram;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the kernel executes no anonymous file, shells wait for commands, and nobody can tell. */
class WithoutProgramTest {
    private static final Path SWITCH = Path.of("/proc/sys/vm/memfd_noexec");

    /** The switch is the process namespace's own. */
    private static final String REFUSING = "echo 2 >" + SWITCH + " && exec \"$@\"";

    /** In a JVM that may execute no such file: what is said of each command. */
    static final class Commands {
        private Commands() {}

        @SuppressWarnings("SystemOut") // what the test reads
        public static void main(String[] arguments) throws IOException {
            System.out.println("a program waits: " + WaitingProgram.as(5).isPresent());
            Path worktree = Path.of(arguments[0]);
            for (int slots : new int[] {0, 1}) {
                try (LandlockExecutor executor = LandlockExecutor.builder()
                        .worktree(worktree)
                        .warmSlots(slots)
                        .build()) {
                    SpawnOptions plain = SpawnOptions.builder(worktree.toString())
                            .env(Map.of("GREETING", "g\u00fcten 'Tag'", "OPTERR", "0"))
                            .build();
                    System.out.println(said(executor, "pwd; echo \"$GREETING $OPTERR\" >&2; exit 3", plain));
                    System.out.println(said(
                            executor,
                            "exit 4",
                            SpawnOptions.builder(worktree.toString()).build()));
                    System.out.println(said(executor, ": " + "x".repeat(140_000) + "; echo long", plain));
                    try {
                        executor.spawn(
                                "true", SpawnOptions.builder("/no such place").build());
                    } catch (SpawnException refused) {
                        System.out.println(refused.getMessage());
                    }
                }
            }
        }

        private static String said(LandlockExecutor executor, String command, SpawnOptions options) throws IOException {
            ProcessLike process = executor.spawn(command, options);
            String out = new String(process.stdout().readAllBytes(), UTF_8).strip();
            String err = new String(process.stderr().readAllBytes(), UTF_8).strip();
            int code = process.onExit().toCompletableFuture().join().code();
            process.onSettled().toCompletableFuture().join();
            return out + "|" + err + "|" + code;
        }
    }

    @Test
    void C2_C3_C4_shellsWaitInstead(@TempDir Path directory) throws Exception {
        assumeTrue(
                Files.isWritable(SWITCH) && Files.isExecutable(Path.of("/usr/bin/unshare")),
                "this is root's, on Linux 6.3 or later");
        Path worktree = Files.createDirectory(directory.toRealPath().resolve("worktree"));
        Process jvm = new ProcessBuilder(line(worktree))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        try {
            assertThat(jvm.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            jvm.destroyForcibly().waitFor();
        }
        List<String> each = List.of(
                worktree + "|g\u00fcten 'Tag' 0|3",
                "||4",
                "long||0",
                "the working directory does not exist: '/no such place'");
        assertThat(Files.readAllLines(directory.resolve("said")))
                .containsSubsequence(Stream.of(List.of("a program waits: false"), each, each)
                        .flatMap(List::stream)
                        .toList());
    }

    private static List<String> line(Path worktree) {
        String classPath = Stream.of("java.class.path", "jdk.module.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
        return List.of(
                "/usr/bin/unshare",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                "/bin/sh",
                "-c",
                REFUSING,
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dstdout.encoding=UTF-8",
                "-cp",
                classPath,
                Commands.class.getName(),
                worktree.toString());
    }
}
