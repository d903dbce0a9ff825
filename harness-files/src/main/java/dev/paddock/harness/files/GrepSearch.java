package dev.paddock.harness.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.pattern.Glob;
import dev.paddock.harness.files.pattern.PatternException;
import dev.paddock.harness.files.pattern.TimedPattern;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Performs one search for lines: selects the files to search and the lines to show, and counts what
 * is omitted.
 */
public final class GrepSearch {
    public static final int MOST_MATCHES = 100;
    public static final int MOST_CHARACTERS = 500;
    private static final long LARGEST_FILE = 10L << 20;
    private static final int LONGEST_LINE = 1 << 20;
    public static final Duration LONGEST = Duration.ofSeconds(30);

    private final ContainedFiles files;
    private final Location where;
    private final TimedPattern pattern;
    private final Optional<Glob> glob;
    private final int context;
    private final AbortSignal signal;
    private final long deadline = System.nanoTime() + LONGEST.toNanos();
    private final Listing listing = new Listing(Integer.MAX_VALUE);
    private int matches;
    private int searched;
    private int binary;
    private int large;
    private int unreadable;
    private long cutLines;
    private boolean more;
    private boolean late;

    public GrepSearch(
            ContainedFiles files,
            Location where,
            TimedPattern pattern,
            Optional<Glob> glob,
            int context,
            AbortSignal signal) {
        this.files = files;
        this.where = where;
        this.pattern = pattern;
        this.glob = glob;
        this.context = context;
        this.signal = signal;
    }

    /**
     * Holds the lines found, and counts of what was omitted.
     *
     * @param lines the matching lines with their context, each with its path and number
     * @param matches how many matching lines are shown
     * @param more whether there are further matches
     * @param late whether the search ended because its time limit was exceeded
     * @param searched how many files were searched
     * @param binary how many files were skipped as binary
     * @param large how many files were skipped because of their size
     * @param unreadable how many entries could not be read
     * @param cutLines how many lines were searched only at their beginning
     */
    public record Result(
            Listing lines,
            int matches,
            boolean more,
            boolean late,
            int searched,
            int binary,
            int large,
            int unreadable,
            long cutLines) {}

    public Result run() throws IOException {
        if (where.existing().isDirectory()) {
            TreeWalk walk = new TreeWalk(files, signal, this::visit);
            walk.walk(where);
            unreadable += walk.unreadable();
        } else {
            try (SeekableByteChannel file = where.openFile()) {
                search(file, where.root().listed(where.relative()));
            }
        }
        return new Result(listing, matches, more, late, searched, binary, large, unreadable, cutLines);
    }

    private boolean visit(TreeWalk.Entry entry) throws IOException {
        int skip = where.resolved().isEmpty() ? 0 : where.relative().length() + 1;
        boolean wanted = entry.attributes().isRegularFile()
                && glob.stream().allMatch(one -> one.matches(entry.path().substring(skip), entry.path()));
        if (!wanted) {
            return true;
        }
        if (entry.attributes().size() > LARGEST_FILE) {
            large++;
            return true;
        }
        try (SeekableByteChannel file = entry.in().openFile(entry.name())) {
            search(file, where.root().listed(entry.path()));
        } catch (IOException gone) {
            unreadable++;
        }
        return !more && !late;
    }

    private void search(SeekableByteChannel file, String path) throws IOException {
        try (LineReader lines = new LineReader(file, LONGEST_LINE, signal)) {
            if (FileKind.notText(lines.start()).isPresent()) {
                binary++;
                return;
            }
            searched++;
            new FileSearch(lines, path).run();
        }
    }

    /**
     * Searches one file: buffers the lines before a match until it is known whether they are shown.
     */
    private final class FileSearch {
        private final LineReader lines;
        private final String path;
        private final Deque<String> before = new ArrayDeque<>();
        private long lastShown;
        private long showUntil;
        private boolean full;

        FileSearch(LineReader lines, String path) {
            this.lines = lines;
            this.path = path;
        }

        void run() throws IOException {
            Optional<LineReader.Line> next = lines.next();
            while (next.isPresent() && !full) {
                look(next.get());
                if (System.nanoTime() - deadline > 0) {
                    late = true;
                    return;
                }
                next = lines.next();
            }
        }

        private void look(LineReader.Line line) {
            cutLines += line.cut() ? 1 : 0;
            Optional<Integer> match = find(line);
            if (match.isPresent()) {
                if (matches == MOST_MATCHES) {
                    full = true;
                    more = true;
                    return;
                }
                show(line, match.get());
            } else if (line.number() <= showUntil) {
                put(path + "-" + line.number() + "- " + window(line.text(), 0));
                lastShown = line.number();
            } else if (context > 0) {
                before.addLast(path + "-" + line.number() + "- " + window(line.text(), 0));
                if (before.size() > context) {
                    before.removeFirst();
                }
            }
        }

        private Optional<Integer> find(LineReader.Line line) {
            try {
                return pattern.find(line.text());
            } catch (PatternException e) {
                throw FileException.at(path, line.number(), e);
            }
        }

        private void show(LineReader.Line line, int match) {
            boolean gap = context > 0 && listing.entries() > 0 && line.number() - before.size() > lastShown + 1;
            if (gap) {
                put("--");
            }
            before.forEach(this::put);
            before.clear();
            put(path + ":" + line.number() + ": " + window(line.text(), match));
            matches += full ? 0 : 1;
            lastShown = line.number();
            showUntil = line.number() + context;
        }

        private void put(String shown) {
            if (!listing.add(shown)) {
                full = true;
                more = true;
            }
        }
    }

    /** Cuts a line to the length that is shown, around the match. */
    private static String window(String line, int match) {
        if (line.length() <= MOST_CHARACTERS) {
            return line;
        }
        int start = Math.max(0, Math.min(match - MOST_CHARACTERS / 4, line.length() - MOST_CHARACTERS));
        int end = start + MOST_CHARACTERS;
        start += Character.isLowSurrogate(line.charAt(start)) ? 1 : 0;
        end -= Character.isHighSurrogate(line.charAt(end - 1)) ? 1 : 0;
        return (start > 0 ? "…" : "") + line.substring(start, end) + (end < line.length() ? "…" : "");
    }
}
