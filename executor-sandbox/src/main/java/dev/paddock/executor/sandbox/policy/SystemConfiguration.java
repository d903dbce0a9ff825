package dev.paddock.executor.sandbox.policy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The directories of {@code /etc} and {@code /var} that programs need, by Debian's, Fedora's and Alpine's names. None
 * has keys, passwords or addresses of servers: the configurations of npm, pip, apt, and PHP on a server are therefore
 * not listed.
 */
public final class SystemConfiguration {
    /** Names below {@code /etc}; an asterisk matches any part of one. */
    private static final List<String> DIRECTORIES = Stream.of(
                    // The loader, the links of Debian's alternatives, and certificates without their keys.
                    "ld.so.conf.d alternatives ssl/certs pki/ca-trust pki/java pki/tls/certs crypto-policies",
                    // Interpreters and their modules.
                    "perl python3* php/*/cli php/*/mods-available php.d php-zts.d php[0-9]*/conf.d R lua ruby* guile",
                    // The JVM and its build tools.
                    "java java-* maven ant ant.d groovy",
                    // Documents, pictures and their fonts.
                    "fonts texmf libpaper.d xml sgml ImageMagick-* ghostscript groff dictionaries-common",
                    // Compilers, packages and libraries.
                    "dpkg rpm gdb openmpi OpenCL vulkan glvnd terminfo chromium.d")
            .flatMap(line -> Stream.of(line.split(" ", -1)))
            .toList();

    /**
     * Files that packages generate at installation and programs do not find elsewhere: LaTeX its formats. Not dpkg's
     * database: root's commands could lock its files, and so block the host's apt.
     */
    private static final List<String> GENERATED =
            List.of("lib/texmf", "lib/ghostscript", "lib/aspell", "cache/fontconfig");

    private SystemConfiguration() {}

    /**
     * Returns the directories that exist.
     *
     * @param root a directory that represents the machine's root
     * @return their paths as they would be at the root, in order
     * @throws IOException if a parent directory cannot be listed
     */
    public static Set<String> directories(Path root) throws IOException {
        Set<String> found = new TreeSet<>();
        Path etc = root.resolve("etc");
        for (String pattern : DIRECTORIES) {
            for (Path directory : expand(etc, pattern)) {
                found.add("/etc/" + etc.relativize(directory));
            }
        }
        for (String name : GENERATED) {
            if (Files.isDirectory(root.resolve("var").resolve(name))) {
                found.add("/var/" + name);
            }
        }
        return found;
    }

    private static List<Path> expand(Path etc, String pattern) throws IOException {
        List<Path> paths = List.of(etc);
        for (String name : pattern.split("/", -1)) {
            List<Path> below = new ArrayList<>();
            for (Path path : paths) {
                below.addAll(children(path, name));
            }
            paths = below;
        }
        return paths;
    }

    private static List<Path> children(Path directory, String name) throws IOException {
        List<Path> found = new ArrayList<>();
        if (!name.contains("*")) {
            found.add(directory.resolve(name));
        } else if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, name)) {
                entries.forEach(found::add);
            }
        }
        found.removeIf(path -> !Files.isDirectory(path));
        return found;
    }
}
