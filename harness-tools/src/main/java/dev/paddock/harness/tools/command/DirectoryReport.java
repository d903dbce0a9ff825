package dev.paddock.harness.tools.command;

import dev.paddock.executor.path.ReportingCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Extracts the report of a {@link ReportingCommand} from standard error, and passes on all other
 * bytes, such as the shell's own messages.
 */
final class DirectoryReport {
    /** The kernel's longest path. */
    private static final int MAX_BYTES = 4096;

    private final OutputStream others;
    private final ByteArrayOutputStream report = new ByteArrayOutputStream();
    private boolean isInside;
    private volatile Optional<String> directory = Optional.empty();

    /**
     * Creates a report without a directory.
     *
     * @param others receives the bytes outside of reports
     */
    DirectoryReport(OutputStream others) {
        this.others = others;
    }

    /** Takes a block of standard error. */
    void accept(byte[] block) throws IOException {
        int from = 0;
        for (int at = 0; at < block.length; at++) {
            if (block[at] == ReportingCommand.MARK) {
                take(block, from, at);
                from = at + 1;
                mark();
            }
        }
        take(block, from, block.length);
    }

    private void take(byte[] block, int from, int to) throws IOException {
        if (isInside) {
            report.write(block, from, Math.min(to - from, MAX_BYTES + 1 - report.size()));
        } else if (to > from) {
            String text = new String(block, from, to - from, StandardCharsets.ISO_8859_1);
            others.write(ReportingCommand.withoutCode(text).getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private void mark() {
        if (isInside && report.size() <= MAX_BYTES) {
            String path = report.toString(StandardCharsets.UTF_8);
            directory = path.endsWith("\n") ? Optional.of(path.substring(0, path.length() - 1)) : Optional.empty();
        }
        report.reset();
        isInside = !isInside;
    }

    /** Returns the last reported directory; empty if there is none. */
    Optional<String> directory() {
        return directory.filter(path -> path.startsWith("/"));
    }
}
