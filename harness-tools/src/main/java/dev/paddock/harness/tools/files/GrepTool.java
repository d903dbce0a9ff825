package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.files.GrepSearch;
import dev.paddock.harness.files.Listing;
import dev.paddock.harness.files.Location;
import dev.paddock.harness.files.pattern.Glob;
import dev.paddock.harness.files.pattern.TimedPattern;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Schema;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds lines by their content. */
final class GrepTool extends FileTool {
    private static final int MOST_CONTEXT = 20;

    GrepTool(ContainedFiles files) {
        super(
                files,
                "grep",
                "Search files for a regular expression (Java's), line by line. What .gitignore names, binary files and files "
                        + "over 10 MiB are left out, unless path names them. Sorted by path; at most "
                        + GrepSearch.MOST_MATCHES
                        + " matching lines, each cut to " + GrepSearch.MOST_CHARACTERS + " characters.",
                new Schema()
                        .required("pattern", "string", "The regular expression, or the text if literal is set")
                        .optional("path", "string", "The file or directory to search (default: the working directory)")
                        .optional("literal", "boolean", "Take the pattern as plain text (default false)")
                        .optional("glob", "string", "Only files that match, such as *.java or src/**/*.{ts,tsx}")
                        .optional(
                                "context", "integer", "Lines to show before and after each match, 0 to 20 (default 0)")
                        .optional("ignore_case", "boolean", "Match without regard to case (default false)"));
    }

    @Override
    public boolean readOnly() {
        return true;
    }

    @Override
    ToolResult run(Arguments arguments, AbortSignal signal) throws IOException {
        String expression = arguments.text("pattern");
        if (expression.isEmpty()) {
            throw new ToolException("the pattern is empty. Give a text or a regular expression");
        }
        int flags = (arguments.flag("literal") ? Pattern.LITERAL : 0)
                | (arguments.flag("ignore_case") ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
        TimedPattern pattern = TimedPattern.compile(expression, flags, signal);
        Optional<Glob> glob =
                arguments.optionalText("glob").filter(given -> !given.isEmpty()).map(Glob::compile);
        int context = (int) arguments.number("context", 0, MOST_CONTEXT, 0);
        try (Location where = files.locate(arguments.pathOrRoot())) {
            GrepSearch search = new GrepSearch(files, where, pattern, glob, context, signal);
            return result(search.run());
        }
    }

    private static ToolResult result(GrepSearch.Result found) {
        notices(found);
        return ToolResult.ok(found.lines().text("(no match)"))
                .withDetails(details()
                        .put("matches", found.matches())
                        .put("more", found.more() || found.late())
                        .put("searched", found.searched())
                        .put("binary", found.binary())
                        .put("large", found.large())
                        .put("unreadable", found.unreadable()));
    }

    private static void notices(GrepSearch.Result found) {
        Listing lines = found.lines();
        if (found.more()) {
            lines.notice("The first " + found.matches()
                    + " matching lines are shown; there are more. Narrow down with path, glob or "
                    + "a more exact pattern");
        }
        if (found.late()) {
            lines.notice("Stopped after " + GrepSearch.LONGEST.toSeconds() + " s and " + found.searched()
                    + " files. Narrow down with path or glob");
        }
        leftOut(lines, found.binary(), "binary", "");
        leftOut(lines, found.large(), "over 10 MiB", "; name one as path to search it");
        leftOut(lines, found.unreadable(), "unreadable", "");
        if (found.cutLines() > 0) {
            lines.notice(found.cutLines() + " lines were searched in their first MiB alone");
        }
    }

    private static void leftOut(Listing lines, int files, String kind, String remedy) {
        if (files > 0) {
            lines.notice(files + (files == 1 ? " file" : " files") + " left out: " + kind + remedy);
        }
    }
}
