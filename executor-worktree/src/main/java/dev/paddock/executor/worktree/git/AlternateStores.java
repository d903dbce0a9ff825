package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.files.Way;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the object directories that {@code objects/info/alternates} names. The rules of a git directory apply to those
 * in it. Any other one in the worktree is protected: a command could name further directories there, outside the
 * worktree.
 */
public final class AlternateStores {
    /** The list's path from the object directory. */
    static final String LIST = "info/alternates";

    private static final char DELETE = 0x7f;
    private static final int MAX_DEPTH = 5; // git's own limit

    private final Collection<Repository> repositories;
    private final Territory territory;
    private final Set<Path> found = new TreeSet<>();

    private AlternateStores(Collection<Repository> repositories, Territory territory) {
        this.repositories = repositories;
        this.territory = territory;
    }

    /**
     * Returns the directories, existing or not, and the links in the worktree that lead to one.
     *
     * @param repositories those that exist before the commands
     */
    public static Set<Path> of(Collection<Repository> repositories, Territory territory) {
        AlternateStores stores = new AlternateStores(repositories, territory);
        for (Repository repository : repositories) {
            stores.addFrom(repository.gitDirectory().resolve("objects"), MAX_DEPTH);
        }
        return stores.found;
    }

    /**
     * Returns whether all directories that {@code objects/info/alternates} of a new repository names are those of git
     * directories in the worktree. Git follows the alternates of alternates: those in another git directory are judged
     * there.
     */
    static boolean areInside(Path alternates, Repository repository, Territory territory) {
        Path objects = repository.gitDirectory().resolve("objects");
        return SmallFile.read(alternates)
                .flatMap(ReferenceGrammar::lines)
                .filter(lines -> lines.stream()
                        .allMatch(line -> isPlain(line)
                                && GitPointers.resolve(objects, line)
                                        .flatMap(territory::real)
                                        .filter(other -> GitNames.is(PathBytes.of(other.getFileName()), "objects"))
                                        .map(Path::getParent)
                                        .filter(GitPointers::isGitDirectory)
                                        .isPresent()))
                .isPresent();
    }

    /** Git reads a line that starts with a quotation mark as a quoted path. */
    private static boolean isPlain(String line) {
        return !line.startsWith("\"")
                && !line.startsWith("#")
                && line.chars().allMatch(next -> next >= ' ' && next != DELETE);
    }

    private void addFrom(Path objects, int depth) {
        String content = SmallFile.read(objects.resolve(LIST)).orElse("");
        for (Path named : namedIn(objects, content)) {
            Way way = Way.to(named);
            Path end = way.end();
            way.links().stream().filter(territory::contains).forEach(found::add);
            if (territory.contains(end)
                    && repositories.stream().noneMatch(other -> end.startsWith(other.gitDirectory()))
                    && found.add(end)
                    && depth > 0) {
                addFrom(end, depth - 1);
            }
        }
    }

    /**
     * Returns the directories that a list names, as git resolves them: it resolves the links to the object directory,
     * and ignores those before {@code ..} in the list.
     *
     * @param content the list's, bytes as ISO 8859-1
     */
    static List<Path> namedIn(Path objects, String content) {
        Path base = Way.to(objects).end();
        List<Path> named = new ArrayList<>();
        for (String line : content.split("\n", -1)) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                boolean quoted = line.length() > 1 && line.startsWith("\"") && line.endsWith("\"");
                GitPointers.resolve(base, quoted ? unquoted(line) : line)
                        .map(Path::normalize)
                        .ifPresent(named::add);
            }
        }
        return named;
    }

    private static String unquoted(String line) {
        return line.substring(1, line.length() - 1).replaceAll("\\\\([\\\\\"])", "$1");
    }
}
