package dev.paddock.harness.files.kernel;

import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the directories in which the kernel shows the environment and memory of processes as files (procfs on Linux). A
 * program that opens such a file would show its own secrets to the caller that chose the path, whereas the kernel
 * refuses the file to a sandboxed command.
 */
public final class ProcessDirectories {
    private static final Logger LOG = LateLogger.of(ProcessDirectories.class);
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");

    private final List<Path> points;
    private final Set<Object> keys;

    private ProcessDirectories(List<Path> points, Set<Object> keys) {
        this.points = points;
        this.keys = keys;
    }

    /**
     * Finds the mounted ones.
     *
     * @return the directories; none on a system without procfs
     * @throws IOException if the kernel's list of mounts exists and cannot be read
     */
    public static ProcessDirectories find() throws IOException {
        List<Path> points = new ArrayList<>();
        Set<Object> keys = new HashSet<>();
        if (Files.exists(MOUNTS)) {
            // Names may be in any encoding; the names of these mounts are compared as files below.
            for (String line : Files.readAllLines(MOUNTS, StandardCharsets.ISO_8859_1)) {
                point(line).ifPresent(point -> {
                    points.add(point);
                    key(point).ifPresent(keys::add);
                });
            }
        }
        return new ProcessDirectories(List.copyOf(points), Set.copyOf(keys));
    }

    /** Parses a line such as {@code 35 31 0:32 /root /mount/point options - type source options}. */
    private static Optional<Path> point(String line) {
        String[] halves = line.split(" - ", 2);
        if (halves.length < 2 || !halves[1].startsWith("proc ")) {
            return Optional.empty();
        }
        String escaped = halves[0].split(" ", -1)[4];
        String raw = ESCAPE.matcher(escaped).replaceAll(ProcessDirectories::unescaped);
        String name = new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        try {
            return Optional.of(Path.of(name));
        } catch (InvalidPathException unnameable) {
            LOG.log(Level.DEBUG, name + " has no name in this locale, so no path leads there either", unnameable);
            return Optional.empty();
        }
    }

    private static String unescaped(MatchResult escape) {
        return Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 8)));
    }

    private static Optional<Object> key(Path point) {
        try {
            return Optional.ofNullable(Files.readAttributes(point, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey());
        } catch (IOException unreachable) {
            LOG.log(Level.DEBUG, point + " cannot be examined, so no walk enters it either", unreachable);
            return Optional.empty();
        }
    }

    /**
     * Returns whether a real path is in one of them.
     *
     * @param real a path of the host without links
     */
    public boolean hold(Path real) {
        return points.stream().anyMatch(real::startsWith);
    }

    /**
     * Returns whether an entry is the top of one of them.
     *
     * @param entry the attributes of the entry
     */
    public boolean startAt(BasicFileAttributes entry) {
        return Objects.nonNull(entry.fileKey()) && keys.contains(entry.fileKey());
    }
}
