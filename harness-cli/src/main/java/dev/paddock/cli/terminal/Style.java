package dev.paddock.cli.terminal;

/** Adds weight and color to text, on terminals that support it. */
public record Style(boolean isOn) {
    /** Returns a style with color on a terminal only, and not where {@code NO_COLOR} is set. */
    public static Style of(InvocationContext caller) {
        boolean isUnwanted = !caller.variable("NO_COLOR").orElse("").isEmpty();
        return new Style(!isUnwanted && caller.isTerminal(1));
    }

    public String bold(String text) {
        return in("1", text);
    }

    public String dim(String text) {
        return in("2", text);
    }

    public String good(String text) {
        return in("32", text);
    }

    public String bad(String text) {
        return in("31", text);
    }

    public String emphasized(String text) {
        return in("3", text);
    }

    public String colored(String text) {
        return in("36", text);
    }

    /** Returns how many columns a styled line takes; the style takes none. */
    public static int columns(String line) {
        return line.replaceAll("\u001b\\[\\d*m", "")
                .codePoints()
                .map(Printable::width)
                .sum();
    }

    private String in(String code, String text) {
        return isOn ? "\u001b[" + code + "m" + text + "\u001b[m" : text;
    }
}
