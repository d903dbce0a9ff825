package dev.paddock.executor.remote.sync;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/**
 * Reads the remote side's list of its tree. The remote side may write anything: a name that leaves the tree, or is
 * below something other than a directory, aborts the reading.
 */
final class Manifest {
    private static final long FINE_TICK = WorktreeListing.TICK;

    /** Covers file systems whose times have a resolution of one or two seconds. */
    private static final long COARSE_TICK = TimeUnit.SECONDS.toNanos(3);

    private static final int MAX_NAME = 255;
    private static final int MAX_PATH = 4096;
    private static final int MAX_RECORD = MAX_PATH + 200;

    /** Enough for {@link Tree#MAX_ENTRIES} with long names; a longer list would exhaust the memory. */
    private static final long MAX_BYTES = 512L << 20;

    private static final int READ_AND_ENTER = 0500;

    private final Map<String, TreeEntry> entries = new HashMap<>();
    private final Set<String> tooDeep = new HashSet<>();

    private final int mostEntries;

    private Manifest(int mostEntries) {
        this.mostEntries = mostEntries;
    }

    /**
     * Reads a list: the clock, {@code whole} or {@code part}, and {@code same} or {@code new}, a line each, then the
     * compressed records.
     *
     * @return the tree; empty if it equals the last one
     * @throws IOException if this is no list
     */
    static Optional<Tree> read(byte[] answer) throws IOException {
        return read(answer, Tree.MAX_ENTRIES);
    }

    static Optional<Tree> read(byte[] answer, int mostEntries) throws IOException {
        ByteArrayInputStream input = new ByteArrayInputStream(answer);
        String clock = line(input);
        boolean whole = line(input).equals("whole");
        String state = line(input);
        if (state.equals("same")) {
            return Optional.empty();
        }
        if (!state.equals("new")) {
            throw new IOException("the remote side's list begins with '" + state + "'");
        }
        return Optional.of(tree(clock, whole, input, mostEntries));
    }

    private static Tree tree(String clock, boolean whole, InputStream packed, int mostEntries) throws IOException {
        Manifest manifest = new Manifest(mostEntries);
        try (InputStream records = new BufferedInputStream(new GZIPInputStream(packed), 1 << 16)) {
            manifest.readAll(records);
        }
        manifest.requireDirectories();
        long mark = time(clock);
        long tick = mark % TimeUnit.SECONDS.toNanos(1) == 0 ? COARSE_TICK : FINE_TICK;
        Set<String> closed = new HashSet<>(manifest.tooDeep);
        if (!whole) {
            closed.addAll(manifest.closed());
        }
        return new Tree(manifest.entries, closed, mark, tick);
    }

    private static String line(InputStream input) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0 || line.size() > MAX_NAME) {
                throw new IOException("the remote side's list is cut off");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** Reads records, each of which ends with two slashes and a newline: no path contains them. */
    private void readAll(InputStream records) throws IOException {
        byte[] record = new byte[MAX_RECORD];
        int length = 0;
        long total = 0;
        for (int next = records.read(); next >= 0; next = records.read()) {
            if (length == MAX_RECORD || ++total > MAX_BYTES) {
                throw new IOException("the remote side's list is too long: more than "
                        + (length == MAX_RECORD ? MAX_PATH + " bytes in a path" : (MAX_BYTES >> 20) + " MiB"));
            }
            record[length++] = (byte) next;
            if (next == '\n' && length > 2 && record[length - 2] == '/' && record[length - 3] == '/') {
                add(new String(record, 0, length - 3, StandardCharsets.ISO_8859_1));
                length = 0;
            }
        }
        if (length > 0) {
            throw new IOException("the remote side's list is cut off");
        }
    }

    /** Adds {@code MODE SIZE INODE BLOCKS DATE TIME ZONE DATE TIME ZONE PATH}. */
    private void add(String record) throws IOException {
        String[] words = record.split(" ", 11);
        if (words.length != 11) {
            throw new IOException("the remote side's list has the line '" + record + "'");
        }
        if (words[10].equals(".")) {
            return;
        }
        String path = safePath(words[10]);
        int end = endOfDepth(path);
        if (end >= 0) {
            tooDeep.add(path.substring(0, end));
            requireWithin(tooDeep.size());
            return;
        }
        TreeEntry entry;
        try {
            entry = TreeEntry.of(
                            Integer.parseInt(words[0], 16),
                            Long.parseLong(words[1]),
                            Long.parseUnsignedLong(words[2]),
                            time(words[4] + " " + words[5]),
                            time(words[7] + " " + words[8]))
                    .withBlocks(Long.parseLong(words[3]));
        } catch (NumberFormatException garbled) {
            throw new IOException("the remote side's list has the line '" + record + "'", garbled);
        }
        if (entry.size() < 0 || entries.put(path, entry) != null) {
            throw new IOException("the remote side's list has an impossible or repeated line: '" + record + "'");
        }
        requireWithin(entries.size());
    }

    private void requireWithin(int size) throws IOException {
        if (size > mostEntries) {
            throw new IOException(Tree.tooMany("the remote side", mostEntries));
        }
    }

    /** Returns the length of the part of a path that is a directory at the greatest depth; -1 if it is less deep. */
    private static int endOfDepth(String path) {
        int slash = -1;
        for (int depth = 0; depth < Tree.MAX_DEPTH; depth++) {
            slash = path.indexOf('/', slash + 1);
            if (slash < 0) {
                return -1;
            }
        }
        return slash;
    }

    private static String safePath(String name) throws IOException {
        String path = name.startsWith("./") ? name.substring(2) : "";
        for (String part : path.split("/", -1)) {
            if (part.isEmpty()
                    || part.equals(".")
                    || part.equals("..")
                    || part.length() > MAX_NAME
                    || part.indexOf('\0') >= 0) {
                throw new IOException("the remote side names a path that does not stay in the tree: '" + name + "'");
            }
        }
        return path;
    }

    private void requireDirectories() throws IOException {
        for (String path : new TreeSet<>(entries.keySet())) { // a directory before its entries
            Optional<String> parent = Tree.parent(path);
            if (parent.isEmpty()) {
                continue;
            }
            TreeEntry above = entries.get(parent.get());
            if (above == null) {
                entries.remove(path); // its directory was renamed while the tree was listed
            } else if (!above.isDirectory()) {
                throw new IOException("the remote side names '" + path + "' below something that is no directory");
            }
        }
    }

    private Set<String> closed() {
        Set<String> closed = new HashSet<>();
        entries.forEach((path, entry) -> {
            if (entry.isDirectory() && (entry.mode() & READ_AND_ENTER) != READ_AND_ENTER) {
                closed.add(path);
            }
        });
        return closed;
    }

    /** Parses {@code 2026-01-31 12:00:00.123456789}, with or without the fraction, at UTC. */
    static long time(String text) throws IOException {
        try {
            String[] words = Arrays.copyOf(text.split(" ", -1), 2);
            Instant time = LocalDateTime.parse(words[0] + "T" + words[1]).toInstant(ZoneOffset.UTC);
            return Math.addExact(
                    Math.multiplyExact(time.getEpochSecond(), TimeUnit.SECONDS.toNanos(1)), time.getNano());
        } catch (DateTimeException | ArithmeticException garbled) {
            throw new IOException("the remote side's list has the time '" + text + "'", garbled);
        }
    }
}
