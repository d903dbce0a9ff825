package dev.paddock.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Adds weight and color to text, on terminals that support it. */
public record Style(boolean isOn) {
    /** Returns a style with color on a terminal only, and not where {@code NO_COLOR} is set. */
    public static Style of(InvocationContext caller) {
        boolean isUnwanted = !caller.variable("NO_COLOR").orElse("").isEmpty();
        return new Style(!isUnwanted && isTerminal(1, caller));
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

    /**
     * Returns whether a descriptor leads to a terminal that supports more than plain lines. The JDK
     * does not help: newer versions have a console where there is no terminal. Where the system
     * does not report it: no.
     */
    public static boolean isTerminal(int descriptor, InvocationContext caller) {
        if (caller.variable("TERM").orElse("dumb").equals("dumb")) {
            return false;
        }
        return leadsToTerminal(descriptor);
    }

    /** Returns whether a descriptor leads to a terminal, whatever that supports. */
    public static boolean leadsToTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException noSuchPlace) {
            return false;
        }
    }
}
