package dev.paddock.cli.command;

import java.util.List;

/**
 * A subcommand's help text, except for its options.
 *
 * @param usage the forms of the command line, one form a line
 * @param description what the subcommand does
 * @param notes further notes, shown after the options; empty if there are none
 */
public record Manual(List<String> usage, String description, String notes) {
    private static final int LABEL_WIDTH = 24;

    /** Returns the whole help text. */
    public String render(List<Option> options) {
        StringBuilder text = new StringBuilder();
        String lead = "usage: ";
        for (String form : usage) {
            text.append(lead).append(form).append('\n');
            lead = "       ";
        }
        text.append('\n').append(description.strip()).append('\n');
        section(
                text,
                "Options",
                options.stream()
                        .filter(option -> !SandboxFlags.ALL.contains(option))
                        .toList());
        SandboxFlags.SECTIONS.forEach(section -> section(
                text,
                section.title(),
                section.options().stream().filter(options::contains).toList()));
        if (!notes.isEmpty()) {
            text.append('\n').append(notes.strip()).append('\n');
        }
        return text.toString();
    }

    private static void section(StringBuilder text, String title, List<Option> options) {
        if (!options.isEmpty()) {
            text.append('\n').append(title).append(":\n");
            options.forEach(option -> entry(text, option.usage(), option.help()));
        }
    }

    /** Appends a label and its explanation in the next column. */
    public static void entry(StringBuilder text, String label, List<String> lines) {
        String beside = "  " + label;
        for (String line : lines) {
            if (beside.length() > LABEL_WIDTH - 2) {
                text.append(beside).append('\n');
                beside = "";
            }
            text.append(beside)
                    .append(" ".repeat(LABEL_WIDTH - beside.length()))
                    .append(line)
                    .append('\n');
            beside = "";
        }
    }
}
