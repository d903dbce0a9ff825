package dev.paddock.executor.remote.sync;

import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Describes directory trees of this machine, to compare them. */
final class Trees {
    private Trees() {}

    /** Returns type, permissions and content of each entry, by its path's bytes. */
    static Map<String, String> describe(Path root) throws Exception {
        Map<String, String> entries = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : (Iterable<Path>) paths.filter(each -> !each.equals(root))::iterator) {
                entries.put(PathBytes.of(root.relativize(path)), describeOne(path));
            }
        }
        return entries;
    }

    private static String describeOne(Path path) throws Exception {
        if (Files.isSymbolicLink(path)) {
            return "link " + PathBytes.of(Files.readSymbolicLink(path));
        }
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return "directory " + mode;
        }
        return "file " + mode + " " + digest(path);
    }

    private static String digest(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    /** Returns a path below a root, of which each character is one byte. */
    static Path at(Path root, String bytes) {
        return root.resolve(PathBytes.path(bytes).orElseThrow());
    }

    static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
