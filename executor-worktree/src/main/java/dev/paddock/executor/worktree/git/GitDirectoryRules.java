package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.EntryState;
import dev.paddock.executor.worktree.files.NameSkeleton;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.index.IndexReading;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Judges the changes that commands have made to the entries of one git directory. Create it for an existing repository
 * before the commands run, since it then decides whose worktree the repository serves. Reads the files and moves none.
 */
public final class GitDirectoryRules {
    private static final String CHANGED = "git obeys it";

    /** The state of a main worktree, which only its own commands change; by name skeleton. */
    private static final Pattern OF_ONE_WORKTREE =
            Pattern.compile("index|auto_merge|merge_[a-z]+|squash_msg|([a-z_]+_)?head|info/sparse-checkout"
                    + "|((rebase-merge|rebase-apply|sequencer|bisect_[a-z_]+|refs/(bisect|worktree|rewritten))(/.*)?)");

    private final Repository repository;
    private final Territory territory;
    private final boolean isNew;
    private final boolean servesAnotherWorktree;

    /** Whether git records and replays merges because the user enabled it. */
    private final boolean recordsMerges;

    /** Whether commands work in the git directory itself, so that any file in it may be their work. */
    private final boolean isWorktree;

    /** The index, if it was judged since it was last taken. */
    private Optional<IndexReading> judgedIndex = Optional.empty();

    public enum Change {
        /** It did not exist before the command. */
        CREATED,
        /** It existed and differs. */
        CHANGED,
        /** It changed from a directory to something else, or the reverse. */
        REPLACED,
        /** It existed and was removed. */
        REMOVED
    }

    /**
     * Creates the rules for a git directory.
     *
     * @param repository whose {@link Repository#gitDirectory} is judged
     * @param territory the directories that the guard watches
     * @param isNew whether commands have created the repository, and nobody else has changed what git obeys in it; its
     *     entries are then judged by their content
     */
    public GitDirectoryRules(Repository repository, Territory territory, boolean isNew) {
        this.repository = repository;
        this.territory = territory;
        this.isNew = isNew;
        this.servesAnotherWorktree = !isNew && servesAnotherWorktree(repository, territory);
        this.recordsMerges = territory.recordsMerges() || (!isNew && UserConfiguration.recordsMerges(repository));
        this.isWorktree = territory.roots().equals(List.of(repository.gitDirectory()));
    }

    /** Returns whether commands wrote everything that git obeys in the repository. */
    public boolean isNew() {
        return isNew;
    }

    private static boolean servesAnotherWorktree(Repository repository, Territory territory) {
        return switch (repository.kind()) {
            case RECORD -> !new WorktreeRecord(repository.gitDirectory(), territory).isInside();
            case ORDINARY -> repository.worktree().filter(territory::contains).isEmpty();
            case LINKED, SUBMODULE, BARE -> false;
        };
    }

    /**
     * Returns whether an entry can be restored only from a copy that was made before the command.
     *
     * @param relative the entry's path from the git directory
     */
    public boolean needsOriginal(Path relative) {
        String name = PathBytes.of(relative);
        EntryRule rule = EntryRule.of(name);
        return belongsElsewhere(name)
                || switch (rule) {
                    case UNKNOWN -> !isWorktree;
                    // Files of a command's own repository need no copies.
                    case PACKED_REFERENCES, SHALLOW, ALTERNATES -> !isNew;
                    default -> rule.keepsOriginal();
                };
    }

    /**
     * Returns whether the readers of an entry are unknown. Such entries are copied only up to a bound, since they may
     * be large; one without a copy is moved if a command changes it.
     *
     * @param relative the entry's path from the git directory
     */
    public boolean isUnknown(Path relative) {
        String name = PathBytes.of(relative);
        return EntryRule.of(name) == EntryRule.UNKNOWN && !isWorktree && !belongsElsewhere(name);
    }

    /**
     * Returns whether an entry is copied before the commands, to be restored or compared, as the steps of an unfinished
     * rebase are.
     *
     * @param relative the entry's path from the git directory
     */
    public boolean keepsCopy(Path relative) {
        return needsOriginal(relative) || UnfinishedRules.isObeyed(PathBytes.of(relative));
    }

    /**
     * Returns whether the verdict on an existing entry may depend on its content, not only on its name, kind and owner.
     *
     * @param relative the entry's path from the git directory
     */
    public boolean judgesContent(Path relative) {
        String name = PathBytes.of(relative);
        EntryRule rule = EntryRule.of(name);
        return belongsElsewhere(name) || (rule == EntryRule.UNKNOWN ? !isWorktree : rule.judgesContent(name));
    }

    /**
     * Returns whether a git directory may be at a path in another one: below {@code modules} and {@code worktrees}, and
     * under names that git does not use.
     *
     * @param relative the path from the outer git directory
     */
    public static boolean mayContainRepositories(Path relative) {
        String first = PathBytes.of(relative.getName(0));
        return GitNames.is(first, "modules")
                || GitNames.is(first, "worktrees")
                || EntryRule.of(first) == EntryRule.UNKNOWN;
    }

    /**
     * Returns whether a worktree may be at a path in a git directory: only under names that git does not use, or its
     * files would replace the hooks.
     *
     * @param relative the path from the git directory
     */
    public static boolean mayContainWorktrees(Path relative) {
        return EntryRule.of(PathBytes.of(relative.getName(0))) == EntryRule.UNKNOWN;
    }

    /** Returns whether an entry is the state of a worktree outside the sandbox. */
    private boolean belongsElsewhere(String relative) {
        if (!servesAnotherWorktree) {
            return false;
        }
        String name = NameSkeleton.ofBytes(relative);
        // Git's housekeeping shortens the logs of all worktrees.
        return repository.kind() == Repository.Kind.RECORD
                ? !name.equals("logs") && !name.startsWith("logs/")
                : OF_ONE_WORKTREE.matcher(name).matches();
    }

    /**
     * Judges an entry. Judge parents before their entries, since a moved directory takes its content along.
     *
     * @param relative its path from the git directory, as listed
     */
    public Verdict judge(Path relative, Change change) {
        String name = PathBytes.of(relative);
        EntryRule rule = EntryRule.of(name);
        Path entry = repository.gitDirectory().resolve(relative);
        EntryState state = EntryState.of(entry);
        if (state.is(EntryState.Kind.ABSENT)) {
            return judgeRemoval(relative);
        }
        Optional<String> misshapen = misshapen(rule, state);
        if (misshapen.isPresent()) {
            return undo(relative, change, misshapen.get());
        }
        if (belongsElsewhere(name)) {
            boolean directory = state.is(EntryState.Kind.DIRECTORY);
            return directory && change == Change.CHANGED
                    ? Verdict.allowed()
                    : undo(relative, change, "it belongs to a worktree outside the sandbox");
        }
        return switch (rule) {
            case FREE, FREE_FILE -> Verdict.allowed();
            case TOOL -> name.contains("/") ? Verdict.allowed() : created(change, ToolData.judge(name));
            case INDEX -> judgeIndex(relative);
            case UNKNOWN -> judgeUnknown(relative, change, state);
            case LOCK -> new Verdict.Reported("it blocks other git commands until it is removed");
            case SWITCH ->
                recordsMerges
                        ? Verdict.allowed()
                        : created(change, new Verdict.Quarantined("its existence makes git replay recorded merges"));
            case RECORD -> created(change, new Verdict.Quarantined("it is no complete record of a worktree"));
            case HEAD -> ReferenceRules.judgeHead(entry, reason -> undo(relative, change, reason));
            case REFERENCE -> ReferenceRules.judge(name, entry, state, change == Change.CREATED);
            case PACKED_REFERENCES -> ReferenceRules.judgePacked(entry, reason -> undo(relative, change, reason));
            case COMMITS -> ReferenceRules.judgeCommits(name, entry, Verdict.Quarantined::new);
            case MERGED_PATHS ->
                new MergedPaths(repository, territory).areConflicts(entry)
                        ? Verdict.allowed()
                        : new Verdict.Quarantined("git writes to the files that it names at the next commit");
            case SHALLOW -> judgeShallow(relative, change, entry);
            case STASH -> new Verdict.Reported("git writes the files of that stash at the next commit");
            case PATTERNS -> judgePatterns(entry);
            case UNFINISHED -> UnfinishedRules.judge(name, entry);
            case ALTERNATES -> judgeAlternates(relative, change, entry);
            case CONFIGURATION ->
                isNew ? configurationRules().judge(entry, change == Change.CREATED) : undo(relative, change, CHANGED);
            case HOOK -> judgeHook(relative, change, entry, state);
            case POINTER -> judgePointer(relative, change);
            case FORBIDDEN -> undo(relative, change, CHANGED);
        };
    }

    private static Verdict created(Change change, Verdict verdict) {
        return change == Change.CREATED ? verdict : Verdict.allowed();
    }

    /** The entries of a directory are judged individually. */
    private Verdict judgeUnknown(Path relative, Change change, EntryState state) {
        if (isWorktree) {
            return created(change, new Verdict.Reported("git does not create it by itself"));
        }
        return switch (change) {
            case CREATED ->
                new Verdict.Quarantined("git does not create it by itself, and another program may obey it");
            case CHANGED ->
                state.is(EntryState.Kind.DIRECTORY)
                        ? Verdict.allowed()
                        : undo(relative, change, "another program may obey it");
            case REPLACED, REMOVED -> undo(relative, change, "another program may obey it");
        };
    }

    private Verdict judgeRemoval(Path relative) {
        boolean wholeRepository = EntryState.of(repository.gitDirectory()).is(EntryState.Kind.ABSENT);
        boolean obeyed = switch (EntryRule.of(PathBytes.of(relative))) {
            // A command may delete branches, and fetch what a shallow repository lacks.
            case PACKED_REFERENCES, SHALLOW -> false;
            default -> true;
        };
        return obeyed && needsOriginal(relative) && !wholeRepository
                ? new Verdict.Restored("it was removed, and git or another program obeys it")
                : Verdict.allowed();
    }

    private Verdict undo(Path relative, Change change, String reason) {
        return change != Change.CREATED && needsOriginal(relative)
                ? new Verdict.Restored(reason)
                : new Verdict.Quarantined(reason);
    }

    private Optional<String> misshapen(EntryRule rule, EntryState state) {
        return switch (state.kind()) {
            case LINK -> Optional.of("it is a link, through which git reads and writes elsewhere");
            case SPECIAL -> Optional.of("it is neither a file nor a directory");
            case UNREADABLE -> Optional.of("it cannot be read");
            case DIRECTORY -> rule.needsFile() ? Optional.of("it is a directory in place of a file") : foreign(state);
            case FILE, ABSENT -> foreign(state);
        };
    }

    private Optional<String> foreign(EntryState state) {
        return territory.owners().contains(state.owner())
                ? Optional.empty()
                : Optional.of("it belongs to the user with the id " + state.owner());
    }

    private Verdict judgeIndex(Path relative) {
        IndexReading reading = IndexFile.read(repository, relative, territory.obeyed());
        if (IndexFile.isIndex(relative)) {
            judgedIndex = Optional.of(reading);
        }
        return switch (reading) {
            case IndexReading.Verified verified -> Verdict.allowed();
            case IndexReading.Refused refused -> new Verdict.Quarantined(refused.reason() + IndexFile.remedy(relative));
        };
    }

    /** Returns the index if it was judged since the last call, so that it is not read twice. */
    public Optional<IndexReading> takeJudgedIndex() {
        Optional<IndexReading> judged = judgedIndex;
        judgedIndex = Optional.empty();
        return judged;
    }

    private Verdict judgeShallow(Path relative, Change change, Path entry) {
        Verdict verdict = ReferenceRules.judgeCommits("shallow", entry, reason -> undo(relative, change, reason));
        return isNew || !verdict.equals(Verdict.allowed())
                ? verdict
                : new Verdict.Reported("git shows no history before the commits that it names");
    }

    private static Verdict judgePatterns(Path file) {
        boolean empty = SmallFile.read(file)
                .filter(content -> content.lines().allMatch(line -> line.isBlank() || line.startsWith("#")))
                .isPresent();
        return empty ? Verdict.allowed() : new Verdict.Reported("it hides files from git");
    }

    private Verdict judgeAlternates(Path relative, Change change, Path file) {
        return isNew && relative.endsWith("alternates") && AlternateStores.areInside(file, repository, territory)
                ? Verdict.allowed()
                : undo(relative, change, "it makes git read objects from elsewhere");
    }

    /**
     * Returns whether an entry has to be judged after each command, since its target may have changed.
     *
     * @param relative its path from the git directory
     */
    public boolean mayChangeElsewhere(Path relative) {
        return relative.toString().equalsIgnoreCase("MERGE_RR")
                || (isNew && EntryRule.of(PathBytes.of(relative)) == EntryRule.ALTERNATES);
    }

    /**
     * Returns whether an index must be judged because the shared indexes that it may be based on have changed.
     *
     * @param before the entries of the git directory before the commands
     * @param now the same now
     * @param isChanged whether an earlier entry has changed
     */
    public static boolean mayHaveLostItsBase(
            Path relative, Set<Path> before, Set<Path> now, Predicate<Path> isChanged) {
        Predicate<Path> isOther = entry -> IndexFile.isShared(entry) && (!now.contains(entry) || isChanged.test(entry));
        return IndexFile.isIndex(relative)
                && (before.stream().anyMatch(isOther)
                        || now.stream().anyMatch(entry -> IndexFile.isShared(entry) && !before.contains(entry)));
    }

    private ConfigurationRules configurationRules() {
        return new ConfigurationRules(
                repository.gitDirectory(),
                territory,
                repository.kind() == Repository.Kind.RECORD || repository.kind() == Repository.Kind.LINKED);
    }

    private Verdict judgeHook(Path relative, Change change, Path entry, EntryState state) {
        boolean itself = relative.getNameCount() == 1;
        if (itself && state.is(EntryState.Kind.DIRECTORY)) {
            return Verdict.allowed();
        }
        boolean harmless =
                relative.getNameCount() == 2 && (relative.toString().endsWith(".sample") || GitLfs.isHook(entry));
        return isNew && harmless ? Verdict.allowed() : undo(relative, change, "git runs the programs in 'hooks'");
    }

    private Verdict judgePointer(Path relative, Change change) {
        boolean ownRecord = isNew
                && new WorktreeRecord(repository.gitDirectory(), territory)
                        .gitFile()
                        .isPresent();
        return ownRecord ? Verdict.allowed() : undo(relative, change, "it tells git where to read its configuration");
    }
}
