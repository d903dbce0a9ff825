package dev.paddock.executor.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads a file and the files that it extends. */
final class Extends {
    private static final int MAX_FILES = 16;

    private Extends() {}

    /** Returns the layers of a file, the lowest first. */
    static List<ConfigLayer> read(Path yaml) {
        List<ConfigLayer> layers = new ArrayList<>();
        collect(ConfigFile.of(yaml, List.of()), new ArrayList<>(), layers);
        return layers;
    }

    /**
     * Adds the layers of a file.
     *
     * @param chain the real paths of the files that extend it, beginning with the first one read
     */
    private static void collect(ConfigFile file, List<Path> chain, List<ConfigLayer> layers) {
        chain.add(real(file));
        LayerReader.Read read = read(file);
        if (read.base().isPresent()) {
            Origin origin = read.base().get().origin();
            String name = String.valueOf(read.base().get().value());
            if (isFile(name)) {
                collect(next(file, name, origin, chain), chain, layers);
            } else {
                layers.add(Presets.layer(name, origin));
            }
        }
        layers.add(read.layer());
    }

    /**
     * Reads a file. The message about a file elsewhere quotes nothing of it: a worktree's file can name any file of the
     * user's, and the message may be public.
     */
    private static LayerReader.Read read(ConfigFile file) {
        try {
            return LayerReader.read(file);
        } catch (SandboxConfigException fault) {
            if (!file.isElsewhere()) {
                throw fault;
            }
            throw SandboxConfigException.at(
                    file.at(0),
                    "it is no valid configuration, and lies elsewhere than the file that leads to it; '--config "
                            + real(file) + "' shows why");
        }
    }

    private static boolean isFile(String name) {
        return !Presets.isName(name) && (name.indexOf('/') >= 0 || name.endsWith(".yaml") || name.endsWith(".yml"));
    }

    private static ConfigFile next(ConfigFile file, String name, Origin origin, List<Path> chain) {
        List<Path> above = new ArrayList<>(file.above());
        above.addAll(file.paths());
        ConfigFile base;
        try {
            base = ConfigFile.of(LayerReader.path(file.directory(), name), above);
        } catch (SandboxConfigException | IllegalArgumentException fault) {
            throw SandboxConfigException.at(origin, "extends '" + name + "': " + fault.getMessage());
        }
        if (chain.contains(real(base))) {
            throw SandboxConfigException.at(
                    origin,
                    "extends goes in a circle: "
                            + Stream.concat(chain.stream(), Stream.of(real(base)))
                                    .map(Path::toString)
                                    .collect(Collectors.joining(" -> ")));
        }
        if (chain.size() == MAX_FILES) {
            throw SandboxConfigException.at(origin, "extends chains more than " + MAX_FILES + " files");
        }
        return base;
    }

    private static Path real(ConfigFile file) {
        return file.paths().get(file.paths().size() - 1);
    }
}
