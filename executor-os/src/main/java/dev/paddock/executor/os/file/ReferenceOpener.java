package dev.paddock.executor.os.file;

import dev.paddock.executor.path.FileOpener;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Opens the files of a run as {@link RegularFile} does. */
public final class ReferenceOpener implements FileOpener {
    @Override
    public FileChannel open(Path file, StandardOpenOption access) throws IOException {
        return RegularFile.open(file.toAbsolutePath(), access);
    }
}
