package dev.paddock.harness.tools.files;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.Patch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Formats a change of a file as a unified diff, for {@code patch} and for people. */
final class UnifiedDiff {
    private static final int CONTEXT = 3;

    /** The limit of the minimal diff, whose memory grows with the square of the changed lines. */
    private static final int MAX_CHANGED_LINES = 2_000;

    private UnifiedDiff() {}

    static String of(String path, byte[] before, byte[] after) {
        List<String> old = lines(before);
        List<String> fresh = lines(after);
        List<String> diff =
                UnifiedDiffUtils.generateUnifiedDiff("a/" + path, "b/" + path, old, patch(old, fresh), CONTEXT);
        return diff.isEmpty() ? "" : String.join("\n", diff) + "\n";
    }

    private static Patch<String> patch(List<String> old, List<String> fresh) {
        int shorter = Math.min(old.size(), fresh.size());
        int head = 0;
        while (head < shorter && old.get(head).equals(fresh.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head && old.get(old.size() - 1 - tail).equals(fresh.get(fresh.size() - 1 - tail))) {
            tail++;
        }
        List<String> removed = old.subList(head, old.size() - tail);
        List<String> added = fresh.subList(head, fresh.size() - tail);
        if (removed.size() + added.size() <= MAX_CHANGED_LINES) {
            return DiffUtils.diff(old, fresh);
        }
        Patch<String> whole = new Patch<>();
        whole.addDelta(new ChangeDelta<>(new Chunk<>(head, removed), new Chunk<>(head, added)));
        return whole;
    }

    /** Splits into lines; marks a last line without a line feed, as {@code diff} does. */
    private static List<String> lines(byte[] content) {
        String text = new String(content, StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        String last = lines.removeLast();
        if (!last.isEmpty()) {
            lines.add(last + "\n\\ No newline at end of file");
        }
        return lines;
    }
}
