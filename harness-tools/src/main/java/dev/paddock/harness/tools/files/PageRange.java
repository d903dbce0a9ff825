package dev.paddock.harness.tools.files;

import dev.paddock.harness.tools.ToolException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pages of a document that a call asks for, such as {@code 3} or {@code 1-3}. */
record PageRange(int first, int last) {
    static final int MAX_PAGES = 20;
    static final String ARGUMENT =
            "Pages of a PDF, such as 3 or 1-3 (default 1-" + MAX_PAGES + ", at most " + MAX_PAGES + " at once)";

    private static final Pattern FORM = Pattern.compile("(?<first>[1-9][0-9]{0,5})(-(?<last>[1-9][0-9]{0,5}))?");

    /** Returns the pages of a call that names none. */
    static PageRange standard() {
        return new PageRange(1, MAX_PAGES);
    }

    static PageRange of(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new ToolException("'pages' is '" + text + "'. Give a page or a range, such as 3 or 1-3");
        }
        int first = Integer.parseInt(form.group("first"));
        int last = form.group("last") == null ? first : Integer.parseInt(form.group("last"));
        if (last < first || last - first >= MAX_PAGES) {
            throw new ToolException(
                    "'pages' is '" + text + "'. Give at most " + MAX_PAGES + " pages, the lower number first");
        }
        return new PageRange(first, last);
    }
}
