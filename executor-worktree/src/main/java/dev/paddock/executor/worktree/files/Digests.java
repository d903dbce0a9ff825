package dev.paddock.executor.worktree.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** Represents the contents of files that are compared and of which no copy is kept. */
public final class Digests {
    private static final int MAX_DEPTH = 512; // each level holds a descriptor

    private Digests() {}

    /**
     * Returns the SHA-256 hash of a file, of a link's target, or of the names and contents in a directory. Opens regular
     * files alone.
     *
     * @throws IOException if an entry cannot be read, or the tree has more than 512 levels
     */
    public static String of(Pinned tree) throws IOException {
        MessageDigest digest = sha256();
        add(tree, digest, 0);
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * Returns the hash of a file or directory as {@link #of(Pinned)} does.
     *
     * @param root a directory above it whose own path no command can change
     * @return empty if it cannot be read
     */
    public static Optional<String> of(Path root, Path path) {
        try (Pinned parent = Pinned.directory(root, Pinned.parentOf(path));
                Pinned entry = parent.child(path.getFileName())) {
            return Optional.of(of(entry));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private static void add(Pinned entry, MessageDigest digest, int depth) throws IOException {
        PosixFileAttributes attributes = entry.attributes();
        if (attributes.isSymbolicLink()) {
            add("link", entry.linkTarget(), digest);
        } else if (attributes.isRegularFile()) {
            try (InputStream input = Files.newInputStream(entry.path())) {
                byte[] block = new byte[1 << 16];
                for (int count = input.read(block); count >= 0; count = input.read(block)) {
                    digest.update(block, 0, count);
                }
            }
        } else if (attributes.isDirectory()) {
            if (depth > MAX_DEPTH) {
                throw new Trees.TooLarge("it has more than " + MAX_DEPTH + " levels of directories");
            }
            for (Path name : Trees.names(entry)) {
                add("entry", name, digest);
                try (Pinned child = entry.child(name)) {
                    add(child, digest, depth + 1);
                }
            }
        }
    }

    private static void add(String kind, Path text, MessageDigest digest) {
        digest.update((kind + '\0' + text + '\0').getBytes(StandardCharsets.UTF_8));
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // every Java platform has it
        }
    }
}
