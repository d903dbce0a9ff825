package dev.paddock.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Weight and colour of text, on terminals that want it. */
public record Style(boolean isOn) {
    /** Colour on a terminal alone, and not where {@code NO_COLOR} is set. */
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

    private String in(String code, String text) {
        return isOn ? "\u001b[" + code + "m" + text + "\u001b[m" : text;
    }

    /**
     * Whether a descriptor leads to a terminal that knows more than lines. The JDK is no help: newer ones have a console where
     * there is no terminal. Where the system does not tell: plain.
     */
    public static boolean isTerminal(int descriptor, InvocationContext caller) {
        if (caller.variable("TERM").orElse("dumb").equals("dumb")) {
            return false;
        }
        return leadsToTerminal(descriptor);
    }

    /** Whether a descriptor leads to a terminal, whatever that knows. */
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
