package dev.paddock.executor.path;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Checks the kind of a file, then opens it. If a pipe replaces the file in between, the open blocks. */
final class CheckingOpener implements FileOpener {
    @Override
    public FileChannel open(Path file, StandardOpenOption access) throws IOException {
        if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isRegularFile()) {
            throw new FileSystemException(PathBytes.escaped(file), null, "it is no regular file");
        }
        return FileChannel.open(file, access, LinkOption.NOFOLLOW_LINKS);
    }
}
