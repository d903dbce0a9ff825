package dev.paddock.harness.tools.output;

import dev.paddock.executor.path.FileFaults;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Writes a whole output to a file, up to a limit. Never throws: a full disk costs the log, not the command, and the
 * notice says so.
 */
final class OutputLog {
    private final LogFile file;
    private final long capBytes;
    private final LogBudget budget;
    private long written;
    private Optional<String> failure = Optional.empty();

    OutputLog(LogFile file, LogDirectory logs) {
        this.file = file;
        this.capBytes = logs.capBytes();
        this.budget = logs.budget();
    }

    void write(byte[] block, int length) {
        int room = (int) Math.min(length, capBytes - written);
        if (room <= 0 || failure.isPresent()) {
            return;
        }
        try {
            budget.take(room);
            file.append(block, 0, room);
            written += room;
        } catch (IOException fault) {
            failure = Optional.of(FileFaults.reason(fault));
        }
    }

    void close() {
        try {
            file.close();
        } catch (IOException fault) {
            failure = Optional.of(FileFaults.reason(fault));
        }
    }

    LogState state(long totalBytes) {
        return new LogState(List.of(file.path()), 0, written, totalBytes, failure);
    }
}
