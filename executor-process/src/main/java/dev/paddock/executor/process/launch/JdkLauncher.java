package dev.paddock.executor.process.launch;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.posix.Posix;
import java.io.File;
import java.io.IOException;
import java.util.Optional;

/**
 * Starts processes by the JDK's own means, where the C library offers nothing better. No descriptors above 2, no session of
 * their own, no exact status; texts are what the JVM's locale makes of them, so that callers keep to ASCII and hand the rest
 * over as an {@link dev.paddock.executor.process.warm.CommandRequest}.
 */
@SuppressWarnings("exports") // only modules that the C library is exported to pass it
public final class JdkLauncher implements Launcher {

    /** Makes one; it holds nothing. */
    public JdkLauncher() {}

    @Override
    public Optional<Posix> posix() {
        return Optional.empty();
    }

    @Override
    public ChildProcess launch(LaunchSpec spec, LaunchThread thread) {
        if (!spec.descriptors().isEmpty()) {
            throw new SpawnException("descriptors above 2 cannot be handed to a process here: "
                    + spec.descriptors().keySet());
        }
        File directory = new File(spec.directory());
        if (!directory.isDirectory()) {
            throw new SpawnException("the working directory "
                    + (directory.exists() ? "is no directory" : "does not exist") + ": '" + spec.directory() + "'");
        }
        ProcessBuilder builder = new ProcessBuilder(spec.argv())
                .directory(directory)
                .redirectErrorStream(spec.stderr() == SpawnOptions.Stderr.MERGED);
        builder.environment().clear();
        builder.environment().putAll(spec.env());
        if (spec.stdin() == SpawnOptions.Stdin.EMPTY) {
            builder.redirectInput(new File("/dev/null"));
        }
        Object outcome = thread.call(() -> {
            try {
                return builder.start();
            } catch (IOException fault) {
                return fault;
            }
        });
        if (outcome instanceof IOException fault) {
            throw new SpawnException(
                    "the program " + spec.argv().get(0) + " could not be started: " + fault.getMessage(), fault);
        }
        return new JdkChild((Process) outcome);
    }

    @Override
    public void close() {}
}
