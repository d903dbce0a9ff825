package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.files.NameSkeleton;
import java.util.List;
import java.util.regex.Pattern;

/** The rule for an entry of a git directory, chosen by the name. */
enum EntryRule {
    /** Data that git maintains. */
    FREE,
    /** Data that git maintains in a file; a directory in its place may not stay. */
    FREE_FILE,
    /** The files that are to be committed next. */
    INDEX,
    /** A lock that a git command removes at its end. */
    LOCK,
    /** A reference, or the log of one. */
    REFERENCE,
    /** The list of references that have no file of their own. */
    PACKED_REFERENCES,
    /** Commits that a command has left for the next one. */
    COMMITS,
    /** The commits whose parents the repository does not have. */
    SHALLOW,
    /** Names files that git writes to at the next commit, without a check of the names. */
    MERGED_PATHS,
    /** Names a commit whose files git writes at the next commit. */
    STASH,
    /** The current branch. */
    HEAD,
    /** Allowed, but reported if it has lines other than comments. */
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
    /** Its existence enables a feature. */
    SWITCH,
    /** An entry of {@code worktrees} that is no repository. */
    RECORD,
    /** The data of a known program (see {@link ToolData}). */
    TOOL,
    /** A name that git does not read but another program may obey. */
    UNKNOWN;

    private static final String LOCK_SUFFIX = ".lock";

    private record Pair(Pattern name, EntryRule rule) {}

    /**
     * The first that matches the whole relative path counts. Besides the entries that gitrepository-layout(5)
     * describes, these are all that git's own programs create.
     */
    private static final List<Pair> NAMES = List.of(
            pair("", FREE),
            pair("objects/info/(http-)?alternates", ALTERNATES),
            pair("config|config\\.worktree", CONFIGURATION),
            pair("hooks(/.*)?", HOOK),
            pair("commondir|gitdir", POINTER),
            pair("info/attributes|info/grafts|branches/.*|remotes(/.*)?", FORBIDDEN),
            pair("info/exclude|info/sparse-checkout", PATTERNS),
            pair("rr-cache", SWITCH),
            pair("worktrees/.*", RECORD),
            pair("(.*/)?[^/]+\\.lock", LOCK),
            pair("HEAD", HEAD),
            pair("packed-refs(\\.new)?", PACKED_REFERENCES),
            pair("(refs|reftable|logs)(/.*)?", REFERENCE),
            pair("(rebase-merge|rebase-apply|sequencer|BISECT_[A-Z_]+)(/.*)?", UNFINISHED),
            pair("index|sharedindex\\.[^/]*|index\\.stash\\.[^/]*|next-index-[^/]*|history-split\\.index", INDEX),
            pair("[A-Z_]+_HEAD", COMMITS),
            pair("(MERGE|SQUASH|PREPARE_COMMIT|GITGUI)_MSG|[A-Z_]+_EDITMSG|EDIT_DESCRIPTION", FREE_FILE),
            pair("shallow", SHALLOW),
            pair("MERGE_RR", MERGED_PATHS),
            pair("MERGE_AUTOSTASH", STASH),
            pair("AUTO_MERGE|MERGE_MODE", FREE_FILE),
            pair(
                    "NOTES_MERGE_(REF|PARTIAL)|REPLACE_EDITOBJ|ADD_EDIT\\.patch|addp-hunk-edit\\.diff|GITGUI_BCK",
                    FREE_FILE),
            pair(
                    "sharedindex_[^/]*|gc\\.pid|gc\\.log|info/refs|description|locked|fast_import_crash_[0-9]+",
                    FREE_FILE),
            pair(
                    "t[A-Za-z0-9_]{6}|(shallow|info/refs)_[A-Za-z0-9]{6}|\\.gitsendemail\\.msg\\.[A-Za-z0-9_]{6}",
                    FREE_FILE),
            pair("objects(/.*)?|info|branches|worktrees|modules(/.*)?|rr-cache/.*", FREE),
            pair(
                    "lost-found(/.*)?|rebased-patches|NOTES_MERGE_WORKTREE(/.*)?|ref_migration\\.[A-Za-z0-9]{6}(/.*)?",
                    FREE),
            pair("info/fast-import(/.*)?|fsmonitor--daemon(/cookies(/.*)?)?|subtree-cache(/.*)?", FREE));

    private static Pair pair(String name, EntryRule rule) {
        // A name may contain line feeds. Some file systems ignore case: git would obey "Hooks" there.
        return new Pair(Pattern.compile(name, Pattern.DOTALL | Pattern.CASE_INSENSITIVE), rule);
    }

    /**
     * Returns the rule for an entry.
     *
     * @param relative its path from the git directory, bytes as ISO 8859-1
     */
    static EntryRule of(String relative) {
        if (!GitNames.isAscii(relative)) {
            // On some file systems it is another name of an entry that git or a program obeys.
            EntryRule other = matching(NameSkeleton.ofBytes(relative));
            if (other.keepsOriginal()) {
                return other == UNKNOWN ? UNKNOWN : FORBIDDEN;
            }
        }
        return matching(relative);
    }

    private static EntryRule matching(String relative) {
        for (Pair pair : NAMES) {
            if (pair.name().matcher(relative).matches() && (pair.rule() != LOCK || isLockOfAKnownFile(relative))) {
                return pair.rule();
            }
        }
        return ToolData.readerOf(relative).isPresent() ? TOOL : UNKNOWN;
    }

    private static boolean isLockOfAKnownFile(String lock) {
        return matching(lock.substring(0, lock.length() - LOCK_SUFFIX.length())) != UNKNOWN;
    }

    /** Returns whether a changed entry is replaced by the version from before the command. */
    boolean keepsOriginal() {
        return switch (this) {
            case HEAD, PACKED_REFERENCES, SHALLOW, ALTERNATES, CONFIGURATION, HOOK, POINTER, FORBIDDEN, UNKNOWN -> true;
            default -> false;
        };
    }

    /** Returns whether the content of an entry of this name matters, once the entry exists. */
    boolean judgesContent(String relative) {
        return switch (this) {
            case INDEX,
                    HEAD,
                    PACKED_REFERENCES,
                    COMMITS,
                    SHALLOW,
                    MERGED_PATHS,
                    STASH,
                    PATTERNS,
                    UNFINISHED,
                    ALTERNATES,
                    CONFIGURATION,
                    POINTER,
                    FORBIDDEN,
                    UNKNOWN -> true;
            case HOOK -> !relative.endsWith(".sample");
            // Git itself writes a reference as a new file, and reads none that is malformed.
            case REFERENCE, FREE, FREE_FILE, LOCK, SWITCH, RECORD, TOOL -> false;
        };
    }

    /** Returns whether the entry must be a regular file. */
    boolean needsFile() {
        return switch (this) {
            case FREE_FILE,
                    INDEX,
                    LOCK,
                    HEAD,
                    PACKED_REFERENCES,
                    COMMITS,
                    SHALLOW,
                    MERGED_PATHS,
                    STASH,
                    PATTERNS,
                    ALTERNATES,
                    CONFIGURATION,
                    POINTER -> true;
            default -> false;
        };
    }
}
