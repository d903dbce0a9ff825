package dev.paddock.harness.files.workspace;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.files.Location;
import dev.paddock.harness.files.TreeWalk;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.PatternException;
import dev.paddock.harness.files.content.FileKind;
import dev.paddock.harness.files.content.LineReader;
import dev.paddock.harness.files.content.TimedPattern;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Performs one search for lines: selects files and lines, and counts what it skips. */
final class GrepSearch implements Search {
    private static final long MAX_FILE_BYTES = 10L << 20;
    private static final int MAX_LINE_LENGTH = 1 << 20;

    private final ContainedFiles files;
    private final GrepQuery query;
    private final TimedPattern pattern;
    private final Globs globs;
    private final AbortSignal signal;
    private final long deadline = System.nanoTime() + GrepQuery.MAX_TIME.toNanos();
    private final List<GrepResult.Line> found = new ArrayList<>();
    private int matches;
    private int searched;
    private int binary;
    private int large;
    private int unreadable;
    private long cutLines;
    private boolean more;
    private boolean late;

    GrepSearch(ContainedFiles files, GrepQuery query, AbortSignal signal) {
        int flags = (query.isLiteral() ? Pattern.LITERAL : 0)
                | (query.ignoreCase() ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
        this.files = files;
        this.query = query;
        this.pattern = TimedPattern.compile(query.expression(), flags, signal);
        this.globs = new Globs(query.include());
        this.signal = signal;
    }

    @Override
    public void in(Location where) throws IOException {
        if (isOver()) {
            return;
        }
        if (where.existing().isDirectory()) {
            TreeWalk walk = new TreeWalk(files, query.includesIgnored(), signal, entry -> visit(where, entry));
            walk.walk(where);
            unreadable += walk.unreadable();
        } else if (query.path().isPresent() || isWanted(where)) {
            try (SeekableByteChannel file = files.openFile(where)) {
                search(file, files.listed(where));
            }
        }
    }

    /** Returns whether a root that is a single file is included in a search of all. */
    private boolean isWanted(Location root) {
        String path = files.listed(root);
        return root.existing().isRegularFile()
                && globs.match(path.substring(path.lastIndexOf('/') + 1))
                && !files.denies(root);
    }

    @Override
    public void missed() {
        unreadable++;
    }

    GrepResult result() {
        return new GrepResult(found, more, late, searched, binary, large, unreadable, cutLines);
    }

    private boolean isOver() {
        return more || late;
    }

    private boolean visit(Location start, TreeWalk.Entry entry) throws IOException {
        if (!entry.attributes().isRegularFile() || !globs.match(start, entry) || files.denies(entry)) {
            return true;
        }
        if (entry.attributes().size() > MAX_FILE_BYTES) {
            large++;
            return true;
        }
        try (SeekableByteChannel file = files.openFile(entry)) {
            search(file, files.listed(start, entry));
        } catch (FileException denied) {
            unreadable += denied.reason() == FileException.Reason.NOT_READABLE ? 0 : 1;
        } catch (IOException gone) {
            unreadable++;
        }
        return !isOver();
    }

    private void search(SeekableByteChannel file, String path) throws IOException {
        try (LineReader lines = new LineReader(file, MAX_LINE_LENGTH, signal)) {
            if (FileKind.notText(lines.start()).isPresent()) {
                binary++;
                return;
            }
            searched++;
            new FileSearch(lines, path).run();
        }
    }

    /** Searches one file: buffers the lines before a match until it is known whether they are returned. */
    private final class FileSearch {
        private final LineReader lines;
        private final String path;
        private final Deque<GrepResult.Line> before = new ArrayDeque<>();
        private long showUntil;

        FileSearch(LineReader lines, String path) {
            this.lines = lines;
            this.path = path;
        }

        void run() throws IOException {
            Optional<LineReader.Line> next = lines.next();
            while (next.isPresent() && !more) {
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
                more = matches == query.most();
                if (!more) {
                    found.addAll(before);
                    before.clear();
                    found.add(line(line, OptionalInt.of(match.get() + 1)));
                    matches++;
                    showUntil = line.number() + query.context();
                }
            } else if (line.number() <= showUntil) {
                found.add(line(line, OptionalInt.empty()));
            } else if (query.context() > 0) {
                before.addLast(line(line, OptionalInt.empty()));
                if (before.size() > query.context()) {
                    before.removeFirst();
                }
            }
        }

        private GrepResult.Line line(LineReader.Line line, OptionalInt column) {
            return new GrepResult.Line(path, line.number(), column, window(line.text(), column.orElse(1) - 1));
        }

        private Optional<Integer> find(LineReader.Line line) {
            try {
                return pattern.find(line.text());
            } catch (PatternException e) {
                throw new PatternException(path + ":" + line.number() + ": " + e.getMessage(), e);
            }
        }
    }

    /** Cuts a line to the permitted length, around the match. */
    private String window(String line, int match) {
        int width = query.width();
        if (line.length() <= width) {
            return line;
        }
        int start = Math.max(0, Math.min(match - width / 4, line.length() - width));
        int end = start + width;
        start += width > 0 && Character.isLowSurrogate(line.charAt(start)) ? 1 : 0;
        end -= width > 0 && Character.isHighSurrogate(line.charAt(end - 1)) ? 1 : 0;
        return (start > 0 ? "…" : "") + line.substring(Math.min(start, end), end) + (end < line.length() ? "…" : "");
    }
}
