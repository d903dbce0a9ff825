package dev.paddock.executor.tck.context;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the host's processes from {@code /proc}. Results are empty where it does not exist. */
public final class Processes {
    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    public static boolean canLook() {
        return Files.isReadable(PROC.resolve("self/environ"));
    }

    /**
     * Returns the processes whose environment carries a tag, in whatever container or namespace
     * they are.
     */
    public static List<ProcessHandle> tagged(String tag) {
        return canLook()
                ? ProcessHandle.allProcesses()
                        .filter(process -> read(process, "environ").contains(tag))
                        .toList()
                : List.of();
    }

    /** Returns the processes whose argument list contains a text. */
    public static List<ProcessHandle> withArgument(String text) {
        return ProcessHandle.allProcesses()
                .filter(process -> read(process, "cmdline").contains(text))
                .toList();
    }

    /**
     * Returns the number of context switches of a process and its threads, which does not grow
     * while all of them sleep.
     */
    public static long contextSwitches(ProcessHandle process) {
        try (Stream<Path> tasks = Files.list(PROC.resolve(process.pid() + "/task"))) {
            return tasks.map(task -> text(task.resolve("status")))
                    .flatMap(String::lines)
                    .filter(line -> line.contains("_ctxt_switches:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                    .sum();
        } catch (IOException gone) {
            return 0;
        }
    }

    /** Returns the number of descriptors that this JVM has open. */
    static long openDescriptors() throws IOException {
        try (Stream<Path> descriptors = Files.list(PROC.resolve("self/fd"))) {
            return descriptors.count();
        }
    }

    public static String describe(ProcessHandle process) {
        return process.pid() + " ("
                + read(process, "cmdline").replace('\0', ' ').strip() + ")";
    }

    /** Reads a file of a process; of another thread if the first one has ended. */
    private static String read(ProcessHandle process, String file) {
        Path directory = PROC.resolve(Long.toString(process.pid()));
        String first = text(directory.resolve(file));
        if (!first.isEmpty() || !text(directory.resolve("stat")).contains(") Z ")) {
            return first;
        }
        try (Stream<Path> threads = Files.list(directory.resolve("task"))) {
            return threads.map(thread -> text(thread.resolve(file)))
                    .filter(content -> !content.isEmpty())
                    .findFirst()
                    .orElse("");
        } catch (IOException gone) {
            return "";
        }
    }

    private static String text(Path file) {
        return bytes(file)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse("");
    }

    /** Reads a file; empty for a process that has exited meanwhile or belongs to another user. */
    private static Optional<byte[]> bytes(Path file) {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
