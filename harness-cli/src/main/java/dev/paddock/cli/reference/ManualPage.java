package dev.paddock.cli.reference;

import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import java.util.regex.Pattern;

/** Writes the manual page {@code paddock(1)} with the macros of man(7). */
final class ManualPage {
    private static final Pattern PARAGRAPHS = Pattern.compile("\n\n+");

    private final StringBuilder page = new StringBuilder();

    private ManualPage() {}

    static String of(Reference reference, String version) {
        ManualPage manual = new ManualPage();
        manual.line(".TH PADDOCK 1 \"\" \"paddock " + text(version) + "\" \"User Commands\"");
        manual.line(".SH NAME");
        manual.line("paddock \\- gives a model a shell without giving it the machine");
        manual.line(".SH SYNOPSIS");
        manual.line(".B paddock");
        manual.line(".I COMMAND");
        manual.line("[\\fIoptions\\fR] ...");
        manual.line(".SH COMMANDS");
        reference.commands().forEach(command -> manual.command(reference, command));
        manual.line(".SH ENVIRONMENT");
        manual.item("PADDOCK_DEBUG", "If set and not 0, faults are shown with where they came from.");
        manual.item("XDG_STATE_HOME", "Sessions and Paddock's own files are kept below it; ~/.local/state by default.");
        return manual.page.toString();
    }

    private void command(Reference reference, Subcommand command) {
        Manual manual = command.manual();
        line(".SS \"paddock " + text(command.name()) + "\"");
        line(".nf");
        manual.usage().forEach(form -> line(text(form)));
        line(".fi");
        paragraphs(manual.description());
        reference.options(command).forEach(this::option);
        paragraphs(manual.notes());
    }

    private void option(Option option) {
        line(".TP");
        line("\\fB" + text(option.name()) + "\\fR"
                + (option.takesValue() ? " \\fI" + text(option.value()) + "\\fR" : ""));
        line(text(Reference.sentence(option)));
    }

    private void item(String name, String meaning) {
        line(".TP");
        line(".B " + text(name));
        line(text(meaning));
    }

    private void paragraphs(String text) {
        PARAGRAPHS
                .splitAsStream(text.stripTrailing())
                .filter(paragraph -> !paragraph.isBlank())
                .forEach(this::paragraph);
    }

    /** Writes a paragraph; indented lines are an example, which keeps its line breaks. */
    private void paragraph(String text) {
        boolean isExample = text.startsWith("  ");
        line(".PP");
        if (isExample) {
            line(".nf");
        }
        text.lines().forEach(each -> line(text(isExample ? each : each.strip())));
        if (isExample) {
            line(".fi");
        }
    }

    private void line(String line) {
        page.append(line).append('\n');
    }

    /** Escapes text, so that no character of it is a request, an escape or a typographic dash. */
    private static String text(String text) {
        String escaped = text.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("'", "\\(aq")
                .replace("^", "\\(ha");
        escaped = escaped.replace("~", "\\(ti").replace("`", "\\(ga").replace("\"", "\\(dq");
        return escaped.startsWith(".") ? "\\&" + escaped : escaped;
    }
}
