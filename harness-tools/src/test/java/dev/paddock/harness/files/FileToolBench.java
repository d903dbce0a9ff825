package dev.paddock.harness.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFilesOver;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.FilesUnderWay;
import dev.paddock.harness.tools.files.FileTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Provides a worktree that commands see as {@code /work}, mounts that they see as {@code /data},
 * {@code /data/in/nested}, {@code /kept} (read-only) and the file {@code /data/one}, a log directory,
 * and the tools over all.
 */
final class FileToolBench implements AutoCloseable {
    final Path worktree;
    final Path outside;
    final Path logs;
    final Path mounted;
    final ContainedFiles files;

    private FileToolBench(Path directory, GrantedDirectory.DirectoryOpener opener) throws IOException {
        worktree = Files.createDirectory(directory.resolve("tree"));
        outside = Files.createDirectory(directory.resolve("outside"));
        logs = Files.createDirectory(directory.resolve("logs"));
        Files.writeString(outside.resolve("secret"), "SECRET\n");
        mounted = Files.createDirectory(directory.resolve("mounted"));
        Path nested = Files.createDirectory(directory.resolve("nested"));
        Path kept = Files.createDirectory(directory.resolve("kept"));
        Path single = Files.writeString(
                Files.createDirectory(directory.resolve("single")).resolve("one"), "one\n");
        Files.writeString(single.resolveSibling("beside"), "SECRET\n");
        List<Mount> mounts = List.of(
                new Mount(mounted.toRealPath(), "/data", Mount.Access.READ_WRITE),
                new Mount(nested.toRealPath(), "/data/in/nested", Mount.Access.READ_WRITE),
                new Mount(kept.toRealPath(), "/kept", Mount.Access.READ_ONLY),
                new Mount(single.toRealPath(), "/data/one", Mount.Access.READ_WRITE));
        List<FileRoot> roots = new ArrayList<>(roots(new PathMapping(worktree, "/work"), mounts));
        roots.add(FileRoot.readOnly(logs.toRealPath()));
        files = ContainedFiles.open(roots, AccessRules.standard(), opener);
    }

    /** Returns the roots of a worktree and its mounts. */
    static List<FileRoot> roots(PathMapping worktree, List<Mount> mounts) {
        return Stream.concat(Stream.of(FileRoot.of(worktree)), mounts.stream().map(FileRoot::of))
                .toList();
    }

    /** Opens a worktree and its mounts under the standard rules. */
    static ContainedFiles open(PathMapping worktree, List<Mount> mounts) {
        return ContainedFiles.open(roots(worktree, mounts), AccessRules.standard());
    }

    static FileToolBench in(Path directory) throws IOException {
        return new FileToolBench(directory, Directory::open);
    }

    /** Creates a bench as on a platform without directory descriptors. */
    static FileToolBench withCheckedPaths(Path directory) throws IOException {
        return new FileToolBench(directory, CheckedDirectory::open);
    }

    static FileToolBench with(Path directory, GrantedDirectory.DirectoryOpener opener) throws IOException {
        return new FileToolBench(directory, opener);
    }

    Path put(String path, String content) throws IOException {
        Path file = worktree.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    String get(String path) throws IOException {
        return Files.readString(worktree.resolve(path));
    }

    /** Creates a link in the worktree with the given target text. */
    void link(String path, String target) throws IOException {
        Files.createSymbolicLink(worktree.resolve(path), Path.of(target));
    }

    ToolResult call(String tool, Object... arguments) {
        return call(AbortSignal.never(), tool, arguments);
    }

    ToolResult call(AbortSignal signal, String tool, Object... arguments) {
        Json given = Json.object();
        for (int i = 0; i < arguments.length; i += 2) {
            Object value = arguments[i + 1];
            boolean isPlain = value instanceof Integer || value instanceof Boolean;
            given = given.with(arguments[i].toString(), isPlain ? value : value.toString());
        }
        return tool(tool).execute(new ToolCall("1", tool, given), new Context(signal));
    }

    Tool tool(String name) {
        return FileTools.all(
                        WorkspaceFilesOver.contained(files), new FilesUnderWay(), Optional.empty(), Optional.empty())
                .stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        files.close();
    }

    private record Context(AbortSignal signal) implements ToolContext {
        @Override
        public void update(String textSoFar) {
            throw new AssertionError("file tools send no updates");
        }
    }
}
