package dev.paddock.executor.tck.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands under a kernel setting that forbids executing anonymous files ({@code
 * vm.memfd_noexec}): an executor that starts commands through a program in memory must use
 * another mechanism there, with the same results.
 *
 * @since 0.1
 */
public final class NoAnonymousFiles {
    private static final Path SWITCH = Path.of("/proc/sys/vm/memfd_noexec");

    /** The setting belongs to the PID namespace. */
    private static final String REFUSING = "echo 2 >" + SWITCH + " && exec \"$@\"";

    private NoAnonymousFiles() {}

    /** Creates executors in the child JVM. Has a constructor without parameters. */
    public interface Factory {
        /**
         * Creates an executor.
         *
         * @param worktree a directory that commands may work in
         * @param slots how many warm slots to keep
         * @return the executor; closed when the commands have run
         */
        CommandExecutor make(Path worktree, int slots);
    }

    /**
     * Runs a handful of commands, cold and warm, and fails if one produces an unexpected result.
     * Skips the calling test if this JVM does not run as root, and before Linux 6.3.
     *
     * @param factory makes the executors; if it fails, the test fails
     * @param directory an empty directory
     * @throws IOException if the JVM cannot be started
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static void commandsRun(Class<? extends Factory> factory, Path directory)
            throws IOException, InterruptedException {
        assumeTrue(Files.exists(SWITCH), "this kernel has no " + SWITCH);
        assumeTrue("root".equals(System.getProperty("user.name")), "this JVM is not root's");
        Prerequisite.require(Files.isWritable(SWITCH), SWITCH + " cannot be written");
        Prerequisite.require(
                Files.isExecutable(Path.of("/usr/bin/unshare")), "there is no unshare to make a namespace with");
        Path worktree = Files.createDirectory(directory.toRealPath().resolve("worktree"));
        Path results = Files.createFile(directory.resolve("results"));
        Path output = directory.resolve("output");
        Process jvm = new ProcessBuilder(line(factory, worktree, results))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(jvm.waitFor(2, TimeUnit.MINUTES)).as("it has ended").isTrue();
        } finally {
            jvm.destroyForcibly().waitFor();
        }
        List<String> expected = new ArrayList<>(NoAnonymousFilesRun.expected(worktree));
        expected.addAll(NoAnonymousFilesRun.expected(worktree));
        assertThat(Files.readAllLines(results))
                .as("the results of commands, cold and warm, in a JVM that wrote: %s", Files.readString(output))
                .isEqualTo(expected);
    }

    private static List<String> line(Class<? extends Factory> factory, Path worktree, Path results) {
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
                "-cp",
                ChildJvm.classPath(),
                NoAnonymousFilesRun.class.getName(),
                factory.getName(),
                worktree.toString(),
                results.toString());
    }
}
