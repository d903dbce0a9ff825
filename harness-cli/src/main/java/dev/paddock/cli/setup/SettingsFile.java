package dev.paddock.cli.setup;

import dev.paddock.cli.setup.document.SettingsRefusedException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.os.file.RegularFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A settings file as it was read. It is replaced as a whole, by a new file in its directory, and only if it is
 * unchanged; a symbolic link stays, and its target is replaced.
 */
final class SettingsFile {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final Set<PosixFilePermission> WRITERS =
            Set.of(PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private static final int MAX_BYTES = 16 << 20;

    private final Path path;
    private final Path within;
    private final Path target;
    private final Optional<byte[]> bytes;
    private final String text;

    private SettingsFile(Path path, Path within, Path target, Optional<byte[]> bytes, String text) {
        this.path = path;
        this.within = within;
        this.target = target;
        this.bytes = bytes;
        this.text = text;
    }

    /**
     * Reads a file, which need not exist.
     *
     * @param within the directory that links must not lead out of
     * @throws SettingsRefusedException if it cannot be read and replaced
     */
    static SettingsFile read(Path path, Path within) {
        try {
            Path root = within.toRealPath();
            Path target = requireInside(path, root, within);
            if (!Files.exists(path)) {
                if (Files.isSymbolicLink(path)) {
                    throw refused(
                            path,
                            "is a symbolic link to a file that does not exist; create '" + Files.readSymbolicLink(path)
                                    + "', or remove the link");
                }
                return new SettingsFile(path, root, target, Optional.empty(), "");
            }
            requireReplaceable(path, target);
            byte[] bytes = content(path, root, target);
            return new SettingsFile(path, root, target, Optional.of(bytes), decode(path, bytes));
        } catch (IOException fault) {
            throw failed(path, "cannot be read", fault);
        }
    }

    Path path() {
        return path;
    }

    boolean exists() {
        return bytes.isPresent();
    }

    /** Returns the text without a byte order mark; empty if the file does not exist. */
    String text() {
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    /** Encodes a text as this file's content, with its byte order mark. */
    byte[] encode(String changed) {
        String mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
        return (mark + changed).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the missing directories above the file, the innermost first. */
    List<Path> missingDirectories() {
        List<Path> missing = new ArrayList<>();
        for (@Nullable Path above = path.getParent();
                above != null && !Files.exists(above);
                above = above.getParent()) {
            missing.add(above);
        }
        return missing;
    }

    /**
     * Replaces the file's content.
     *
     * @throws SettingsRefusedException if it has changed since it was read, or cannot be written
     */
    void write(String changed) {
        try {
            try (Pinned directory = Pinned.newDirectory(within, parent(target))) {
                Path beside = Files.createTempFile(directory.path(), ".paddock-setup-", "");
                try {
                    take(directory, beside, encode(changed));
                    requireUnchanged(directory);
                    Files.move(beside, file(directory, target), StandardCopyOption.ATOMIC_MOVE);
                } finally {
                    Files.deleteIfExists(beside);
                }
            }
        } catch (IOException fault) {
            throw failed(path, "cannot be written", fault);
        }
    }

    /**
     * Removes the file.
     *
     * @throws SettingsRefusedException if it has changed since it was read, or cannot be removed
     */
    void delete() {
        try (Pinned directory = Pinned.directory(within, parent(target))) {
            requireUnchanged(directory);
            Files.delete(file(directory, target));
        } catch (IOException fault) {
            throw failed(path, "cannot be removed", fault);
        }
    }

    /** Removes a directory above the file if it is empty and still the same. */
    void removeIfEmpty(Path directory) {
        try {
            Path above = parent(directory).toRealPath();
            if (above.startsWith(within)) {
                try (Pinned open = Pinned.directory(within, above)) {
                    open.removeDirectory(Objects.requireNonNull(directory.getFileName()));
                }
            }
        } catch (IOException inUse) {
            return; // the user has put something there
        }
    }

    /** Fills the new file, and gives it the current one's owner and permissions. */
    private void take(Pinned directory, Path beside, byte[] content) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(beside, PosixFileAttributeView.class);
        if (exists()) {
            PosixFileAttributes present =
                    Files.readAttributes(file(directory, target), PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!present.owner().equals(view.readAttributes().owner())) {
                view.setOwner(present.owner());
            }
            if (!present.group().equals(view.readAttributes().group())) {
                view.setGroup(present.group());
            }
            view.setPermissions(present.permissions());
        } else {
            view.setPermissions(usualPermissions(directory.path()));
        }
        try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }

    /** Returns the default permissions of new files, by the caller's umask. */
    private static Set<PosixFilePermission> usualPermissions(Path directory) throws IOException {
        Path probe =
                directory.resolve(".paddock-setup-" + ProcessHandle.current().pid());
        try {
            return Files.getPosixFilePermissions(Files.createFile(probe));
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private void requireUnchanged(Pinned directory) throws IOException {
        Path file = file(directory, target);
        boolean isSame = bytes.isPresent()
                ? Arrays.equals(content(path, file), bytes.get())
                : !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        if (!isSame) {
            throw refused(path, "has been changed by another program since it was read; run setup again");
        }
    }

    private static Path file(Pinned directory, Path target) {
        return directory.at(Objects.requireNonNull(target.getFileName()));
    }

    private static byte[] content(Path path, Path within, Path target) throws IOException {
        try (Pinned directory = Pinned.directory(within, parent(target))) {
            return content(path, file(directory, target));
        }
    }

    private static byte[] content(Path path, Path file) throws IOException {
        try (FileChannel channel = RegularFile.open(file)) {
            byte[] bytes = Channels.newInputStream(channel).readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw refused(path, "has more than " + (MAX_BYTES >> 20) + " MiB; make it smaller");
            }
            return bytes;
        }
    }

    /** Returns the real path of the existing part, followed by the missing part unchanged. */
    private static Path requireInside(Path path, Path root, Path within) throws IOException {
        Path existing = path;
        while (!Files.exists(existing)) {
            existing = parent(existing);
        }
        Path real = existing.toRealPath();
        if (!real.startsWith(root)) {
            throw refused(
                    path,
                    "leads to '" + real + "', which is not in '" + within
                            + "'; replace the symbolic link, which anyone who works there can have made");
        }
        return real.resolve(existing.relativize(path)).normalize();
    }

    private static void requireReplaceable(Path path, Path target) throws IOException {
        if (Files.isDirectory(target)) {
            throw refused(path, "is a directory, and the client expects a file; remove or rename it");
        }
        if (!Files.isRegularFile(target)) {
            throw refused(path, "is neither a file nor a directory; remove or rename it");
        }
        // Root may write any file, so that the permissions are checked instead.
        boolean isWritable = Files.getPosixFilePermissions(target).stream().anyMatch(WRITERS::contains);
        if (!isWritable || !Files.isWritable(target)) {
            throw refused(path, "is read-only; make it writable (chmod u+w)");
        }
    }

    private static String decode(Path path, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException other) {
            throw refused(path, "is not UTF-8; save it in that encoding");
        }
    }

    private static Path parent(Path path) {
        @Nullable Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    private static SettingsRefusedException refused(Path path, String reason) {
        return new SettingsRefusedException("'" + path + "' " + reason);
    }

    private static SettingsRefusedException failed(Path path, String what, IOException fault) {
        return refused(path, what + " (" + Console.text(fault) + "); make it accessible to you and run setup again");
    }
}
