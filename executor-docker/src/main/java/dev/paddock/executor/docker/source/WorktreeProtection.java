package dev.paddock.executor.docker.source;

import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.OwnerLabel;
import dev.paddock.executor.protect.ProtectionPlan;
import dev.paddock.executor.protect.WorktreeGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The guard over a container's worktree, and where it keeps its things. */
public final class WorktreeProtection implements AutoCloseable {
    private static final String PREFIX = "paddock-docker-";

    private static final System.Logger LOG = System.getLogger(WorktreeProtection.class.getName());

    private final WorktreeGuard guard;
    private final Path state;
    private final Set<WorktreeGuard.Command> unsettled = new HashSet<>();
    private ProtectionPlan mounted = new ProtectionPlan(List.of(), List.of(), List.of());

    private WorktreeProtection(WorktreeGuard guard, Path state) {
        this.guard = guard;
        this.state = state;
    }

    static WorktreeProtection over(SandboxPolicy policy, Path quarantine) {
        try {
            Path state = Files.createTempDirectory(PREFIX + OwnerLabel.current() + "-");
            Path root = policy.worktree().hostPath().toRealPath();
            return new WorktreeProtection(WorktreeGuard.open(root, policy.protectedPaths(), state, quarantine), state);
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the worktree '" + policy.worktree().hostPath() + "' cannot be guarded", fault);
        }
    }

    /**
     * Removes what dead owners have left.
     *
     * @return a phrase for each
     */
    public static List<String> sweep() {
        List<String> done = new ArrayList<>();
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path directory : left) {
                String name = directory.getFileName().toString().substring(PREFIX.length());
                int end = name.lastIndexOf('-');
                boolean dead = end > 0
                        && OwnerLabel.parse(name.substring(0, end))
                                .filter(OwnerLabel::provenDead)
                                .isPresent();
                if (dead && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                    remove(directory);
                    done.add("the directory '" + directory + "' was removed");
                }
            }
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.DEBUG, "what dead runs have left in " + parent + " stays", fault);
        }
        return done;
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** What a container that is made now is to mount. */
    synchronized ProtectionPlan plan() {
        mounted = guard.plan();
        return mounted;
    }

    synchronized Supplier<List<String>> watch() {
        WorktreeGuard.Command command = guard.begin(new HashSet<>(mounted.readOnly()));
        unsettled.add(command);
        return () -> settle(command);
    }

    private synchronized List<String> settle(WorktreeGuard.Command command) {
        unsettled.remove(command);
        return command.settle();
    }

    /**
     * Puts right what commands have changed that were lost, and whose result nobody waits for. To be called when they have been
     * ended, and before others start.
     */
    synchronized void settleLost() {
        for (WorktreeGuard.Command command : List.copyOf(unsettled)) {
            settle(command).forEach(notice -> LOG.log(System.Logger.Level.WARNING, notice));
        }
    }

    @Override
    public void close() {
        guard.close();
        try {
            Files.deleteIfExists(state);
        } catch (IOException fault) {
            throw new UncheckedIOException("the directory '" + state + "' could not be removed", fault);
        }
    }
}
