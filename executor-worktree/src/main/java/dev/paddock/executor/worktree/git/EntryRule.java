package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.files.NameSkeleton;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The rule for an entry of a git directory, chosen by the name. */
@SuppressWarnings("ImmutableEnumChecker") // the sets are copies
enum EntryRule {
    /** Data that git maintains. */
    FREE,
    /** Data that git maintains in a file; a directory of that name may not stay. */
    FREE_FILE(Trait.IS_FILE),
    /** The files that are to be committed next. */
    INDEX(Trait.IS_FILE, Trait.IS_JUDGED),
    /** A lock that a git command removes at its end. */
    LOCK(Trait.IS_FILE),
    /** A reference, or the log of one. Git itself writes it as a new file, and reads none that is malformed. */
    REFERENCE,
    /** The list of references without files of their own. */
    PACKED_REFERENCES(Trait.IS_FILE, Trait.IS_JUDGED, Trait.IS_RESTORED),
    /** Commits that a command has left for the next one. */
    COMMITS(Trait.IS_FILE, Trait.IS_JUDGED),
    /** The commits whose parents the repository lacks. */
    SHALLOW(Trait.IS_FILE, Trait.IS_JUDGED, Trait.IS_RESTORED),
    /** Names files that git writes to at the next commit, without a check of the names. */
    MERGED_PATHS(Trait.IS_FILE, Trait.IS_JUDGED),
    /** Names a commit whose files git writes at the next commit. */
    STASH(Trait.IS_FILE, Trait.IS_JUDGED),
    /** The current branch. */
    HEAD(Trait.IS_FILE, Trait.IS_JUDGED, Trait.IS_RESTORED),
    /** Allowed, but reported if it has lines other than comments. */
    PATTERNS(Trait.IS_FILE, Trait.IS_JUDGED),
    /** The state of an unfinished rebase, merge, or cherry-pick. */
    UNFINISHED(Trait.IS_JUDGED),
    /** Names directories with further objects. */
    ALTERNATES(Trait.IS_FILE, Trait.IS_JUDGED, Trait.IS_RESTORED),
    /** The repository's configuration. */
    CONFIGURATION(Trait.IS_FILE, Trait.IS_JUDGED, Trait.IS_RESTORED),
    /** Programs that git runs, all but the samples. */
    HOOK(Trait.IS_JUDGED, Trait.IS_RESTORED),
    /** Names another part of the repository. */
    POINTER(Trait.IS_FILE, Trait.IS_JUDGED, Trait.IS_RESTORED),
    /** Git obeys it, and no ordinary git command creates it. */
    FORBIDDEN(Trait.IS_JUDGED, Trait.IS_RESTORED),
    /** Its existence enables a feature. */
    SWITCH,
    /** An entry of {@code worktrees} that is no repository. */
    RECORD,
    /** The data of a known program (see {@link ToolData}). */
    TOOL,
    /** A name that git does not read but another program may obey. */
    UNKNOWN(Trait.IS_JUDGED, Trait.IS_RESTORED);

    private enum Trait {
        /** It must be a regular file. */
        IS_FILE,
        /** Its content matters, once it exists. */
        IS_JUDGED,
        /** The version from before a command replaces a changed one. */
        IS_RESTORED
    }

    private final Set<Trait> traits;

    EntryRule(Trait... traits) {
        this.traits = Set.of(traits);
    }

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
        if (!NameSkeleton.isAscii(relative)) {
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

    /** Returns whether the version from before the command replaces a changed entry. */
    boolean keepsOriginal() {
        return traits.contains(Trait.IS_RESTORED);
    }

    /** Returns whether the content of an entry of this name matters, once it exists. */
    boolean judgesContent(String relative) {
        return traits.contains(Trait.IS_JUDGED) && !(this == HOOK && relative.endsWith(".sample"));
    }

    boolean needsFile() {
        return traits.contains(Trait.IS_FILE);
    }
}
