package dev.paddock.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Shows a unified diff: removed lines in red and added ones in green, each in one line. */
public final class DiffText {
    private final Style style;

    public DiffText(Style style) {
        this.style = style;
    }

    /**
     * Renders a diff.
     *
     * @param diff the diff as text, from any source
     * @param most how many lines are shown; a line says how many more there are
     * @param width the most columns of a line
     */
    public List<String> lines(String diff, int most, int width) {
        List<String> given = diff.lines().toList();
        List<String> shown = new ArrayList<>();
        for (String line : given.subList(0, Math.min(most, given.size()))) {
            shown.add(styled(Printable.line(line, width)));
        }
        if (given.size() > most) {
            shown.add(style.dim("… " + (given.size() - most) + " more lines"));
        }
        return shown;
    }

    /** Returns a diff without the lines that name its file. */
    public static String withoutNames(String diff) {
        List<String> lines = diff.lines().toList();
        int from = lines.size() > 1
                        && lines.get(0).startsWith("--- ")
                        && lines.get(1).startsWith("+++ ")
                ? 2
                : 0;
        return String.join("\n", lines.subList(from, lines.size()));
    }

    private String styled(String line) {
        if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("diff ")) {
            return style.bold(line);
        }
        return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '+' -> style.good(line);
            case '-' -> style.bad(line);
            case '@' -> style.colored(line);
            default -> line;
        };
    }
}
