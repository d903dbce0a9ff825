package dev.paddock.harness.adk;

import com.google.adk.codeexecutors.CodeExecutionUtils.File;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.os.file.TreeRemoval;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceException;
import java.io.IOException;
import java.net.URLConnection;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The directory of one block of code: receives its input files, gives its output files, and is removed.
 *
 * @param executor runs the code
 * @param files the files around the directory
 * @param name its path there
 * @param commandPath the path that commands see
 * @param removal removes it
 * @param given the input files
 * @param before what was in the directory at first
 */
record BlockDirectory(
        CommandExecutor executor,
        WorkspaceFiles files,
        String name,
        String commandPath,
        Removal removal,
        Map<String, byte[]> given,
        Set<Entry> before) {
    /** How many entries are looked at; the code chooses how many there are. */
    private static final int MAX_ENTRIES = 10_000;

    @FunctionalInterface
    interface Removal {
        void run() throws IOException;
    }

    /** Returns the directory of a workspace, which is closed with it. */
    static BlockDirectory of(Workspace workspace) {
        try {
            WorkspaceFiles files = workspace.files();
            Set<Entry> before = Set.copyOf(files.list(".", MAX_ENTRIES + 1));
            String path = workspace.worktree().commandPath();
            return new BlockDirectory(
                    workspace.executor(), files, ".", path, workspace::close, new HashMap<>(), before);
        } catch (RuntimeException refused) {
            workspace.close();
            throw refused;
        }
    }

    /**
     * Creates a directory below a worktree. It is removed with all that is in it, protected names and repositories
     * too: the code alone has made them.
     */
    static BlockDirectory below(PathMapping worktree, CommandExecutor executor) {
        AccessRules rules = AccessRules.standard().alsoKeeping(executor::isKept);
        WorkspaceFiles files = WorkspaceFiles.open(List.of(FileRoot.of(worktree)), rules);
        String name = "paddock-code-" + UUID.randomUUID();
        String parent = worktree.commandPath().equals("/") ? "" : worktree.commandPath();
        Removal removal = () -> {
            files.close();
            TreeRemoval.remove(worktree.hostPath().toRealPath().resolve(name));
        };
        try {
            files.mkdir(name, false);
            return new BlockDirectory(executor, files, name, parent + "/" + name, removal, new HashMap<>(), Set.of());
        } catch (FileException refused) {
            files.close();
            throw refused;
        }
    }

    /**
     * What a block has made.
     *
     * @param note what is missing; empty if nothing is
     */
    record Output(List<File> files, String note) {}

    void put(List<File> inputs) {
        for (File input : inputs) {
            if (input.name().contains("/")
                    || input.name().equals("..")
                    || input.name().equals(".")) {
                throw new IllegalArgumentException("the input file '" + input.name() + "' is not a plain name");
            }
            byte[] content = Base64.getDecoder().decode(input.content());
            var unused = files.write(name + "/" + input.name(), content);
            given.put(input.name(), content);
        }
    }

    /** Reads the files that the code has made or changed; names those that cannot be read, since the code succeeded. */
    Output output() {
        List<Entry> entries;
        try {
            entries = files.list(name, MAX_ENTRIES + 1);
        } catch (FileException removed) {
            return new Output(List.of(), "\n[Without output files: " + removed.getMessage() + "]");
        }
        List<File> made = new ArrayList<>();
        List<String> left = new ArrayList<>();
        long room = AdkCodeExecutor.MAX_FILE_BYTES;
        for (Entry entry : entries) {
            if (entry.kind() != Entry.Kind.FILE || before.contains(entry)) {
                continue;
            }
            Optional<byte[]> content =
                    made.size() < AdkCodeExecutor.MAX_FILES ? content(entry, room) : Optional.empty();
            if (content.isEmpty()) {
                left.add(entry.name());
            } else if (!Arrays.equals(content.get(), given.get(entry.name()))) {
                room -= content.get().length;
                made.add(file(entry.name(), content.get()));
            }
        }
        String count = (entries.size() > MAX_ENTRIES ? "more than " : "") + left.size();
        return new Output(
                made, left.isEmpty() ? "" : "\n[" + count + " files left out, among them " + left.getFirst() + "]");
    }

    /** Returns the content; empty if the file is too large, or cannot be read any more. */
    private Optional<byte[]> content(Entry entry, long most) {
        try {
            return entry.size() > most ? Optional.empty() : Optional.of(files.read(entry.path(), most));
        } catch (FileException changed) {
            return Optional.empty();
        }
    }

    private static File file(String name, byte[] content) {
        String type = URLConnection.guessContentTypeFromName(name);
        return File.builder()
                .name(name)
                .content(Base64.getEncoder().encodeToString(content))
                .mimeType(Objects.requireNonNullElse(type, "application/octet-stream"))
                .build();
    }

    /**
     * Removes the directory.
     *
     * @return a note if something is left; otherwise empty
     */
    String remove() {
        try {
            removal.run();
            return "";
        } catch (NoSuchFileException gone) {
            return "";
        } catch (IOException | WorkspaceException fault) {
            return "\n[The code's directory " + commandPath + " could not be removed: " + fault.getMessage() + "]";
        }
    }
}
