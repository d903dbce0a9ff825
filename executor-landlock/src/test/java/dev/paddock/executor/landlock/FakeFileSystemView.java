package dev.paddock.executor.landlock;

import dev.paddock.executor.landlock.kernel.FileSystemView;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Holds files and directories that a test has defined; the path of each is its identity. */
public final class FakeFileSystemView implements FileSystemView {
    private final Map<String, Entry> files = new HashMap<>();
    private final Map<Path, Path> links = new HashMap<>();

    public FakeFileSystemView directories(String... paths) {
        for (String path : paths) {
            files.put(path, new Entry(true, path));
        }
        return this;
    }

    public FakeFileSystemView files(String... paths) {
        for (String path : paths) {
            files.put(path, new Entry(false, path));
        }
        return this;
    }

    public FakeFileSystemView replaced(String path, Object identity) {
        files.computeIfPresent(path, (same, entry) -> new Entry(entry.directory(), identity));
        return this;
    }

    FakeFileSystemView link(String from, String to) {
        links.put(Path.of(from), Path.of(to));
        return this;
    }

    @Override
    public Optional<Entry> at(String path) {
        return Optional.ofNullable(files.get(path));
    }

    @Override
    public Path real(Path path) {
        return links.getOrDefault(path, path);
    }
}
