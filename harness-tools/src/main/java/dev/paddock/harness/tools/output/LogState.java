package dev.paddock.harness.tools.output;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Describes the part of an output that is in files.
 *
 * @param files the files, on the host, the one with the oldest bytes first; none if nothing was or could be kept
 * @param firstByte how many bytes of the output precede those in the files
 * @param bytes how many bytes the files contain
 * @param totalBytes how many bytes the whole output has
 * @param failure why the files contain less than their size allows; empty if they do not
 */
record LogState(List<Path> files, long firstByte, long bytes, long totalBytes, Optional<String> failure) {

    /**
     * Describes where the whole output is, or which part remains and why: a sentence without its
     * full stop.
     */
    String whereabouts() {
        if (bytes == 0) {
            return "The rest is lost: "
                    + failure.map(reason -> "no log could be written: " + reason)
                            .orElse("this session keeps no logs");
        }
        if (bytes == totalBytes) {
            return "Full output: " + names();
        }
        String held = firstByte == 0 ? "The first " + bytes : "The last " + (totalBytes - firstByte);
        return held + " bytes are in " + names()
                + failure.map(reason -> "; the log could not be written further: " + reason)
                        .orElse("; a log holds no more than that");
    }

    private String names() {
        return files.stream().map(Path::toString).collect(Collectors.joining(" and "));
    }
}
