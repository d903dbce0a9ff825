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
import java.util.Random;
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

    /** Creates entries of every kind, with names and contents that could confuse. */
    static void fill(Path root) throws Exception {
        write(root.resolve("plain.txt"), "text\n");
        write(root.resolve("empty"), "");
        write(root.resolve("-rf"), "a dash\n");
        write(root.resolve("--checkpoint-action=exec=false"), "an option\n");
        write(root.resolve("two\nlines"), "a newline\n");
        write(root.resolve(" blank 'quote' \"double\" $HOME `id` \\n *?[a]"), "signs\n");
        Files.write(at(root, "bytes \u00ff\u00fe\u0001"), new byte[] {0, 1, (byte) 0xff});
        write(root.resolve("l".repeat(255)), "a long name\n");
        write(root.resolve("deep/" + "d".repeat(90) + "/" + "e".repeat(90) + "/file"), "deep\n");
        Files.createDirectories(root.resolve("hollow/inside"));
        write(root.resolve("modes/script"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(root.resolve("modes/script"), PosixFilePermissions.fromString("rwxr-x--x"));
        Files.setPosixFilePermissions(root.resolve("modes"), PosixFilePermissions.fromString("r-xr-x---"));
        Files.createSymbolicLink(root.resolve("link"), Path.of("plain.txt"));
        Files.createSymbolicLink(root.resolve("dangling"), Path.of("../" + "n".repeat(150)));
        Files.createSymbolicLink(root.resolve("to-directory"), Path.of("deep"));
        byte[] large = new byte[3_000_001];
        new Random(1).nextBytes(large);
        Files.write(root.resolve("large"), large);
        Files.createLink(root.resolve("another-name"), root.resolve("plain.txt"));
    }

    /** Changes, replaces and removes some of what {@link #fill} creates. */
    static void change(Path root) throws Exception {
        Files.delete(root.resolve("link"));
        Files.createDirectories(root.resolve("link/now/a/directory"));
        Files.delete(root.resolve("hollow/inside"));
        Files.delete(root.resolve("hollow"));
        write(root.resolve("hollow"), "now a file\n");
        Files.delete(root.resolve("empty"));
        Files.createSymbolicLink(root.resolve("empty"), Path.of("now a link"));
        Files.delete(root.resolve("deep/" + "d".repeat(90) + "/" + "e".repeat(90) + "/file"));
        Files.delete(root.resolve("-rf"));
        Files.setPosixFilePermissions(root.resolve("large"), PosixFilePermissions.fromString("r--r--r--"));
    }
}
