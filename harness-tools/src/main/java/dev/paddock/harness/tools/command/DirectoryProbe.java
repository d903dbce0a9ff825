package dev.paddock.harness.tools.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.WorktreeMismatchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;

/**
 * Verifies before the first command that the file tools and the commands work in one directory: writes a file with a
 * random name and random content on the host and reads it with a command. Remembers a success but not a failure, so
 * that the user can fix a mount while the session waits.
 */
public final class DirectoryProbe implements CommandGate {
    /** Long, because the first command may have to start a container. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final int RANDOM_BYTES = 16;

    private final PathMapping worktree;
    private final CommandRunner runner;
    private final BooleanSupplier needed;
    private boolean proven;

    /**
     * Creates a probe.
     *
     * @param needed whether the session has both file tools and commands, so that the two
     *     directories must be the same
     */
    public DirectoryProbe(PathMapping worktree, CommandRunner runner, BooleanSupplier needed) {
        this.worktree = worktree;
        this.runner = runner;
        this.needed = needed;
    }

    @Override
    public synchronized void pass(String command, AbortSignal signal) {
        if (proven || !needed.getAsBoolean() || signal.isAborted()) {
            return;
        }
        String token = random();
        Path probe = worktree.hostPath().resolve(".paddock-probe-" + random());
        try {
            Files.writeString(probe, token, StandardCharsets.US_ASCII, StandardOpenOption.CREATE_NEW);
            try {
                prove(probe.getFileName().toString(), token, signal);
            } finally {
                Files.deleteIfExists(probe);
            }
        } catch (IOException fault) {
            throw new ToolException(
                    "The command was not run: whether commands see the session's directory could not be tested, since "
                            + worktree.hostPath() + " cannot be written on the host: " + FileFaults.reason(fault) + ".",
                    fault);
        }
    }

    private void prove(String name, String token, AbortSignal signal) {
        try {
            // Only builtins: the image needs no program but its shell.
            String found = runner.ask("IFS= read -r token < ./" + name + "; printf %s \"$token\"", TIMEOUT, signal);
            if (!found.equals(token)) {
                throw new WorktreeMismatchException(
                        worktree, "a file written on the host was not found there by a command");
            }
            proven = true;
        } catch (SpawnException noSuchDirectory) {
            throw new WorktreeMismatchException(worktree, String.valueOf(noSuchDirectory.getMessage()));
        } catch (AbortedException aborted) {
            throw new ToolException("Command aborted before it was started. It was not run.", aborted);
        } catch (WorktreeMismatchException | ExecutorDisposedException fatal) {
            throw fatal;
        } catch (ExecutorException fault) {
            throw new ToolException("The command was not run: " + fault.getMessage(), fault);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ToolException("Command aborted before it was started. It was not run.", interrupted);
        }
    }

    private static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
