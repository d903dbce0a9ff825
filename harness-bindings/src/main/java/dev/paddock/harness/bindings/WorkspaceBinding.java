package dev.paddock.harness.bindings;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.bindings.BindingEvent.Outcome;
import dev.paddock.harness.bindings.BindingEvent.Scope;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.GlobQuery;
import dev.paddock.harness.files.workspace.GlobResult;
import dev.paddock.harness.files.workspace.GrepQuery;
import dev.paddock.harness.files.workspace.GrepResult;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.files.workspace.Written;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The files of a container's root and mounts, by {@link WorkspaceFiles}; records each operation. A path is relative to
 * the root, or absolute, where the root is {@code /}.
 *
 * <p>The content of a dotenv file is hidden: if it is a source of the container's variables, a reader sees the
 * variables that are not secrets; of any other {@code .env} or {@code .env.*} nothing. Thread-safe.
 *
 * @since 0.1
 */
public final class WorkspaceBinding {
    /** The largest file that a read returns: 16 MiB. */
    public static final long MAX_READ_BYTES = 16 << 20;

    private final Supplier<WorkspaceFiles> files;
    private final Function<String, Optional<String>> dotenv;
    private final Predicate<String> isSource;
    private final Events events;

    /**
     * Creates the binding.
     *
     * @param dotenv returns the reader's view of a source of variables; empty for any other path
     * @param isSource returns whether a path is that of a source of variables
     */
    WorkspaceBinding(
            Supplier<WorkspaceFiles> files,
            Function<String, Optional<String>> dotenv,
            Predicate<String> isSource,
            Events events) {
        this.files = files;
        this.dotenv = dotenv;
        this.isSource = isSource;
        this.events = events;
    }

    /**
     * Reads a file.
     *
     * @param path the file
     * @return its content
     * @throws FileException if it cannot be read, or its content is denied
     */
    public byte[] read(String path) {
        return observed("read", path, () -> content(path), bytes -> bytes.length + " bytes");
    }

    /**
     * Reads a file as text in UTF-8.
     *
     * @param path the file
     * @return its text
     * @throws FileException if it cannot be read, or its content is denied
     */
    public String readText(String path) {
        return new String(read(path), StandardCharsets.UTF_8);
    }

    private byte[] content(String path) {
        Optional<String> view = dotenv.apply(path);
        if (view.isPresent()) {
            return view.get().getBytes(StandardCharsets.UTF_8);
        }
        if (EnvPath.looksLike(path)) {
            throw new FileException(
                    Reason.NOT_READABLE,
                    path,
                    path + " is not readable: it looks like a dotenv file, and is not a source of this"
                            + " container's. Ask for the variable by ENV");
        }
        return files.get().read(path, MAX_READ_BYTES);
    }

    /**
     * Writes a file: replaces its content, or creates it and its parents.
     *
     * @param path the file
     * @param content the new content
     * @return the file that was written
     * @throws FileException if it may not be written
     */
    public Written write(String path, byte[] content) {
        return observed(
                "write",
                path,
                () -> {
                    requireNoVariables(path);
                    return files.get().write(path, content);
                },
                done -> content.length + " bytes");
    }

    /** Refuses to write dotenv files: writing back the reader's view would lose secrets. */
    private void requireNoVariables(String path) {
        if (EnvPath.looksLike(path) || isSource.test(path)) {
            throw new FileException(
                    Reason.PROTECTED, path, path + " is a dotenv file and cannot be written. Leave it to the user");
        }
    }

    /**
     * Writes a file as text in UTF-8.
     *
     * @param path the file
     * @param text the new content
     * @return the file that was written
     * @throws FileException if it may not be written
     */
    public Written writeText(String path, String text) {
        return write(path, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Lists a directory.
     *
     * @param path the directory
     * @return its entries, links as links
     * @throws FileException if it is not a directory
     */
    public List<Entry> list(String path) {
        return observed("list", path, () -> files.get().list(path), entries -> entries.size() + " entries");
    }

    /**
     * Describes an entry; does not follow a link.
     *
     * @param path the entry
     * @return its kind, size and time
     * @throws FileException if nothing has the path
     */
    public Entry stat(String path) {
        return observed("stat", path, () -> files.get().stat(path), entry -> "");
    }

    /**
     * Finds entries of all roots by their names.
     *
     * @param patterns globs
     * @param signal ends the search
     * @return the entries, each once, sorted
     */
    public GlobResult glob(List<String> patterns, AbortSignal signal) {
        return observed(
                "glob",
                String.join(" ", patterns),
                () -> files.get().glob(GlobQuery.of(patterns), signal),
                found -> found.entries().size() + " matches");
    }

    /**
     * Finds lines by their content. Skips files whose content is denied.
     *
     * @param query what to find
     * @param signal ends the search
     * @return the lines
     */
    public GrepResult grep(GrepQuery query, AbortSignal signal) {
        return observed(
                "grep",
                query.expression(),
                () -> files.get().grep(query, signal),
                found -> found.matches().size() + " matches");
    }

    /**
     * Removes a file, a directory, or a link (not its target).
     *
     * @param path the entry; not a root
     * @param recursive whether a directory is removed with its content
     * @param force whether a missing path is not an error
     * @throws FileException if it may not be removed
     */
    public void remove(String path, boolean recursive, boolean force) {
        observed(
                "remove",
                path,
                () -> {
                    requireNoVariables(path);
                    try {
                        files.get().remove(path, recursive);
                    } catch (FileException missing) {
                        if (!force || missing.reason() != Reason.NOT_FOUND) {
                            throw missing;
                        }
                    }
                    return path;
                },
                done -> "");
    }

    private <T> T observed(String action, String target, Supplier<T> operation, Function<T, String> detail) {
        try {
            T result = operation.get();
            String more = detail.apply(result);
            BindingEvent event =
                    BindingEvent.of(Scope.WORKSPACE, action, Outcome.SUCCESS).on(target);
            events.host(more.isEmpty() ? event : event.with(more));
            return result;
        } catch (RuntimeException fault) {
            events.host(failure(action, fault).on(target).with(String.valueOf(fault.getMessage())));
            throw fault;
        }
    }

    private static BindingEvent failure(String action, RuntimeException fault) {
        if (!(fault instanceof FileException refused)) {
            return BindingEvent.of(Scope.WORKSPACE, action, Outcome.ERROR);
        }
        return switch (refused.reason()) {
            case NOT_READABLE -> BindingEvent.of(Scope.WORKSPACE, "read-denied", Outcome.DENIED);
            case NOT_WRITABLE, PROTECTED -> BindingEvent.of(Scope.WORKSPACE, "write-denied", Outcome.DENIED);
            case OUTSIDE, NO_ROOT, INVALID_PATH -> BindingEvent.of(Scope.WORKSPACE, "resolve-path", Outcome.ERROR);
            default -> BindingEvent.of(Scope.WORKSPACE, action, Outcome.ERROR);
        };
    }
}
