package dev.paddock.executor.worktree;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.EntryState;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.Fingerprint;
import dev.paddock.executor.worktree.git.GitDirectoryRules;
import dev.paddock.executor.worktree.git.GitDirectoryRules.Change;
import dev.paddock.executor.worktree.git.IndexRemarks;
import dev.paddock.executor.worktree.git.NewRepositoryRules;
import dev.paddock.executor.worktree.git.Repository;
import dev.paddock.executor.worktree.git.Territory;
import dev.paddock.executor.worktree.git.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Judges every entry of git directories individually after a command. Changes nothing. */
final class GitExaminer {
    private final Territory territory;
    private final GitBaseline baseline;
    private final boolean quiet;
    private final PathExaminer paths;
    private final SettlementProgress progress;
    private final IndexRemarks remarks;
    private final DirectoryCache cache;
    private final Ways ways;

    /** When the commands began, in milliseconds since 1970. */
    private final long since;

    /**
     * Creates the examination.
     *
     * @param quiet as for {@link PathExaminer}
     */
    GitExaminer(
            TreeIndex tree,
            GitBaseline baseline,
            boolean quiet,
            PathExaminer paths,
            SettlementProgress progress,
            IndexRemarks remarks) {
        this.territory = tree.territory();
        this.cache = tree.cache();
        this.ways = new Ways(tree);
        this.since = tree.repositories().since();
        this.baseline = baseline;
        this.quiet = quiet;
        this.paths = paths;
        this.progress = progress;
        this.remarks = remarks;
    }

    /** Returns the present and the former git directories, parents before children. */
    Map<Path, Repository> all(GitDirectories directories) {
        Map<Path, Repository> all = new TreeMap<>();
        baseline.present().forEach((path, state) -> all.put(path, state.repository()));
        all.putAll(directories.byDirectory());
        return all;
    }

    /**
     * A git directory under examination.
     *
     * @param now its entries
     * @param directories all git directories of the worktree
     */
    private record Examined(
            Repository repository,
            Optional<GitBaseline.State> before,
            GitDirectoryRules rules,
            GitEntries now,
            GitDirectories directories) {
        Path directory() {
            return repository.gitDirectory();
        }
    }

    Stream<WorktreeFinding> examine(Repository repository, GitDirectories directories) {
        Path directory = repository.gitDirectory();
        if (!progress.covers(directory)) {
            return Stream.empty();
        }
        Optional<GitBaseline.State> before = baseline.of(directory);
        Optional<WorktreeFinding> link = before.flatMap(state -> paths.linkOut(directory));
        if (link.isPresent()) {
            return link.stream();
        }
        GitDirectoryRules rules = before.map(GitBaseline.State::rules)
                .orElseGet(() -> new GitDirectoryRules(repository, territory, true));
        GitEntries known = before.map(GitBaseline.State::entries).orElse(GitEntries.NONE);
        GitEntries now = known.next(directory, directories.nestedIn(directory), cache);
        Examined examined = new Examined(repository, before, rules, now, directories);
        if (now == known && quiet && before.filter(this::hasAllContents).isPresent()) {
            return Stream.concat(
                    now.all().keySet().stream()
                            .filter(rules::mayChangeElsewhere)
                            .flatMap(entry -> judge(examined, entry).stream()),
                    ways(examined));
        }
        if (paths.isGone(directory)) {
            // The end of the settlement reports a git directory that was only removed or moved.
            return progress.hasRemoved(directory) ? before.stream().flatMap(GitExaminer::replaced) : Stream.empty();
        }
        List<WorktreeFinding> signs = before.isPresent() ? List.of() : signs(examined);
        Stream<Supplier<Stream<WorktreeFinding>>> parts = Stream.of(
                signs::stream,
                () -> signs.stream().map(WorktreeFinding::path).allMatch(progress::isGivenUp)
                        ? entries(examined)
                        : Stream.empty()); // the next pass checks whether it is still a git directory
        return parts.flatMap(Supplier::get);
    }

    /** Finds links on the paths that the unchanged files and links of a git directory name. */
    private Stream<WorktreeFinding> ways(Examined examined) {
        Path directory = examined.directory();
        return examined.before().stream()
                .flatMap(before -> paths.misled(ways.namedIn(
                        before,
                        link -> change(directory.relativize(link), link, examined.now(), examined.before())
                                .isEmpty())));
    }

    private boolean hasAllContents(GitBaseline.State before) {
        return Stream.of(before.originals(), before.contents())
                .flatMap(files -> files.entrySet().stream())
                .allMatch(file -> paths.isUnchanged(file.getKey(), file.getValue()));
    }

    private Stream<WorktreeFinding> entries(Examined examined) {
        GitEntries now = examined.now();
        GitEntries known = examined.before().map(GitBaseline.State::entries).orElse(GitEntries.NONE);
        Map<Path, Integer> opened = now.openedSince(known);
        Stream<Supplier<Stream<WorktreeFinding>>> parts = Stream.of(
                () -> now.unreadable().stream()
                        .filter(closed -> !known.unreadable().contains(closed))
                        .map(WorktreeFinding.Closed::new),
                () -> opened.isEmpty()
                        ? Stream.empty()
                        : Stream.of(new WorktreeFinding.Opened(examined.directory(), opened)),
                () -> now.all().keySet().stream().flatMap(entry -> judge(examined, entry).stream()),
                () -> ways(examined),
                () -> remarks(examined),
                () -> examined.before().stream().flatMap(state -> removed(state, now)));
        return parts.flatMap(Supplier::get);
    }

    private Stream<WorktreeFinding> remarks(Examined examined) {
        Path index = examined.directory().resolve("index");
        Optional<Fingerprint> state = examined.before()
                .flatMap(before -> before.before(index))
                .map(before -> before.again(index, quiet))
                .or(() -> Optional.of(Fingerprint.of(index)))
                .filter(now -> !now.isAbsent());
        return remarks.update(examined.repository(), state, examined.rules().takeJudgedIndex()).stream()
                .map(remark -> new WorktreeFinding.Remark(
                        index, "The command changed '" + PathBytes.escaped(index) + "': " + remark + "."));
    }

    private Optional<WorktreeFinding> judge(Examined examined, Path relative) {
        Path entry = examined.directory().resolve(relative);
        Optional<GitBaseline.State> before = examined.before();
        if (isNewSign(examined.directory(), relative, before)
                && !examined.directories().isPointer(entry)) {
            return Optional.of(WorktreeFinding.Judged.quarantined(
                    entry, "it makes a repository of a directory inside a git directory"));
        }
        GitEntries now = examined.now();
        GitDirectoryRules rules = examined.rules();
        Optional<Change> change = change(relative, entry, now, before)
                .or(() -> isAffected(examined, relative) ? Optional.of(Change.CHANGED) : Optional.empty());
        if (change.isEmpty()
                || examined.directories().isAboveWorktree(examined.directory(), entry)
                || progress.isGivenUp(entry)) {
            return Optional.empty();
        }
        boolean shared = rules.judgesContent(relative) && hasSeveralNames(entry);
        return Optional.of(
                new WorktreeFinding.Judged(entry, reasoned(rules.judge(relative, change.get()), shared), shared));
    }

    /** Returns whether an unchanged entry must be judged because a dependency has changed. */
    private boolean isAffected(Examined examined, Path relative) {
        return examined.rules().mayChangeElsewhere(relative)
                || examined.before()
                        .filter(before -> GitDirectoryRules.mayHaveLostItsBase(
                                relative,
                                before.entries().all().keySet(),
                                examined.now().all().keySet(),
                                base -> hasChanged(before, examined.directory().resolve(base))))
                        .isPresent();
    }

    private boolean hasChanged(GitBaseline.State before, Path file) {
        return before.before(file)
                .filter(state -> paths.isUnchanged(file, state))
                .isEmpty();
    }

    /** Returns whether a file has several names: a later command could change it by another one. */
    private static boolean hasSeveralNames(Path file) {
        try {
            return FileStatus.of(file)
                    .filter(status -> status.isFile() && status.links() > 1)
                    .isPresent();
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static Verdict reasoned(Verdict verdict, boolean shared) {
        return shared && verdict instanceof Verdict.Restored ? new Verdict.Restored(PathExaminer.SECOND_NAME) : verdict;
    }

    private static boolean isNewSign(Path directory, Path relative, Optional<GitBaseline.State> before) {
        return NewRepositoryRules.isInnerSign(directory, relative)
                && before.filter(state -> NewRepositoryRules.wasInnerSign(
                                relative, state.entries().all().keySet()))
                        .isEmpty();
    }

    /**
     * Finds the entries that turn a directory into a repository although it must not be one, or has older files. Those
     * files are not the command's, and are harmless once the directory is no repository. A repository that was moved
     * here has older signs, too.
     */
    private List<WorktreeFinding> signs(Examined examined) {
        Repository repository = examined.repository();
        List<Path> misplaced = NewRepositoryRules.misplacedLayout(
                repository, examined.directories().findings(), territory);
        if (!misplaced.isEmpty()) {
            return quarantined(misplaced.stream(), NewRepositoryRules.MISPLACED);
        }
        return NewRepositoryRules.isLayout(repository) && examined.now().hasOlderThan(since)
                ? quarantined(
                        NewRepositoryRules.signs(examined.directory()).filter(this::isRecent),
                        NewRepositoryRules.OF_OLDER_FILES)
                : List.of();
    }

    private static List<WorktreeFinding> quarantined(Stream<Path> entries, String reason) {
        return entries.<WorktreeFinding>map(entry -> WorktreeFinding.Judged.quarantined(entry, reason))
                .toList();
    }

    /** Returns whether an entry may have changed since the commands began, under any name. */
    private boolean isRecent(Path entry) {
        try {
            return FileStatus.of(entry)
                    .filter(status -> !status.isSettledAt(since))
                    .isPresent();
        } catch (IOException unreadable) {
            return true;
        }
    }

    private Optional<Change> change(Path relative, Path entry, GitEntries now, Optional<GitBaseline.State> before) {
        if (Files.notExists(entry, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty(); // moved with its directory
        }
        if (GitBaseline.isSample(relative) && Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        if (before.isEmpty()) {
            return Optional.of(Change.CREATED);
        }
        FileStatus last = before.get().entries().all().get(relative);
        if (last == null) {
            return Optional.of(Change.CREATED);
        }
        boolean same = before.get()
                .before(entry)
                .map(state -> paths.isUnchanged(entry, state))
                .orElseGet(() -> last.equals(now.all().get(relative)));
        if (same) {
            return Optional.empty();
        }
        FileStatus current = now.all().get(relative);
        boolean replaced = current != null && current.isDirectory() != last.isDirectory();
        return Optional.of(replaced ? Change.REPLACED : Change.CHANGED);
    }

    private static Stream<WorktreeFinding> removed(GitBaseline.State before, GitEntries now) {
        Path directory = before.repository().gitDirectory();
        return before.originals().keySet().stream()
                .filter(entry -> !now.all().containsKey(directory.relativize(entry)))
                .sorted()
                .filter(entry -> EntryState.of(entry).is(EntryState.Kind.ABSENT))
                .map(entry -> new WorktreeFinding.Judged(
                        entry, before.rules().judge(directory.relativize(entry), Change.REMOVED), false));
    }

    /** Finds the originals of a git directory that was replaced by an entry that has since been moved. */
    private static Stream<WorktreeFinding> replaced(GitBaseline.State before) {
        return before.originals().keySet().stream()
                .sorted()
                .filter(entry -> EntryState.of(entry).is(EntryState.Kind.ABSENT))
                .map(entry ->
                        WorktreeFinding.Judged.restored(entry, "something else took the place of its git directory"));
    }

    /**
     * Returns the git directories that were removed, moved or replaced. A repository that has disappeared with its
     * parent directory leaves nothing that could be used.
     */
    Stream<WorktreeFinding> lost() {
        return baseline.present().values().stream()
                .filter(GitExaminer::isLost)
                .map(before -> new WorktreeFinding.Lost(
                        before.repository().gitDirectory(), before.originals().keySet()));
    }

    private static boolean isLost(GitBaseline.State before) {
        Path directory = before.repository().gitDirectory();
        return !before.rules().isNew()
                && directory.equals(before.repository().commonDirectory())
                && !Baseline.identity(directory).equals(before.identity())
                && Files.isDirectory(Pinned.parentOf(directory), LinkOption.NOFOLLOW_LINKS);
    }
}
