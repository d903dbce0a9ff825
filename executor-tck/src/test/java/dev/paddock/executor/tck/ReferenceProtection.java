package dev.paddock.executor.tck;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A reference executor that protects a worktree: after each command it undoes every change below a
 * protected name, and of the hooks that the repository's configuration names. Git's own commits are undone too, which
 * no test here makes. Broken executors extend it and override the methods that they break.
 */
class ReferenceProtection extends ReferenceExecutor {
    private static final Set<String> NAMES =
            Set.of(".git", ".envrc", ".mcp.json", ".vscode", ".idea", ".claude", ".npmrc");

    private static final Path HOOKS = Path.of("tools", "hooks");

    private final Path root;
    private final Map<String, String> variables;
    private final Path quarantine;
    private Map<Path, Optional<String>> before = Map.of();

    ReferenceProtection(Path root, Map<String, String> variables) {
        this.root = root;
        this.variables = variables;
        this.quarantine = SCRIPTS.resolve("quarantine-" + UUID.randomUUID());
    }

    @Override
    public Set<Guarantee> guarantees() {
        return Set.of(Guarantee.PROTECTED_PATHS);
    }

    @Override
    public boolean isKept(Path path) {
        return path.startsWith(root.resolve(HOOKS));
    }

    @Override
    Map<String, String> base() {
        Map<String, String> base = new TreeMap<>(super.base());
        base.putAll(variables);
        return base;
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        if (takesBaseline()) {
            before = protectedEntries();
        }
        return super.spawn(command, options);
    }

    @Override
    ReferenceProcess process(Process process, SpawnOptions options, String marker) {
        return new ReferenceProcess(process, options, marker) {
            @Override
            List<String> settle() {
                return ReferenceProtection.this.settle();
            }
        };
    }

    /** Returns whether the next command is compared with the state before it. */
    boolean takesBaseline() {
        return true;
    }

    /** Undoes the changes, and returns a notice for each. */
    List<String> settle() {
        open();
        Set<String> notices = new LinkedHashSet<>();
        Map<Path, Optional<String>> after = protectedEntries();
        after.forEach((path, content) -> {
            if (!content.equals(before.get(path))) {
                notices.addAll(remove(path));
            }
        });
        before.forEach((path, content) -> {
            if (Files.notExists(path)) {
                notices.add("'" + path + "' was restored.");
                restore(path, content);
            }
        });
        return new ArrayList<>(notices);
    }

    /** Gives the owner all permissions. */
    void open() {
        run("chmod", "-R", "u+rwx", root.toString());
    }

    /** Handles an entry that cannot be read: what lies below a path that is too long. */
    void skip(Path path, IOException fault) throws IOException {}

    List<String> remove(Path path) {
        try {
            Files.createDirectories(quarantine);
            Files.move(path, quarantine.resolve(UUID.randomUUID().toString()));
            return List.of("'" + path + "' was moved.");
        } catch (NoSuchFileException moved) {
            return List.of("'" + path + "' was moved with its directory.");
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static void restore(Path path, Optional<String> content) {
        try {
            if (content.isEmpty()) {
                Files.createDirectories(path);
            } else {
                Files.writeString(path, content.get(), StandardCharsets.ISO_8859_1);
            }
        } catch (NoSuchFileException | FileAlreadyExistsException moved) {
            // A live command has moved the directory away, or back; what it has planted there is what a test finds.
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Returns the entries below protected names: files' contents, and empty for directories. */
    private Map<Path, Optional<String>> protectedEntries() {
        Map<Path, Optional<String>> entries = Collections.synchronizedMap(new TreeMap<>());
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    return add(directory, Optional.empty());
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    try {
                        return add(file, Optional.of(content(file, attributes)));
                    } catch (NoSuchFileException moved) { // by a live command, with its directory
                        return FileVisitResult.CONTINUE;
                    }
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException fault) throws IOException {
                    skip(file, fault);
                    return FileVisitResult.CONTINUE;
                }

                private FileVisitResult add(Path path, Optional<String> content) {
                    if (root.relativize(path).startsWith(HOOKS)) {
                        entries.put(path, content);
                    }
                    for (Path name : root.relativize(path)) {
                        if (NAMES.contains(name.toString())) {
                            entries.put(path, content);
                        }
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
        return entries;
    }

    String content(Path file, BasicFileAttributes attributes) throws IOException {
        return attributes.isRegularFile()
                ? Files.readString(file, StandardCharsets.ISO_8859_1)
                : attributes.isSymbolicLink() ? "link " + Files.readSymbolicLink(file) : "special";
    }

    @Override
    public void dispose() {
        super.dispose();
        run("rm", "-rf", quarantine.toString());
    }

    /** Runs a program; a failure of it shows in the tests. */
    private static void run(String... command) {
        try {
            int unused = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join()
                    .exitValue();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
