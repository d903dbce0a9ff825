package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.PatternException;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.FilesUnderWay;
import dev.paddock.harness.tools.text.Schema;
import dev.paddock.harness.tools.threads.HarnessThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Implements the common behavior of the file tools: turns every failure into an error result worded for the model, and
 * returns soon after an abort even if the file system blocks.
 *
 * <p>The work runs on a separate thread. A network file system may hang, and Java cannot interrupt that: then the call
 * returns, the thread waits for the file system, and its pending write is discarded.
 */
abstract class FileTool implements Tool {
    private static final Duration ABORT_GRACE = Duration.ofSeconds(1);
    private static final Duration MAX_TIME = Duration.ofMinutes(5);

    final WorkspaceFiles files;
    private final FilesUnderWay underWay;
    private final String name;
    private final String title;
    private final String description;
    private final Schema schema;

    FileTool(
            WorkspaceFiles files,
            FilesUnderWay underWay,
            String name,
            String title,
            String description,
            Schema schema) {
        this.files = files;
        this.underWay = underWay;
        this.name = name;
        this.title = title;
        this.description = description;
        this.schema = schema;
    }

    /** Executes the call. Any declared exception becomes an error result. */
    abstract ToolResult run(FileToolArguments arguments, AbortSignal signal) throws IOException;

    /** Returns the path for an error that has no more specific path. */
    String subject(FileToolArguments arguments) {
        return arguments.pathOrRoot();
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String title() {
        return title;
    }

    @Override
    public final String description() {
        return description;
    }

    @Override
    public final Json inputSchema() {
        return schema.build();
    }

    @Override
    public final ExecutionSite executionSite() {
        return ExecutionSite.WORKTREE;
    }

    @Override
    public final ToolResult execute(ToolCall call, ToolContext context) {
        AbortController abandoned = new AbortController();
        AbortSignal signal = AbortSignal.any(context.signal(), abandoned.signal());
        Executor thread = HarnessThreads.perTask("paddock-" + name);
        CompletableFuture<ToolResult> result =
                CompletableFuture.supplyAsync(() -> attempt(new FileToolArguments(call.arguments()), signal), thread);
        Executor afterGrace =
                CompletableFuture.delayedExecutor(ABORT_GRACE.toMillis(), TimeUnit.MILLISECONDS, Runnable::run);
        AbortSignal.Registration registration =
                context.signal().onAbort(() -> afterGrace.execute(() -> result.complete(aborted(context.signal()))));
        try {
            return result.completeOnTimeout(tooLong(), MAX_TIME.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } finally {
            registration.close();
            abandoned.abort("the call has returned");
        }
    }

    private ToolResult attempt(FileToolArguments arguments, AbortSignal signal) {
        try {
            signal.throwIfAborted();
            underWay.await(signal);
            return readable(run(arguments, signal));
        } catch (AbortedException e) {
            return aborted(signal);
        } catch (FileException e) {
            boolean closed = e.reason() == FileException.Reason.CLOSED;
            return ToolResult.error(closed ? name + " cannot be used any more: the session has ended" : messageOf(e));
        } catch (ToolException | PatternException e) {
            return ToolResult.error(messageOf(e));
        } catch (IOException e) {
            return ToolResult.error(messageOf(FileException.of(subject(arguments), e)));
        }
    }

    private ToolResult aborted(AbortSignal signal) {
        return ToolResult.error(name + " was aborted: " + signal.reason().orElse("no reason given"));
    }

    private ToolResult tooLong() {
        return ToolResult.error(name + " did not finish within " + MAX_TIME.toSeconds()
                + " s: the file system does not answer, or there is too much to read");
    }

    private static String messageOf(Exception e) {
        return EscapedName.shown(String.valueOf(e.getMessage()));
    }

    /** Escapes names that are not UTF-8. No other part of a result contains lone surrogates. */
    private static ToolResult readable(ToolResult result) {
        String text = EscapedName.shown(result.text());
        Json details = result.details()
                .text("path")
                .map(path -> result.details().with("path", EscapedName.shown(path)))
                .orElse(result.details());
        return text.equals(result.text())
                ? result.withDetails(details)
                : result.images().stream()
                        .reduce(
                                ToolResult.of(text, result.isError()).withDetails(details),
                                ToolResult::withImage,
                                (first, second) -> second);
    }

    /** Returns the path argument. */
    final String path(FileToolArguments arguments) {
        return EscapedName.path(files, arguments.text("path"));
    }

    /** Returns the path argument, or the worktree if there is none. */
    final String pathOrRoot(FileToolArguments arguments) {
        return EscapedName.path(files, arguments.pathOrRoot());
    }
}
