package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import java.util.ArrayList;
import java.util.List;

/** Converts a unified diff to the protocol's diffs: the texts before and after each hunk. */
final class ChangedFile {
    private final String path;
    private final List<AcpSchema.ToolCallContent> diffs = new ArrayList<>();
    private final StringBuilder before = new StringBuilder();
    private final StringBuilder after = new StringBuilder();

    private ChangedFile(String path) {
        this.path = path;
    }

    /** Returns the diffs of a unified diff of one file. */
    static List<AcpSchema.ToolCallContent> diffs(String path, String unified) {
        ChangedFile file = new ChangedFile(path);
        boolean isInHunk = false;
        for (String line : unified.split("\n", -1)) {
            if (line.startsWith("@@")) {
                file.end();
                isInHunk = true;
            } else if (isInHunk && !line.isEmpty()) {
                file.take(line.charAt(0), line.substring(1));
            }
        }
        file.end();
        return file.diffs;
    }

    private void take(char kind, String line) {
        if (kind == ' ' || kind == '-') {
            before.append(line).append('\n');
        }
        if (kind == ' ' || kind == '+') {
            after.append(line).append('\n');
        }
    }

    private void end() {
        if (before.length() > 0 || after.length() > 0) {
            diffs.add(new AcpSchema.ToolCallDiff(null, path, before.toString(), after.toString()));
            before.setLength(0);
            after.setLength(0);
        }
    }
}
