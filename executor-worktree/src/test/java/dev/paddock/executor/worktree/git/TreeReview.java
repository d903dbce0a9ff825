package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.files.EntryState;
import dev.paddock.executor.worktree.git.GitDirectoryRules.Change;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Applies the rules to everything that commands have done to a tree. */
final class TreeReview {
    private final Territory territory;
    private final RepositoryFinder finder;
    private final Map<Path, GitDirectoryRules> rules = new HashMap<>();
    private final Map<Path, Map<Path, String>> entries = new HashMap<>();
    private final Set<Path> pointers = new HashSet<>();
    private final Set<Path> doubts = new HashSet<>();
    private final Map<Path, Verdict> carriedOut = new HashMap<>();

    private TreeReview(Territory territory) {
        this.territory = territory;
        this.finder = new RepositoryFinder(territory);
    }

    /** Records the state before a command. The first root is the worktree. */
    static TreeReview before(Path... roots) throws IOException {
        TreeReview review = new TreeReview(new Territory(
                Arrays.asList(roots), GitReferee.territory(roots[0]).owners()));
        Findings findings = review.find();
        for (Repository repository : findings.repositories()) {
            if (isPointer(repository)) {
                review.pointers.add(repository.worktree().orElseThrow());
            } else {
                Path directory = repository.gitDirectory();
                review.rules.put(directory, new GitDirectoryRules(repository, review.territory, false));
                review.entries.put(directory, entries(directory, findings));
            }
        }
        review.doubts.addAll(findings.unjudged().keySet());
        return review;
    }

    /** Returns each path that would be moved, replaced or restored, with the verdict's name. */
    List<String> undone() throws IOException {
        Set<String> undone = new TreeSet<>();
        Findings findings = find();
        for (Map.Entry<Path, String> entry : findings.unjudged().entrySet()) {
            if (!doubts.contains(entry.getKey())) {
                add(entry.getKey(), new Verdict.Quarantined(entry.getValue()), undone);
            }
        }
        for (Repository repository : findings.repositories()) {
            if (isPointer(repository)) {
                reviewPointer(repository, undone);
            } else {
                review(repository, findings, undone);
            }
        }
        for (Path before : rules.keySet()) {
            if (findings.repositories().stream()
                    .noneMatch(now -> now.gitDirectory().equals(before))) {
                reviewEntries(before, rules.get(before), Map.of(), undone);
            }
        }
        return new ArrayList<>(undone);
    }

    private void reviewPointer(Repository repository, Set<String> undone) {
        Path worktree = repository.worktree().orElseThrow();
        if (!pointers.contains(worktree)) {
            boolean isNew = !rules.containsKey(repository.gitDirectory());
            add(worktree.resolve(".git"), NewRepositoryRules.judgePointer(repository, isNew), undone);
        }
    }

    private void review(Repository repository, Findings findings, Set<String> undone) throws IOException {
        Path directory = repository.gitDirectory();
        GitDirectoryRules known = rules.get(directory);
        if (known == null) {
            NewRepositoryRules.misplacedLayout(repository, findings, territory)
                    .forEach(path -> add(path, new Verdict.Quarantined("misplaced"), undone));
        }
        reviewEntries(
                directory,
                known == null ? new GitDirectoryRules(repository, territory, true) : known,
                entries(directory, findings),
                undone);
    }

    private void reviewEntries(Path directory, GitDirectoryRules judge, Map<Path, String> now, Set<String> undone) {
        Map<Path, String> before = entries.getOrDefault(directory, Map.of());
        now.forEach((entry, state) -> {
            if (!before.containsKey(entry)) {
                add(directory.resolve(entry), judge.judge(entry, Change.CREATED), undone);
            } else if (!state.equals(before.get(entry))) {
                add(directory.resolve(entry), judge.judge(entry, Change.CHANGED), undone);
            }
        });
        before.forEach((entry, state) -> {
            if (!now.containsKey(entry)) {
                add(directory.resolve(entry), judge.judge(entry, Change.REMOVED), undone);
            }
        });
    }

    private void add(Path path, Verdict verdict, Set<String> undone) {
        if (!(verdict instanceof Verdict.Allowed || verdict instanceof Verdict.Reported)) {
            undone.add(shown(path, verdict));
            carriedOut.put(path, verdict);
        }
    }

    /** Carries out the verdicts of the last review; returns whether there were any. */
    boolean carryOut(Path pristine) throws IOException, InterruptedException {
        Map<Path, Verdict> verdicts = new TreeMap<>(carriedOut);
        carriedOut.clear();
        for (Map.Entry<Path, Verdict> entry : verdicts.entrySet()) {
            Path path = entry.getKey();
            GitReferee.shell(pristine, "rm -rf '" + path + "'");
            boolean hasParent = Files.isDirectory(path.resolveSibling(""), LinkOption.NOFOLLOW_LINKS);
            if (entry.getValue() instanceof Verdict.Replaced replaced) {
                Files.writeString(path, replaced.content(), StandardCharsets.ISO_8859_1);
            } else if (entry.getValue() instanceof Verdict.Restored && hasParent) {
                Path original = pristine.resolve(territory.roots().get(0).relativize(path));
                GitReferee.shell(pristine, "cp -a '" + original + "' '" + path + "'");
            }
        }
        return !verdicts.isEmpty();
    }

    private String shown(Path path, Verdict verdict) {
        Path base = territory.roots().stream()
                .filter(path::startsWith)
                .findFirst()
                .map(root -> root.endsWith(".git") ? root.getParent() : root)
                .orElseThrow();
        return base.relativize(path) + " " + verdict.getClass().getSimpleName();
    }

    private Findings find() {
        List<Repository> repositories = new ArrayList<>();
        Map<Path, String> found = new HashMap<>();
        for (Path root : territory.roots()) {
            Findings findings = finder.below(root);
            repositories.addAll(findings.repositories());
            found.putAll(findings.unjudged());
        }
        return new Findings(repositories, found);
    }

    private static boolean isPointer(Repository repository) {
        return repository.kind() == Repository.Kind.LINKED || repository.kind() == Repository.Kind.SUBMODULE;
    }

    /** Returns the entries of a git directory, without those of others inside it. */
    private static Map<Path, String> entries(Path directory, Findings findings) throws IOException {
        Map<Path, String> entries = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                boolean own = owner(path, findings).equals(directory);
                boolean inner = Files.isDirectory(path.resolve(".git"));
                if (own && !path.equals(directory) && !inner) {
                    entries.put(directory.relativize(path), state(path));
                }
            }
        }
        return entries;
    }

    /** Returns the innermost git directory around a path. */
    private static Path owner(Path path, Findings findings) {
        return findings.repositories().stream()
                .map(Repository::gitDirectory)
                .filter(path::startsWith)
                .max(Comparator.comparingInt(Path::getNameCount))
                .orElseThrow();
    }

    /** Returns a file's kind and content: git rewrites files without changing them. */
    private static String state(Path path) throws IOException {
        EntryState.Kind kind = EntryState.of(path).kind();
        return kind == EntryState.Kind.FILE ? Files.readString(path, StandardCharsets.ISO_8859_1) : kind.name();
    }
}
