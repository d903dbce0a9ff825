package dev.paddock.cli.doctor;

import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.executor.Availability;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.config.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Renders the probe results for people, within 80 columns. */
public final class Report {
    private static final int WIDTH = 80;
    private static final int PROMISE_WIDTH = 37;
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private Report() {}

    static String render(Map<String, Availability> findings) {
        StringBuilder text = new StringBuilder();
        int nameWidth =
                findings.keySet().stream().mapToInt(String::length).max().orElse(0) + 2;
        findings.forEach((name, availability) -> {
            boolean isHost = name.equals(SandboxFlags.HOST);
            backend(text, pad(name, nameWidth), availability, isHost ? "; no sandbox, used only when named" : "");
        });
        guarantees(text, findings);
        return text.toString();
    }

    /** Renders the findings of a check, one row each, with the remedy below. */
    static String render(List<Finding> findings) {
        StringBuilder text = new StringBuilder();
        int width = findings.stream()
                        .mapToInt(finding -> finding.subject().length())
                        .max()
                        .orElse(0)
                + 2;
        for (Finding finding : findings) {
            String lead = pad(finding.subject(), width) + (finding.ok() ? "ok      " : "failed  ");
            paragraph(text, lead, finding.detail());
            if (!finding.remedy().isEmpty()) {
                paragraph(text, " ".repeat(lead.length()), finding.remedy());
            }
        }
        return text.toString();
    }

    private static void backend(StringBuilder text, String name, Availability availability, String remark) {
        switch (availability) {
            case Availability.Usable usable -> paragraph(text, name + "usable      ", usable.version() + remark);
            case Availability.Unusable unusable -> {
                String lead = name + "not usable  ";
                paragraph(text, lead, unusable.reason());
                paragraph(text, " ".repeat(lead.length()), unusable.remedy());
            }
        }
    }

    private static void guarantees(StringBuilder text, Map<String, Availability> findings) {
        List<Map.Entry<String, Availability.Usable>> usable = new ArrayList<>();
        findings.forEach((name, availability) -> {
            if (availability instanceof Availability.Usable found) {
                usable.add(Map.entry(name, found));
            }
        });
        if (usable.isEmpty()) {
            return;
        }
        StringBuilder heading = new StringBuilder("\n").append(pad("What each would guarantee here:", PROMISE_WIDTH));
        usable.forEach(entry -> heading.append(pad(entry.getKey(), columnWidth(entry.getKey()))));
        text.append(heading.toString().stripTrailing()).append('\n');
        for (Guarantee guarantee : Guarantee.values()) {
            StringBuilder row = new StringBuilder(pad("  " + promise(guarantee), PROMISE_WIDTH));
            usable.forEach(entry -> row.append(
                    pad(entry.getValue().guarantees().contains(guarantee) ? "yes" : "-", columnWidth(entry.getKey()))));
            text.append(row.toString().stripTrailing()).append('\n');
        }
    }

    /** Describes a guarantee in few words, so that the columns fit beside it. */
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
        };
    }

    /** Appends text beside a lead, wrapped between words. */
    private static void paragraph(StringBuilder text, String lead, String words) {
        paragraph(text, lead, " ".repeat(lead.length()), words);
    }

    public static void paragraph(StringBuilder text, String lead, String margin, String words) {
        StringBuilder line = new StringBuilder(lead);
        boolean isBlank = true;
        for (String word : SPACE.splitAsStream(words.strip()).toList()) {
            if (!isBlank && line.length() + 1 + word.length() > WIDTH) {
                text.append(line.toString().stripTrailing()).append('\n');
                line = new StringBuilder(margin);
                isBlank = true;
            }
            line.append(isBlank ? "" : " ").append(word);
            isBlank = false;
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static int columnWidth(String name) {
        return Math.max(name.length(), 3) + 2;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
