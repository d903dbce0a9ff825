package dev.paddock.executor.worktree.git;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The contents of references and lists of references, exactly as git writes them; bytes as ISO 8859-1. */
final class ReferenceGrammar {
    private static final String OBJECT = "(?:[0-9a-f]{40}|[0-9a-f]{64})";
    private static final Pattern COMMIT = Pattern.compile(OBJECT);
    private static final Pattern FETCHED = Pattern.compile(OBJECT + "\\t(?:not-for-merge)?\\t[^\\x00-\\x1f\\x7f]*");
    private static final Pattern PEELED = Pattern.compile("\\^" + OBJECT);
    private static final Pattern HEADER = Pattern.compile("# pack-refs with:[ a-z-]*");

    private static final Pattern LINE_FEED = Pattern.compile("\n");

    private static final String SYMBOLIC = "ref: ";
    private static final String REFERENCES = "refs/";
    private static final String LOCK = ".lock";
    private static final String FORBIDDEN = " ~^:?*[\\\u007f";

    /** The content that git writes if references are in tables, so that an older git finds no repository. */
    private static final String HEAD_OF_TABLES = "ref: refs/heads/.invalid\n";

    private static final String FILE_OF_TABLES = "this repository uses the reftable format\n";

    private ReferenceGrammar() {}

    static boolean isHead(String content) {
        return isReference(content) || content.equals(HEAD_OF_TABLES);
    }

    /** Returns whether a content is valid for the file of a reference. */
    static boolean isReference(String content) {
        return lines(content)
                        .filter(lines -> lines.size() == 1
                                && COMMIT.matcher(lines.get(0)).matches())
                        .isPresent()
                || symbolic(content).filter(ReferenceGrammar::isName).isPresent()
                || content.equals(FILE_OF_TABLES);
    }

    /** Returns the name of the reference that a symbolic one points to. */
    static Optional<String> symbolic(String content) {
        return content.startsWith(SYMBOLIC) && content.endsWith("\n")
                ? Optional.of(content.substring(SYMBOLIC.length(), content.length() - 1))
                : Optional.empty();
    }

    /** Returns whether a content is valid for a file such as {@code MERGE_HEAD}. */
    static boolean isListOfCommits(String content) {
        return lines(content)
                .filter(lines -> !lines.isEmpty()
                        && lines.stream().allMatch(line -> COMMIT.matcher(line).matches()))
                .isPresent();
    }

    static boolean isFetched(String content) {
        return lines(content)
                .filter(lines ->
                        lines.stream().allMatch(line -> FETCHED.matcher(line).matches()))
                .isPresent();
    }

    /** Returns the lines of a content; empty if the last one has no end. */
    static Optional<List<String>> lines(String content) {
        if (content.isEmpty()) {
            return Optional.of(List.of());
        }
        return content.endsWith("\n")
                ? Optional.of(List.of(LINE_FEED.split(content.substring(0, content.length() - 1), -1)))
                : Optional.empty();
    }

    /**
     * Returns whether a content is valid for {@code packed-refs}.
     *
     * @param names receives the names of the references
     */
    static boolean isPacked(String content, Consumer<String> names) {
        if (!content.isEmpty() && !content.endsWith("\n")) {
            return false;
        }
        boolean peelable = false;
        int start = 0;
        while (start < content.length()) {
            int end = content.indexOf('\n', start);
            String line = content.substring(start, end);
            if (line.startsWith("#")) {
                if (start > 0 || !HEADER.matcher(line).matches()) {
                    return false;
                }
            } else if (line.startsWith("^")) {
                if (!peelable || !PEELED.matcher(line).matches()) {
                    return false;
                }
                peelable = false;
            } else {
                int space = line.indexOf(' ');
                String name = line.substring(space + 1);
                if (space < 0 || !COMMIT.matcher(line.substring(0, space)).matches() || !isName(name)) {
                    return false;
                }
                names.accept(name);
                peelable = true;
            }
            start = end + 1;
        }
        return true;
    }

    /** Returns whether git accepts a reference name that starts with {@code refs/}. */
    static boolean isName(String name) {
        if (!name.startsWith(REFERENCES) || name.endsWith(".")) {
            return false;
        }
        int start = 0;
        for (int at = 0; at <= name.length(); at++) {
            char next = at == name.length() ? '/' : name.charAt(at);
            if (next == '/') {
                if (at == start
                        || name.charAt(start) == '.'
                        || (name.startsWith(LOCK, at - LOCK.length()) && at - LOCK.length() >= start)) {
                    return false;
                }
                start = at + 1;
            } else if (next < ' '
                    || FORBIDDEN.indexOf(next) >= 0
                    || name.startsWith("..", at)
                    || name.startsWith("@{", at)) {
                return false;
            }
        }
        return true;
    }
}
