package dev.paddock.executor.process.launch;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.os.posix.Posix;
import java.io.File;
import java.io.IOException;
import java.util.Optional;

/**
 * Starts processes with {@link ProcessBuilder}, where the C library cannot be used. Supports no descriptors above 2, no
 * separate session and no exact status. Encodes texts in the JVM's locale, so callers use only ASCII and pass other
 * texts in a {@link dev.paddock.executor.process.warm.CommandRequest}.
 */
final class JdkLauncher implements Launcher {

    @Override
    public Optional<Posix> posix() {
        return Optional.empty();
    }

    @Override
    public ChildProcess launch(LaunchSpec spec, LaunchThread thread) {
        if (!spec.descriptors().isEmpty()) {
            throw new SpawnException("the JDK cannot pass descriptors above 2 to a process: "
                    + spec.descriptors().keySet());
        }
        if (spec.terminal().isPresent()) {
            throw new SpawnException("the JDK cannot give a process a terminal");
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
