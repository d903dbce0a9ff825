package dev.paddock.executor.docker.source;

import dev.paddock.executor.docker.container.EngineInfo;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.posix.Posix;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A named pipe that is mounted into a managed container and keeps it alive: the container's main process reads it, and
 * only this JVM has its write end open. The kernel closes that end when the JVM exits or is killed, without the
 * engine's help. An attach connection alone does not suffice: an engine in which a command has stopped a process start
 * closes no input.
 */
final class KeepAlivePipe implements Closeable {
    private static final System.Logger LOG = LateLogger.of(KeepAlivePipe.class);

    /** No command can open it for writing, which would keep the container alive. */
    private static final String ALL_READ = "r--r--r--";

    private final Path path;
    private final Posix posix;
    private final int descriptor;
    private final AtomicBoolean closed = new AtomicBoolean();

    private KeepAlivePipe(Path path, Posix posix, int descriptor) {
        this.path = path;
        this.posix = posix;
        this.descriptor = descriptor;
    }

    /**
     * Creates a pipe for a container of an engine on this machine's kernel. An engine on another kernel, for instance
     * in a virtual machine, could not share it.
     *
     * @param path an unused path
     * @return empty for an engine on another kernel, and without glibc
     * @throws IOException if the pipe cannot be created
     */
    static Optional<KeepAlivePipe> create(Path path, EngineInfo engine) throws IOException {
        Optional<Posix> posix = Posix.instance();
        if (posix.isEmpty() || !engine.isOnThisKernel()) {
            return Optional.empty();
        }
        KeepAlivePipe made =
                new KeepAlivePipe(path, posix.get(), posix.get().descriptors().namedPipe(path.toString()));
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(ALL_READ));
            return Optional.of(made);
        } catch (IOException fault) {
            made.close();
            throw fault;
        }
    }

    Path path() {
        return path;
    }

    /** Closes the write end, which ends the container, and removes the pipe. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            posix.descriptors().close(descriptor);
            try {
                Files.deleteIfExists(path);
            } catch (IOException fault) {
                LOG.log(System.Logger.Level.WARNING, path + " could not be removed", fault);
            }
        }
    }
}
