package dev.paddock.cli.command;

import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the directory that a command line names as the worktree: any but system directories and, without
 * {@code --allow-home}, home directories and their parents. A program starts in one of those by default, so that a
 * forgotten option would open it to commands.
 */
public final class WorktreeChoice {
    public static final Option WORKTREE =
            Option.of("--worktree", "DIR", "the directory that commands work in; the current one", "by default");
    public static final Option ALLOW_HOME =
            Option.flag("--allow-home", "accepts your home directory, or one above it, as the", "worktree");

    /** The kernel's file systems; none of their directories contains ordinary files. */
    private static final List<Path> KERNEL =
            Stream.of("/proc", "/sys").map(Path::of).toList();

    private static final List<Path> SYSTEM = Stream.of("/", "/boot", "/dev", "/etc", "/run", "/usr", "/var")
            .map(Path::of)
            .toList();

    private static final List<String> HOMES = List.of("/root", "/home", "/Users");

    private WorktreeChoice() {}

    /**
     * Returns the worktree's real path.
     *
     * @throws UsageException if the directory cannot or must not be used
     */
    public static Path read(Arguments arguments, InvocationContext caller) {
        String given = arguments.value(WORKTREE).orElse(".");
        if (given.isBlank()) {
            throw new UsageException(WORKTREE.name() + " lacks its value: " + WORKTREE.usage());
        }
        Path worktree = realDirectory(path(caller, given));
        requireNoSystemDirectory(worktree);
        if (!arguments.has(ALLOW_HOME)) {
            requireNoHome(worktree, caller);
        }
        return worktree;
    }

    /**
     * Returns the name by which the user reaches the worktree, if it leads through a link: as typed, or
     * in the shell's {@code PWD}.
     *
     * @param real the worktree's real path
     */
    static Optional<Path> alias(Arguments arguments, InvocationContext caller, Path real) {
        try {
            Optional<Path> shell =
                    caller.variable("PWD").filter(name -> name.startsWith("/")).map(Path::of);
            Path directory =
                    shell.filter(name -> isSame(name, caller.directory())).orElse(caller.directory());
            Path typed =
                    directory.resolve(arguments.value(WORKTREE).orElse(".")).normalize();
            return Optional.of(typed).filter(name -> !name.equals(real) && isSame(name, real));
        } catch (InvalidPathException noName) {
            return Optional.empty(); // the real path is still a name
        }
    }

    private static Path path(InvocationContext caller, String given) {
        try {
            return caller.directory().resolve(given).normalize();
        } catch (InvalidPathException noPath) {
            throw new UsageException(WORKTREE.name() + " " + given + ": not a path: '" + noPath.getInput() + "'");
        }
    }

    private static Path realDirectory(Path directory) {
        try {
            Path real = directory.toRealPath();
            if (Files.isDirectory(real)) {
                requireAccess(real);
                return real;
            }
        } catch (NoSuchFileException absent) {
            throw new UsageException("the worktree does not exist: " + directory
                    + "; create the directory, or name another with --worktree");
        } catch (IOException fault) {
            throw new UsageException("the worktree cannot be opened: " + directory + " ("
                    + Console.text(fault)
                    + "); make it accessible, or name another with --worktree");
        }
        throw new UsageException(
                "the worktree is not a directory: " + directory + "; name the directory that contains it");
    }

    private static void requireAccess(Path directory) {
        if (!Files.isReadable(directory) || !Files.isExecutable(directory)) {
            throw new UsageException("the worktree cannot be read by you: " + directory
                    + "; give yourself permission (chmod u+rx), or name another with --worktree");
        }
    }

    private static void requireNoSystemDirectory(Path worktree) {
        Optional<Path> kernel = KERNEL.stream().filter(worktree::startsWith).findFirst();
        if (kernel.isPresent() || SYSTEM.contains(worktree)) {
            String what = kernel.map(path -> "in " + path + ", which the kernel provides")
                    .orElse("a directory of the system");
            throw new UsageException(
                    "the worktree '" + worktree + "' is " + what + "; name a directory of a project with --worktree");
        }
    }

    private static void requireNoHome(Path worktree, InvocationContext caller) {
        Stream<String> own =
                Stream.concat(caller.variable("HOME").stream(), Stream.of(System.getProperty("user.home", "")));
        own.filter(home -> home.startsWith("/"))
                .filter(home -> isOrContains(worktree, Path.of(home)))
                .findFirst()
                .ifPresent(home -> {
                    throw refused(worktree, isSame(worktree, Path.of(home)) ? "is" : "contains", "your home directory");
                });
        if (HOMES.stream().map(Path::of).anyMatch(worktree::equals)) {
            throw refused(worktree, "is or contains", "a user's home directory");
        }
    }

    private static UsageException refused(Path worktree, String relation, String home) {
        return new UsageException("the worktree '" + worktree + "' " + relation + " " + home
                + ", and commands could read and change everything in it; name a directory of a project with"
                + " --worktree, or give --allow-home");
    }

    private static boolean isOrContains(Path worktree, Path home) {
        for (@Nullable Path path = home.normalize(); path != null; path = path.getParent()) {
            if (isSame(worktree, path)) {
                return true;
            }
        }
        return isRealAncestor(worktree, home);
    }

    private static boolean isRealAncestor(Path worktree, Path home) {
        try {
            return home.toRealPath().startsWith(worktree);
        } catch (IOException absent) {
            return false; // a home that does not exist holds nothing
        }
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException absent) {
            return false;
        }
    }
}
