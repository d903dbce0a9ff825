package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.workspace.GrepQuery;
import dev.paddock.harness.files.workspace.GrepResult;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.FilesUnderWay;
import dev.paddock.harness.tools.text.Schema;
import java.util.List;
import java.util.Optional;

/** Finds lines by their content. */
final class GrepTool extends FileTool {
    private static final int MAX_CONTEXT = 20;
    private static final int MAX_MATCHES = 100;
    private static final int MAX_CHARACTERS = 500;

    GrepTool(WorkspaceFiles files, FilesUnderWay underWay) {
        super(
                files,
                underWay,
                "grep",
                "Search files by content",
                "Search files for a regular expression (Java's), line by line. What .gitignore names, binary files and files "
                        + "over 10 MiB are left out, unless path names them. Sorted by path; at most "
                        + MAX_MATCHES
                        + " matching lines, each cut to " + MAX_CHARACTERS + " characters.",
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
    public boolean isReadOnly() {
        return true;
    }

    @Override
    ToolResult run(FileToolArguments arguments, AbortSignal signal) {
        String expression = arguments.text("pattern");
        if (expression.isEmpty()) {
            throw new ToolException("the pattern is empty. Give a text or a regular expression");
        }
        int context = (int) arguments.number("context", 0, MAX_CONTEXT, 0);
        GrepQuery query = (arguments.flag("literal") ? GrepQuery.text(expression) : GrepQuery.regex(expression))
                .ignoreCase(arguments.flag("ignore_case"))
                .include(arguments.optionalText("glob").filter(given -> !given.isEmpty()).stream()
                        .toList())
                .in(pathOrRoot(arguments))
                .context(context)
                .most(MAX_MATCHES)
                .width(MAX_CHARACTERS)
                .withoutIgnored();
        GrepResult found = files.grep(query, signal);
        Listing listing = new Listing(Integer.MAX_VALUE);
        int matches = list(found.lines(), context > 0, listing);
        boolean more = found.hasMore() || listing.isFull();
        notices(found, matches, more, listing);
        return ToolResult.ok(listing.text("(no match)"))
                .withDetails(Json.object()
                        .with("matches", matches)
                        .with("more", more || found.isLate())
                        .with("searched", found.searched())
                        .with("binary", found.binary())
                        .with("large", found.large())
                        .with("unreadable", found.unreadable()));
    }

    /** Lists the lines, with a mark in each gap; counts matches. */
    private static int list(List<GrepResult.Line> lines, boolean withGaps, Listing listing) {
        int matches = 0;
        Optional<GrepResult.Line> last = Optional.empty();
        for (GrepResult.Line line : lines) {
            if (withGaps && last.isPresent() && !follows(line, last.get())) {
                listing.add("--");
            }
            String mark = line.matches() ? ":" : "-";
            if (!listing.add(line.path() + mark + line.number() + mark + " " + line.text())) {
                break;
            }
            matches += line.matches() ? 1 : 0;
            last = Optional.of(line);
        }
        return matches;
    }

    private static boolean follows(GrepResult.Line line, GrepResult.Line last) {
        return line.path().equals(last.path()) && line.number() == last.number() + 1;
    }

    private static void notices(GrepResult found, int matches, boolean more, Listing lines) {
        if (more) {
            lines.notice("The first " + matches
                    + " matching lines are shown; there are more. Narrow down with path, glob or "
                    + "a more exact pattern");
        }
        if (found.isLate()) {
            lines.notice("Stopped after " + GrepQuery.MAX_TIME.toSeconds() + " s and " + found.searched()
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
