package dev.paddock.harness.tools.output;

/**
 * Renders an output as the lines that it leaves on a screen: without colors and cursor movements, after carriage
 * returns and backspaces. A progress bar is one line.
 */
public final class ScreenText {
    private final StringBuilder text;
    private final ControlSequences sequences = new ControlSequences();
    private int lineStart;
    private boolean returned;

    private ScreenText(int length) {
        text = new StringBuilder(length);
    }

    /** Returns the lines; text without control characters is returned as it is. */
    public static String of(String raw) {
        int plain = 0;
        while (plain < raw.length() && isPlain(raw.charAt(plain))) {
            plain++;
        }
        if (plain == raw.length()) {
            return raw;
        }
        ScreenText screen = new ScreenText(raw.length());
        raw.chars().forEach(one -> screen.accept((char) one));
        return screen.text.toString();
    }

    private static boolean isPlain(char one) {
        return one == '\n' || one == '\t' || !Character.isISOControl(one);
    }

    private void accept(char one) {
        if (sequences.shows(one)) {
            if (returned) { // a line end of CR LF shows nothing in between
                text.setLength(lineStart);
                returned = false;
            }
            text.append(one);
        } else if (one == '\n') {
            text.append('\n');
            lineStart = text.length();
            returned = false;
        } else if (one == '\r') {
            returned = true;
        } else if (one == '\b' && text.length() > lineStart) {
            text.setLength(text.length() - 1);
        }
    }
}
