package dev.paddock.harness.tools.files;

import java.util.List;
import java.util.regex.Pattern;

/** Explains why a text to be replaced is not in the file, by checking for the usual reasons. */
final class NotFoundHint {
    private static final Pattern NUMBERED = Pattern.compile("^ *[0-9]+\t");

    private NotFoundHint() {}

    static String of(String file, String sought) {
        if (file.indexOf('\0') >= 0) {
            return "The file is binary or not UTF-8";
        }
        List<String> wanted = sought.strip().lines().map(NotFoundHint::squeezed).toList();
        if (wanted.isEmpty()) {
            return "It is nothing but white space; give some text around it";
        }
        if (wanted.stream()
                        .allMatch(line ->
                                line.isEmpty() || NUMBERED.matcher(line + "\t").find())
                || NUMBERED.matcher(sought).find()) {
            return "It seems to contain line numbers: leave out the number and the tab that read puts before each line";
        }
        List<String> present = file.lines().map(NotFoundHint::squeezed).toList();
        for (int at = 0; at + wanted.size() <= present.size(); at++) {
            if (standsAt(present, at, wanted)) {
                String lines =
                        wanted.size() == 1 ? "Line " + (at + 1) : "Lines " + (at + 1) + "-" + (at + wanted.size());
                return lines + " would match but for white space: read there and copy the text exactly";
            }
        }
        return "Read the file and copy the text exactly, white space included";
    }

    private static boolean standsAt(List<String> present, int at, List<String> wanted) {
        if (wanted.size() == 1) {
            return present.get(at).contains(wanted.getFirst());
        }
        return present.subList(at, at + wanted.size()).equals(wanted);
    }

    private static String squeezed(String line) {
        return line.strip().replaceAll("\\s+", " ");
    }
}
