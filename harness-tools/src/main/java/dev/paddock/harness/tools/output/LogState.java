package dev.paddock.harness.tools.output;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What of an output is in files.
 *
 * @param files the files, on the host, the one with the oldest bytes first; none if nothing was or could be kept
 * @param firstByte how many bytes of the output come before what the files hold
 * @param bytes how many bytes they hold
 * @param totalBytes how many bytes the whole output has
 * @param failure why there is less in them than their size allows; empty if there is not
 */
public record LogState(List<Path> files, long firstByte, long bytes, long totalBytes, Optional<String> failure) {

    /** Where the whole output is, or what of it is left and why: a sentence without its full stop. */
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
