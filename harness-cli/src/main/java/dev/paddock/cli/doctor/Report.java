package dev.paddock.cli.doctor;

import dev.paddock.executor.Availability;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.config.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Renders the results of probes and checks for people, within a width. */
public final class Report {
    private static final int PROMISE_WIDTH = 37;
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private final StringBuilder text = new StringBuilder();
    private final int width;

    /**
     * Creates an empty report.
     *
     * @param width the most columns of a line; only a longer word, or the first columns of a table, exceeds them
     */
    public Report(int width) {
        this.width = width;
    }

    public String text() {
        return text.toString();
    }

    /** Renders the results of the backends' probes, and a table of their guarantees. */
    Report backends(Map<String, Availability> findings) {
        int nameWidth =
                findings.keySet().stream().mapToInt(String::length).max().orElse(0) + 2;
        findings.forEach((name, availability) -> {
            boolean isNone = availability.isUsable() && !ProbeResults.isSandbox(availability);
            backend(pad(name, nameWidth), availability, isNone ? "; no sandbox, used only when named" : "");
        });
        List<Column> row = new ArrayList<>();
        findings.forEach((name, availability) -> {
            if (availability instanceof Availability.Usable usable) {
                Column column = new Column(name, usable);
                if (!row.isEmpty() && PROMISE_WIDTH + columns(row) + name.length() > width) {
                    guarantees(row);
                    row.clear();
                }
                row.add(column);
            }
        });
        if (!row.isEmpty()) {
            guarantees(row);
        }
        return this;
    }

    /** Renders the findings of a check, one row each, with the remedy below. */
    Report findings(List<Finding> findings) {
        int subjectWidth = findings.stream()
                        .mapToInt(finding -> finding.subject().length())
                        .max()
                        .orElse(0)
                + 2;
        for (Finding finding : findings) {
            String lead = pad(finding.subject(), subjectWidth) + (finding.ok() ? "ok      " : "failed  ");
            paragraph(lead, finding.detail());
            if (!finding.remedy().isEmpty()) {
                paragraph(" ".repeat(lead.length()), finding.remedy());
            }
        }
        return this;
    }

    private void backend(String name, Availability availability, String remark) {
        switch (availability) {
            case Availability.Usable usable -> paragraph(name + "usable      ", usable.version() + remark);
            case Availability.Unusable unusable -> {
                boolean isKnown = unusable.outlook() != Availability.Outlook.UNDECIDED;
                String lead = name + (isKnown ? "not usable  " : "undecided   ");
                paragraph(lead, unusable.reason());
                paragraph(" ".repeat(lead.length()), unusable.remedy());
            }
        }
    }

    /** A backend's column in the table of guarantees. */
    private record Column(String name, Availability.Usable found) {
        private int width() {
            return Math.max(name.length(), 3) + 2;
        }
    }

    private static int columns(List<Column> row) {
        return row.stream().mapToInt(Column::width).sum();
    }

    /** Renders a table of the backends that fit next to each other. */
    private void guarantees(List<Column> backends) {
        StringBuilder heading = new StringBuilder(pad("What each would guarantee here:", PROMISE_WIDTH));
        backends.forEach(backend -> heading.append(pad(backend.name(), backend.width())));
        blank().line(heading);
        for (Guarantee guarantee : Guarantee.values()) {
            StringBuilder row = new StringBuilder(pad("  " + promise(guarantee), PROMISE_WIDTH));
            backends.forEach(backend ->
                    row.append(pad(backend.found().guarantees().contains(guarantee) ? "yes" : "-", backend.width())));
            line(row);
        }
    }

    /** Describes a guarantee in few words, to leave room for the columns. */
    static String promise(Guarantee guarantee) {
        return switch (guarantee) {
            case WRITE_CONFINED -> "writes confined to the worktree";
            case READ_CONFINED -> "reads confined to what is granted";
            case NETWORK_OFF -> "network off means off";
            case NETWORK_ALLOWED_HOSTS -> "network of allowed hosts alone";
            case UNIX_SOCKETS_OFF -> "unix sockets out of reach";
            case TREE_KILL -> "a kill reaches every descendant";
            case DIES_WITH_HOST -> "nothing survives paddock's death";
            case ENV_CONFINED -> "no other's environment readable";
            case EXACT_STATUS -> "exit 137 distinct from SIGKILL";
            case PRIVATE_TMP -> "/tmp of its own";
            case PRIVATE_HOME -> "$HOME of its own";
            case PRIVATE_LOOPBACK -> "loopback of its own";
            case PROTECTED_PATHS -> "protected paths unchangeable";
            case MEMORY_LIMIT -> "memory limit binds";
            case CPU_LIMIT -> "CPU limit binds";
            case PROCESS_LIMIT -> "process limit binds";
            case NO_NEW_PRIVILEGES -> "no program gains privileges";
            case SYSCALL_FILTER -> "dangerous system calls refused";
            case TERMINAL -> "a terminal of its own";
            case PUBLISHED_PORTS -> "ports published to this machine";
        };
    }

    Report blank() {
        text.append('\n');
        return this;
    }

    private void line(StringBuilder line) {
        text.append(line.toString().stripTrailing()).append('\n');
    }

    /** Renders text next to a lead, wrapped between words. */
    void paragraph(String lead, String words) {
        paragraph(lead, " ".repeat(lead.length()), words);
    }

    /**
     * Renders text next to a lead, wrapped between words.
     *
     * @param margin begins each line but the first
     */
    public Report paragraph(String lead, String margin, String words) {
        StringBuilder line = new StringBuilder(lead);
        boolean isBlank = true;
        for (String word : SPACE.splitAsStream(words.strip()).toList()) {
            if (!isBlank && line.length() + 1 + word.length() > width) {
                line(line);
                line = new StringBuilder(margin);
                isBlank = true;
            }
            line.append(isBlank ? "" : " ").append(word);
            isBlank = false;
        }
        line(line);
        return this;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
