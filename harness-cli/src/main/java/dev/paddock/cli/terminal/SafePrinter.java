package dev.paddock.cli.terminal;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prints this program's text. Nothing in it, such as a host's message or an image's name, can steer the terminal:
 * {@link Printable} shows everything but line ends, tabs and the codes of {@link Style}. Bytes written as such pass
 * unchanged.
 */
public final class SafePrinter extends PrintStream {
    private static final Pattern STYLE = Pattern.compile("\u001b\\[(?:[123]|3[126])?m");

    SafePrinter(OutputStream to, Charset charset) {
        super(to, true, charset);
    }

    /** Returns a text as it is printed. */
    public static String escaped(String text) {
        if (isPlain(text)) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length());
        Matcher style = STYLE.matcher(text);
        int from = 0;
        while (style.find()) {
            safe.append(Printable.text(text.substring(from, style.start()))).append(style.group());
            from = style.end();
        }
        return safe.append(Printable.text(text.substring(from))).toString();
    }

    private static boolean isPlain(String text) {
        for (int at = 0; at < text.length(); at++) {
            char one = text.charAt(at);
            if ((one < ' ' && one != '\n' && one != '\t') || one > '~') {
                return false;
            }
        }
        return true;
    }

    @Override
    public void print(String text) {
        super.print(escaped(String.valueOf(text)));
    }

    @Override
    public void print(Object value) {
        print(String.valueOf(value));
    }

    @Override
    public void print(char one) {
        print(String.valueOf(one));
    }

    @Override
    public void print(char[] text) {
        print(String.valueOf(text));
    }
}
