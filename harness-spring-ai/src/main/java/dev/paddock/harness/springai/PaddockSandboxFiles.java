package dev.paddock.harness.springai;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springaicommunity.sandbox.FileEntry;
import org.springaicommunity.sandbox.FileSpec;
import org.springaicommunity.sandbox.FileType;
import org.springaicommunity.sandbox.Sandbox;
import org.springaicommunity.sandbox.SandboxException;
import org.springaicommunity.sandbox.SandboxFiles;

/** The files of a sandbox's worktree. Links are listed as files and cannot lead outside the worktree. */
final class PaddockSandboxFiles implements SandboxFiles {
    /** The largest file that is read into a string: 64 MiB. */
    private static final long MAX_FILE_BYTES = 64L << 20;

    private final Sandbox sandbox;
    private final WorkspaceFiles files;
    private final int mostListed;

    PaddockSandboxFiles(Sandbox sandbox, WorkspaceFiles files, int mostListed) {
        this.sandbox = sandbox;
        this.files = files;
        this.mostListed = mostListed;
    }

    @Override
    public SandboxFiles create(String relativePath, String content) {
        return call(() -> {
            var unused = files.write(relativePath, content.getBytes(StandardCharsets.UTF_8));
            return this;
        });
    }

    @Override
    public SandboxFiles createDirectory(String relativePath) {
        return call(() -> {
            files.mkdir(relativePath, true);
            return this;
        });
    }

    @Override
    public SandboxFiles setup(List<FileSpec> specifications) {
        specifications.forEach(file -> create(file.path(), file.content()));
        return this;
    }

    @Override
    public String read(String relativePath) {
        return call(() -> new String(files.read(relativePath, MAX_FILE_BYTES), StandardCharsets.UTF_8));
    }

    @Override
    public boolean exists(String relativePath) {
        try {
            String unused = files.resolved(relativePath);
            return true;
        } catch (FileException absent) {
            if (absent.reason() == FileException.Reason.CLOSED) {
                throw new SandboxException(absent.getMessage(), absent);
            }
            return false;
        }
    }

    @Override
    public List<FileEntry> list(String relativePath) {
        return list(relativePath, 1);
    }

    @Override
    public List<FileEntry> list(String relativePath, int maxDepth) {
        if (maxDepth < 0) {
            throw new IllegalArgumentException("the depth must be 0 or more, not " + maxDepth);
        }
        return call(() -> {
            List<FileEntry> found = new ArrayList<>();
            collect(relativePath, maxDepth, found);
            return found;
        });
    }

    private void collect(String directory, int depth, List<FileEntry> found) {
        List<Entry> entries = files.list(directory, mostListed + 1 - found.size());
        for (Entry entry : depth == 0 ? List.<Entry>of() : entries) {
            boolean isDirectory = entry.kind() == Entry.Kind.DIRECTORY;
            found.add(new FileEntry(
                    entry.name(),
                    isDirectory ? FileType.DIRECTORY : FileType.FILE,
                    entry.path(),
                    isDirectory ? 0 : entry.size(),
                    entry.modified()));
            if (found.size() > mostListed) {
                throw new SandboxException("more than " + mostListed
                        + " entries are to be listed: list a directory below it, or fewer levels");
            }
            if (isDirectory && depth > 1) {
                collectIfReadable(entry.path(), depth - 1, found);
            }
        }
    }

    /** Commands may remove a directory, or deny it to others, while the ones above it are listed. */
    private void collectIfReadable(String directory, int depth, List<FileEntry> found) {
        try {
            collect(directory, depth, found);
        } catch (FileException unreadable) {
            if (unreadable.reason() == FileException.Reason.CLOSED) {
                throw unreadable;
            }
        }
    }

    @Override
    public SandboxFiles delete(String relativePath) {
        return delete(relativePath, false);
    }

    @Override
    public SandboxFiles delete(String relativePath, boolean recursive) {
        return call(() -> {
            files.remove(relativePath, recursive);
            return this;
        });
    }

    @Override
    public Sandbox and() {
        return sandbox;
    }

    private static <T> T call(Supplier<T> operation) {
        try {
            return operation.get();
        } catch (FileException refused) {
            throw new SandboxException(message(refused), refused);
        }
    }

    /** The library's own suite demands the word; the files' message advises a model. */
    private static String message(FileException refused) {
        return refused.reason() == FileException.Reason.NOT_FOUND
                ? "'" + refused.path() + "' does not exist in the worktree"
                : String.valueOf(refused.getMessage());
    }
}
