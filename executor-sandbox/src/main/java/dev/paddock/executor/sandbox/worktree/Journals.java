package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.sandbox.state.PrivateState;
import dev.paddock.executor.sandbox.worktree.git.PathBytes;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The journals of all worktrees of this user. */
public final class Journals {
    private static final Logger LOG = System.getLogger(Journals.class.getName());

    private Journals() {}

    /** Returns the directory that contains the journals. */
    static Path standard() throws IOException {
        return PrivateState.root().resolve("journals");
    }

    /**
     * Accepts the state of a path that was changed when a session had been killed: the next session
     * leaves it as it is, and starts commands.
     *
     * @param path an absolute path in a worktree; the worktree itself accepts nothing
     * @return the worktrees whose journals now accept it; empty if no killed session has left one
     * @throws ExecutorException if a session is running there, or a journal cannot be written
     */
    public static List<Path> accept(Path path) {
        try {
            return accept(standard(), path);
        } catch (IOException fault) {
            throw new ExecutorException("'" + path + "' cannot be accepted: " + fault.getMessage(), fault);
        }
    }

    static List<Path> accept(Path journals, Path path) throws IOException {
        List<Path> accepted = new ArrayList<>();
        for (Path directory : in(journals)) {
            Optional<Path> worktree = worktree(directory);
            if (worktree.filter(path::startsWith).isPresent()) {
                Optional<Journal> journal = Journal.open(journals, worktree.get());
                if (journal.isEmpty()) {
                    throw new IOException("a session in '" + worktree.get() + "' is running; end it first");
                }
                try (Journal open = journal.get()) {
                    open.accept(path);
                }
                accepted.add(worktree.get());
            }
        }
        return accepted;
    }

    /** Deletes the journals of worktrees that no longer exist. */
    static void sweep(Path journals) throws IOException {
        for (Path directory : in(journals)) {
            Optional<Path> worktree = worktree(directory);
            if (worktree.isPresent() && !directory.endsWith(name(worktree.get()))) {
                LOG.log(Level.DEBUG, "{0} belongs to a worktree that no longer exists", directory);
                Journal.lock(directory).ifPresent(Journal::delete);
            }
        }
    }

    /** Returns the name of a worktree's journal. */
    static String name(Path worktree) {
        String identity = Baseline.identity(worktree).replace(' ', '-');
        return identity.isEmpty() ? "absent" : identity;
    }

    private static List<Path> in(Path journals) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(journals)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(journals)) {
                entries.forEach(found::add);
            }
        }
        return found;
    }

    private static Optional<Path> worktree(Path directory) throws IOException {
        Path file = directory.resolve("worktree");
        return Files.isRegularFile(file)
                ? PathBytes.path(Files.readString(file, StandardCharsets.ISO_8859_1))
                : Optional.empty();
    }
}
