package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.Fingerprint;
import dev.paddock.executor.worktree.git.GitDirectoryRules;
import dev.paddock.executor.worktree.git.GitNames;
import dev.paddock.executor.worktree.git.IndexRemarks;
import dev.paddock.executor.worktree.git.Repository;
import dev.paddock.executor.worktree.git.Territory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The git directories before the first of the currently running commands, and those that disappeared during earlier
 * commands.
 */
final class GitBaseline {
    static final GitBaseline NONE = new GitBaseline(Map.of(), Map.of(), Map.of());

    private final Map<Path, State> present;
    private final Map<Path, State> gone;

    /** Those of repositories that this session's commands created, as of their settlement. */
    private final Map<Path, State> created;

    /**
     * One git directory.
     *
     * @param identity its device and inode
     * @param entries all its entries
     * @param originals the states of those that are copied, by absolute path
     * @param contents the states of the others whose content matters, by absolute path
     */
    record State(
            Repository repository,
            GitDirectoryRules rules,
            String identity,
            GitEntries entries,
            Map<Path, Fingerprint> originals,
            Map<Path, Fingerprint> contents) {

        /** Returns whether the files that git obeys are the same in both. */
        boolean isLike(State other) {
            return identity.equals(other.identity) && originals.equals(other.originals);
        }

        /** Returns the state of a file before the commands; empty if its content does not matter. */
        Optional<Fingerprint> before(Path file) {
            return Optional.ofNullable(originals.getOrDefault(file, contents.get(file)));
        }

        /** Returns the same state with the current files. */
        private State again() {
            Map<Path, Fingerprint> copied = again(originals);
            Map<Path, Fingerprint> others = again(contents);
            return copied.equals(originals) && others.equals(contents)
                    ? this
                    : new State(repository, rules, identity, entries, copied, others);
        }

        private static Map<Path, Fingerprint> again(Map<Path, Fingerprint> files) {
            Map<Path, Fingerprint> now = new HashMap<>(files);
            now.replaceAll((file, state) -> state.again(file, true));
            now.values().removeIf(Fingerprint::isAbsent);
            return now;
        }
    }

    /** Returns this baseline with other git directories for those that existed. */
    GitBaseline with(Map<Path, State> other) {
        return new GitBaseline(other, gone, created);
    }

    private GitBaseline(Map<Path, State> present, Map<Path, State> gone, Map<Path, State> created) {
        this.present = present;
        this.gone = gone;
        this.created = created;
    }

    /**
     * Records the repositories that commands created, as of their settlement. As long as nobody else changes files
     * there that git obeys, commands may keep configuring them under the same rules.
     */
    GitBaseline settled(GitDirectories directories, Territory territory, DirectoryCache cache) {
        Map<Path, State> left = new HashMap<>();
        directories.byDirectory().forEach((directory, repository) -> {
            Optional<State> before = of(directory);
            boolean ofCommands = before.map(state -> state.rules().isNew()).orElse(true);
            if (ofCommands && directory.equals(repository.commonDirectory())) {
                GitDirectoryRules rules = before.filter(
                                state -> state.repository().equals(repository))
                        .map(State::rules)
                        .orElseGet(() -> new GitDirectoryRules(repository, territory, true));
                left.put(directory, state(repository, rules, before, directories, cache));
            }
        });
        return new GitBaseline(present, gone, left);
    }

    /** Records the current state, and keeps git directories that are still absent. */
    GitBaseline next(GitDirectories directories, Territory territory, DirectoryCache cache) {
        Map<Path, State> now = new HashMap<>();
        directories.byDirectory().forEach((directory, repository) -> {
            now.put(directory, state(repository, territory, directories, cache));
        });
        Map<Path, State> absent = new HashMap<>(gone);
        absent.putAll(present);
        absent.keySet()
                .removeIf(directory -> now.containsKey(directory)
                        || !Baseline.identity(directory).isEmpty());
        return new GitBaseline(now, absent, created);
    }

    private State state(Repository repository, Territory territory, GitDirectories directories, DirectoryCache cache) {
        State left = created.get(repository.gitDirectory());
        if (left != null && left.repository().equals(repository)) {
            State now = state(repository, left.rules(), Optional.of(left), directories, cache);
            if (now.isLike(left)) {
                return now;
            }
        }
        Optional<State> before = Optional.ofNullable(present.get(repository.gitDirectory()))
                .filter(state -> !state.rules().isNew());
        GitDirectoryRules rules = before.filter(state -> state.repository().equals(repository))
                .map(State::rules)
                .orElseGet(() -> new GitDirectoryRules(repository, territory, false));
        return state(repository, rules, before, directories, cache);
    }

    private static State state(
            Repository repository,
            GitDirectoryRules rules,
            Optional<State> before,
            GitDirectories directories,
            DirectoryCache cache) {
        Path directory = repository.gitDirectory();
        GitEntries known = before.map(State::entries).orElse(GitEntries.NONE);
        GitEntries entries = known.next(directory, directories.nestedIn(directory), cache);
        if (before.isPresent() && entries == known && rules == before.get().rules()) {
            return before.get().again();
        }
        Map<Path, Fingerprint> originals = new HashMap<>();
        Map<Path, Fingerprint> contents = new HashMap<>();
        Copies copies = new Copies(rules);
        entries.all().forEach((relative, status) -> {
            Path file = directory.resolve(relative);
            boolean admitted = copies.admit(relative, status);
            if (rules.keepsCopy(relative) && !isContainer(relative) && !isSample(relative) && admitted) {
                originals.put(file, Fingerprint.of(file));
            } else if (!status.isDirectory() && rules.judgesContent(relative)) {
                contents.put(file, admitted ? Fingerprint.of(file) : Fingerprint.unread(file));
            }
        });
        originals.values().removeIf(Fingerprint::isAbsent);
        contents.values().removeIf(Fingerprint::isAbsent);
        return new State(repository, rules, Baseline.identity(directory), entries, originals, contents);
    }

    /**
     * Chooses the entries of unknown purpose to copy: regular files, in the order of listing, up to a bound. A file
     * beyond it is quarantined if a command changes it, and lost if a command removes it.
     */
    private static final class Copies {
        private static final int MAX_FILES = 256;
        private static final long MAX_BYTES = 4L << 20;

        private final GitDirectoryRules rules;
        private int files;
        private long bytes;

        Copies(GitDirectoryRules rules) {
            this.rules = rules;
        }

        /** Returns whether to copy an entry, and counts it; always true for known entries. */
        boolean admit(Path relative, FileStatus status) {
            if (!rules.isUnknown(relative)) {
                return true;
            }
            if (!status.isFile() || files == MAX_FILES || status.size() > MAX_BYTES - bytes) {
                return false;
            }
            files++;
            bytes += status.size();
            return true;
        }
    }

    /** Records files that indexes hide and staged files that host programs obey. */
    void update(IndexRemarks remarks) {
        remarks.retain(present.keySet());
        present.values()
                .forEach(state -> remarks.update(state.repository(), state.before(index(state)), Optional.empty()));
    }

    private static Path index(State state) {
        return state.repository().gitDirectory().resolve("index");
    }

    /** Returns whether an entry is a directory whose entries are judged individually. */
    static boolean isContainer(Path relative) {
        return relative.getNameCount() == 1 && GitNames.is(relative, "hooks");
    }

    /** Returns whether an entry is a sample hook, which git never runs. */
    static boolean isSample(Path relative) {
        return relative.getNameCount() == 2
                && GitNames.is(relative.getName(0), "hooks")
                && relative.toString().endsWith(".sample");
    }

    /** Returns the state of a git directory that existed, or is back with the same inode. */
    Optional<State> of(Path directory) {
        State state = present.get(directory);
        if (state == null) {
            State lost = gone.get(directory);
            return lost != null && lost.identity().equals(Baseline.identity(directory))
                    ? Optional.of(lost)
                    : Optional.empty();
        }
        return Optional.of(state);
    }

    Map<Path, State> present() {
        return present;
    }

    /** Returns the state of each path whose original must be copied. */
    Map<Path, Fingerprint> states() {
        Map<Path, Fingerprint> states = gone.values().stream()
                .flatMap(state -> state.originals().entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, HashMap::new));
        present.values().forEach(state -> states.putAll(state.originals()));
        return states;
    }
}
