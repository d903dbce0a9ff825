package dev.paddock.executor.remote.sync;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Changes a tree at random. */
final class RandomChanges {
    private static final List<String> NAMES = List.of("a", "b", "c", "d e", "-f");
    private static final List<String> MODES = List.of("rwxr-xr-x", "rwx------", "rw-r--r--", "rwxrwxrwx");
    private static final List<String> MODES_OF_DIRECTORIES = List.of("rwxr-xr-x", "rwx------", "rwxrwxrwx");

    private RandomChanges() {}

    static void make(Path root, Random random, int count) throws IOException {
        Files.createDirectories(root);
        for (int index = 0; index < count; index++) {
            Path path = root;
            for (int depth = random.nextInt(3); depth >= 0; depth--) {
                path = path.resolve(NAMES.get(random.nextInt(NAMES.size())));
                if (depth > 0 && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    remove(path);
                    Files.createDirectory(path);
                }
            }
            change(path, random);
        }
    }

    private static void change(Path path, Random random) throws IOException {
        switch (random.nextInt(6)) {
            case 0 -> remove(path);
            case 1 -> {
                remove(path);
                Files.createSymbolicLink(path, Path.of("to " + random.nextInt(3)));
            }
            case 2 -> {
                if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(path)) {
                    List<String> modes = Files.isDirectory(path) ? MODES_OF_DIRECTORIES : MODES;
                    String mode = modes.get(random.nextInt(modes.size()));
                    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
                }
            }
            case 3 -> {
                if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    remove(path);
                    Files.createDirectory(path);
                }
            }
            default -> {
                if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    remove(path);
                }
                Files.writeString(path, "content " + random.nextInt(100));
            }
        }
    }

    private static void remove(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(each);
            }
        }
    }
}
