package dev.paddock.executor.bwrap;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code /proc}. */
final class ProcessFiles {
    private static final Path PROC = Path.of("/proc");
    private static final int MAX_LIST = 256;

    private ProcessFiles() {}

    /** Returns the only child of a process, by the JDK's shortest code path: every cold start calls it. */
    static long onlyChild(long parent) throws IOException {
        try {
            String pids = children(parent);
            if (!pids.isEmpty() && pids.chars().allMatch(Character::isDigit)) {
                return Long.parseLong(pids);
            }
            throw new IOException("the first process of a sandbox has for children '" + pids + "', not one");
        } catch (FileNotFoundException unsupported) {
            return childByParent(parent);
        }
    }

    static String children(long parent) throws IOException {
        try (FileInputStream children = new FileInputStream("/proc/" + parent + "/task/" + parent + "/children")) {
            return new String(children.readNBytes(MAX_LIST), US_ASCII).strip();
        }
    }

    /** Scans the process table, for kernels without a list of children. */
    private static long childByParent(long parent) throws IOException {
        for (long pid : processes()) {
            if (status(pid, "PPid:").filter(Long.toString(parent)::equals).isPresent()) {
                return pid;
            }
        }
        throw new IOException("the first process of a sandbox, " + parent + ", has no child");
    }

    static Path namespace(long pid) throws IOException {
        return Files.readSymbolicLink(PROC.resolve(pid + "/ns/pid"));
    }

    static Optional<String> status(long pid, String field) {
        try {
            return Files.readAllLines(PROC.resolve(pid + "/status")).stream()
                    .filter(line -> line.startsWith(field))
                    .map(line -> line.substring(field.length()).strip())
                    .findFirst();
        } catch (IOException ended) {
            return Optional.empty(); // a process may exit meanwhile
        }
    }

    static List<Long> processes() {
        String[] names = PROC.toFile().list();
        return names == null
                ? List.of()
                : List.of(names).stream()
                        .filter(name -> Character.isDigit(name.charAt(0)))
                        .map(Long::parseLong)
                        .toList();
    }

    /** Returns a process's open descriptors; empty if they cannot be read. */
    static Optional<List<String>> descriptors(long pid) {
        String @Nullable [] names = PROC.resolve(pid + "/fd").toFile().list();
        return names == null ? Optional.empty() : Optional.of(List.of(names));
    }
}
