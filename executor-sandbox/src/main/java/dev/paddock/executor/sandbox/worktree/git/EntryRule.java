package dev.paddock.executor.sandbox.worktree.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.sandbox.worktree.files.NameSkeleton;
import java.util.List;
import java.util.regex.Pattern;

/** The rule for an entry of a git directory, chosen by the name. */
enum EntryRule {
    /** Data that git maintains. */
    FREE,
    /** Data that git maintains in a file; a directory in its place may not stay. */
    FREE_FILE,
    /** A lock that a git command removes at its end. */
    LOCK,
    /** A file of references, or a reference. */
    REFERENCE,
    /** The current branch. */
    HEAD,
    /** Free, but it should be known if it has lines other than comments. */
    PATTERNS,
    /** The state of an unfinished rebase, merge, or cherry-pick. */
    UNFINISHED,
    /** Names directories with further objects. */
    ALTERNATES,
    /** The repository's configuration. */
    CONFIGURATION,
    /** Programs that git runs. */
    HOOK,
    /** Names another part of the repository. */
    POINTER,
    /** Git obeys it, and no ordinary git command creates it. */
    FORBIDDEN,
    /** Its existence switches something on. */
    SWITCH,
    /** An entry of {@code worktrees} that is no repository. */
    RECORD,
    /** A name that git does not read. */
    UNKNOWN;

    private record Pair(Pattern name, EntryRule rule) {}

    /** The first that matches the whole relative path counts. */
    private static final List<Pair> NAMES = List.of(
            pair("", FREE),
            pair("objects/info/(http-)?alternates", ALTERNATES),
            pair("config", CONFIGURATION),
            pair("hooks(/.*)?", HOOK),
            pair("commondir|gitdir|config\\.worktree", POINTER),
            pair("info/attributes|info/grafts|branches/.*|remotes(/.*)?", FORBIDDEN),
            pair("info/exclude|info/sparse-checkout", PATTERNS),
            pair("rr-cache", SWITCH),
            pair("worktrees/.*", RECORD),
            pair("(.*/)?[^/]*\\.lock", LOCK),
            pair("HEAD", HEAD),
            pair("(refs|reftable|logs)(/.*)?|packed-refs(\\.new)?", REFERENCE),
            pair("(rebase-merge|rebase-apply|sequencer|BISECT_[A-Z_]+)(/.*)?", UNFINISHED),
            pair("index|sharedindex\\.[^/]*|index\\.stash\\.[^/]*|next-index-[^/]*", FREE_FILE),
            pair("[A-Z_]+_(HEAD|MSG)|[A-Z_]*_EDITMSG|AUTO_MERGE|MERGE_[A-Z]+|EDIT_DESCRIPTION", FREE_FILE),
            pair("shallow|gc\\.pid|gc\\.log|info/refs|description|locked|t[A-Za-z0-9_]{6}", FREE_FILE),
            pair("objects(/.*)?|info|branches|worktrees|modules(/.*)?|rr-cache/.*", FREE),
            pair("lost-found(/.*)?|rebased-patches|NOTES_MERGE_WORKTREE(/.*)?", FREE),
            pair("lfs|lfs/(objects|tmp|cache)(/.*)?", FREE),
            pair("(info|lfs)/.*", UNKNOWN),
            pair("[^/]*", UNKNOWN),
            pair(".*", FREE));

    private static Pair pair(String name, EntryRule rule) {
        // A name may contain line feeds. Some file systems ignore case: git would obey "Hooks" there.
        int flags = rule.keepsOriginal() ? Pattern.DOTALL | Pattern.CASE_INSENSITIVE : Pattern.DOTALL;
        return new Pair(Pattern.compile(name, flags), rule);
    }

    /**
     * Returns the rule for an entry.
     *
     * @param relative its path from the git directory, bytes as ISO 8859-1
     */
    static EntryRule of(String relative) {
        EntryRule rule = matching(relative);
        if (rule != UNKNOWN) {
            return rule;
        }
        // Some file systems ignore characters in it, or take it for the name of an entry that git obeys.
        String other = NameSkeleton.of(new String(relative.getBytes(ISO_8859_1), UTF_8));
        return matching(other).keepsOriginal() ? FORBIDDEN : UNKNOWN;
    }

    private static EntryRule matching(String relative) {
        return NAMES.stream()
                .filter(pair -> pair.name().matcher(relative).matches())
                .findFirst()
                .map(Pair::rule)
                .orElse(UNKNOWN);
    }

    /** Returns whether the version from before a command takes the place of a changed one. */
    boolean keepsOriginal() {
        return switch (this) {
            case HEAD, ALTERNATES, CONFIGURATION, HOOK, POINTER, FORBIDDEN -> true;
            default -> false;
        };
    }

    /** Returns whether the content of an entry of this name matters, once the entry exists. */
    boolean judgesContent(String relative) {
        return switch (this) {
            case HEAD, PATTERNS, UNFINISHED, ALTERNATES, CONFIGURATION, POINTER, FORBIDDEN -> true;
            case HOOK -> !relative.endsWith(".sample");
            case FREE_FILE, REFERENCE ->
                relative.equals("packed-refs") || relative.equals("index") || relative.startsWith("sharedindex.");
            case FREE, LOCK, SWITCH, RECORD, UNKNOWN -> false;
        };
    }

    /** Returns whether the entry must be a regular file. */
    boolean needsFile() {
        return switch (this) {
            case FREE_FILE, LOCK, HEAD, PATTERNS, ALTERNATES, CONFIGURATION, POINTER -> true;
            default -> false;
        };
    }
}
