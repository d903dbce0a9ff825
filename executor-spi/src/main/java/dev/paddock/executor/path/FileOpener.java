package dev.paddock.executor.path;

import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Opens regular files that commands can replace at any moment: follows no link in a file's place, and waits for no
 * pipe. {@code executor-os} provides the service, since this module makes no native calls.
 */
public interface FileOpener {
    /** The most attempts to open a file that other processes keep creating and removing. */
    int MAX_ATTEMPTS = 100;

    /**
     * Opens a file that exists.
     *
     * @param access {@code READ} or {@code WRITE}
     * @throws FileSystemException with the reason if it is no regular file
     */
    FileChannel open(Path file, StandardOpenOption access) throws IOException;

    /**
     * Opens a file to write, and creates it if it does not exist.
     *
     * @throws FileSystemException with the reason if it is no regular file
     */
    default FileChannel openOrCreate(Path file) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                // Creates the file or fails: it opens nothing that exists, and so waits for no pipe.
                return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            } catch (FileAlreadyExistsException there) {
                try {
                    return open(file, StandardOpenOption.WRITE);
                } catch (NoSuchFileException removed) {
                    if (attempt == MAX_ATTEMPTS) {
                        throw removed;
                    }
                }
            }
        }
    }

    /** Returns the installed service, or a {@link CheckingOpener}. */
    static FileOpener installed() {
        try {
            return ServiceLoader.load(FileOpener.class, FileOpener.class.getClassLoader())
                    .findFirst()
                    .orElseGet(CheckingOpener::new);
        } catch (ServiceConfigurationError broken) {
            LateLogger.of(FileOpener.class)
                    .log(Level.WARNING, "The service that opens files cannot be loaded; the JDK opens them", broken);
            return new CheckingOpener();
        }
    }
}
