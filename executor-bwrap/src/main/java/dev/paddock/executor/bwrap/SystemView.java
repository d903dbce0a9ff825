package dev.paddock.executor.bwrap;

import dev.paddock.executor.sandbox.policy.SystemConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of this machine's system that a sandbox shows, read-only or below its own layer.
 *
 * @param links top-level names that are links here, such as {@code /bin} to {@code usr/bin}, and their targets
 * @param directories directories shown unchanged, at their own paths; those in {@code /etc} and {@code /var} last
 * @param layered whether each sandbox can write to the system, in a layer that ends with it
 */
record SystemView(Map<String, String> links, List<String> directories, boolean layered) {
    private static final List<String> TOP =
            List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store");

    SystemView {
        links = new LinkedHashMap<>(links);
        directories = List.copyOf(directories);
    }

    SystemView(Map<String, String> links, List<String> directories) {
        this(links, directories, false);
    }

    SystemView withLayer(boolean wanted) {
        return new SystemView(links, directories, wanted);
    }

    static SystemView ofThisMachine() throws IOException {
        return below(Path.of("/"));
    }

    /** Returns the parts that exist below a directory that represents the machine's root. */
    static SystemView below(Path root) throws IOException {
        Map<String, String> links = new LinkedHashMap<>();
        List<String> directories = new ArrayList<>();
        for (String name : TOP) {
            Path path = at(root, name);
            if (Files.isSymbolicLink(path)) {
                links.put(name, Files.readSymbolicLink(path).toString());
            } else if (Files.isDirectory(path)) {
                directories.add(name);
            }
        }
        directories.addAll(SystemConfiguration.directories(root));
        return new SystemView(links, directories);
    }

    private static Path at(Path root, String name) {
        return root.resolve(name.substring(1));
    }

    /**
     * Resolves the links of this view in a path: bubblewrap follows a link when it creates a mount point, and an
     * absolute one leads it out of the sandbox.
     *
     * @param path a normalized absolute path as commands see it
     */
    String followLinks(String path) {
        int end = path.indexOf('/', 1);
        String top = end < 0 ? path : path.substring(0, end);
        String target = links.get(top);
        return target == null ? path : Path.of("/", target).normalize() + (end < 0 ? "" : path.substring(end));
    }
}
