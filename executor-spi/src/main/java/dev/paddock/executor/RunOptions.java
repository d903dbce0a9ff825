package dev.paddock.executor;

import dev.paddock.executor.run.Capture;
import dev.paddock.executor.run.ChunkHandler;
import dev.paddock.executor.run.LineHandler;
import dev.paddock.executor.run.StdinWriter;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The options of {@link CommandExecutor#run}. Immutable: each method returns a changed copy.
 *
 * <p>Defaults: those of {@link SpawnOptions}; no time limits, no input, no callbacks, UTF-8, of each
 * stream the first and the last 512 KiB, lines of at most 65,536 characters.
 *
 * @since 0.1
 */
public final class RunOptions {
    private SpawnOptions spawn;
    private Optional<Duration> startTimeout = Optional.empty();
    private Optional<Duration> timeout = Optional.empty();
    private Optional<Duration> closeTimeout = Optional.empty();
    private Optional<StdinWriter> stdin = Optional.empty();
    private Optional<Path> stdinFile = Optional.empty();
    private Optional<Path> file = Optional.empty();
    private Optional<OutputStream> stream = Optional.empty();
    private Optional<LineHandler> onLine = Optional.empty();
    private Optional<ChunkHandler> onChunk = Optional.empty();
    private Capture capture = Capture.headAndTail(1 << 20);
    private Charset charset = StandardCharsets.UTF_8;
    private int maxLine = 1 << 16;

    private RunOptions(SpawnOptions spawn) {
        this.spawn = spawn;
    }

    /**
     * Returns the defaults for a directory.
     *
     * @param cwd the directory on the command's side, absolute
     * @return the options
     * @throws SpawnException if the directory is not an absolute path
     */
    public static RunOptions in(String cwd) {
        return new RunOptions(SpawnOptions.in(cwd));
    }

    /**
     * Returns the defaults for a directory that has the same path on the command's side, as in a kernel
     * sandbox and on the host.
     *
     * @param cwd the directory; a relative one is resolved against the JVM's working directory
     * @return the options
     */
    public static RunOptions in(Path cwd) {
        return in(cwd.toAbsolutePath().normalize().toString());
    }

    /**
     * Sets one variable.
     *
     * @param name an identifier
     * @param value its value, without NUL
     * @return the options
     * @throws SpawnException if one of them is invalid
     */
    public RunOptions env(String name, String value) {
        return env(Map.of(name, value));
    }

    /**
     * Sets several variables.
     *
     * @param variables names and values
     * @return the options
     * @throws SpawnException if one of them is invalid
     */
    public RunOptions env(Map<String, String> variables) {
        return with(copy -> copy.spawn = spawn.toBuilder().env(variables).build());
    }

    /**
     * Sets the signal whose abort ends the command.
     *
     * @param value the signal
     * @return the options
     */
    public RunOptions signal(AbortSignal value) {
        return with(copy -> copy.spawn = spawn.toBuilder().signal(value).build());
    }

    /**
     * Sets how long the tree has between TERM and KILL.
     *
     * @param value zero to {@link SpawnOptions#MAX_KILL_GRACE}
     * @return the options
     * @throws SpawnException if the value is out of that range
     */
    public RunOptions killGrace(Duration value) {
        return with(copy -> copy.spawn = spawn.toBuilder().killGrace(value).build());
    }

    /**
     * Sets the destination of standard error.
     *
     * @param value separate or merged
     * @return the options
     */
    public RunOptions stderr(SpawnOptions.Stderr value) {
        return with(copy -> copy.spawn = spawn.toBuilder().stderr(value).build());
    }

    /**
     * Sets the shell that runs the command.
     *
     * @param value one of the executor's {@link CommandExecutor#shells()}; its own by default
     * @return the options
     */
    public RunOptions shell(CommandShell value) {
        return with(copy -> copy.spawn = spawn.toBuilder().shell(value).build());
    }

    /**
     * Bounds the start of the command, such as the pull of an image.
     *
     * @param value more than zero
     * @return the options
     * @throws IllegalArgumentException if the value is zero or negative
     */
    public RunOptions startTimeout(Duration value) {
        return with(copy -> copy.startTimeout = Optional.of(positive("startTimeout", value)));
    }

    /**
     * Bounds the command, from the return of {@link CommandExecutor#spawn}.
     *
     * @param value more than zero
     * @return the options
     * @throws IllegalArgumentException if the value is zero or negative
     */
    public RunOptions timeout(Duration value) {
        return with(copy -> copy.timeout = Optional.of(positive("timeout", value)));
    }

    /**
     * Bounds the wait for the command's close, which is the end of the executor's cleanup, after the exit.
     * If the bound passes first, the result has no {@link CommandResult#cleanup()}, and
     * {@link CommandResult#closed()} completes later.
     *
     * @param value more than zero; by default the kill grace and 10 seconds, or the rest of the command's time if the
     *     executor {@linkplain CommandExecutor#copiesFiles copies files}
     * @return the options
     * @throws IllegalArgumentException if the value is zero or negative
     */
    public RunOptions closeTimeout(Duration value) {
        return with(copy -> copy.closeTimeout = Optional.of(positive("closeTimeout", value)));
    }

    /**
     * Gives bytes as standard input. Replaces an earlier input.
     *
     * @param bytes the bytes; copied
     * @return the options
     */
    public RunOptions stdin(byte[] bytes) {
        byte[] own = bytes.clone();
        return stdin((StdinWriter) in -> in.write(own));
    }

    /**
     * Gives a file's content as standard input. Replaces an earlier input.
     *
     * @param file a regular file on the host, which is opened before the command starts; a link in its place is not
     *     followed, since a command could put one there
     * @return the options
     */
    public RunOptions stdin(Path file) {
        return with(copy -> {
            copy.stdin = Optional.of(in -> RunFiles.copy(file, in));
            copy.stdinFile = Optional.of(file);
        });
    }

    /**
     * Lets a writer produce the standard input. Replaces an earlier input.
     *
     * @param writer called once for each run
     * @return the options
     */
    public RunOptions stdin(StdinWriter writer) {
        return with(copy -> {
            copy.stdin = Optional.of(writer);
            copy.stdinFile = Optional.empty();
        });
    }

    /**
     * Sets how much of each stream the result has.
     *
     * @param value the capture
     * @return the options
     */
    public RunOptions capture(Capture value) {
        return with(copy -> copy.capture = value);
    }

    /**
     * Sets the charset of lines and of the result's text.
     *
     * @param value the charset
     * @return the options
     */
    public RunOptions charset(Charset value) {
        return with(copy -> copy.charset = value);
    }

    /**
     * Sets the length from which a line is delivered in parts.
     *
     * @param chars 1 to 16,777,216 characters; a part may have one more, to keep a surrogate pair
     * @return the options
     * @throws IllegalArgumentException if the number is not in that range
     */
    public RunOptions maxLine(int chars) {
        if (chars < 1 || chars > 1 << 24) {
            throw new IllegalArgumentException("maxLine is not within 1 and " + (1 << 24) + ": " + chars);
        }
        return with(copy -> copy.maxLine = chars);
    }

    /**
     * Sets the receiver of lines.
     *
     * @param handler the handler
     * @return the options
     */
    public RunOptions onLine(LineHandler handler) {
        return with(copy -> copy.onLine = Optional.of(handler));
    }

    /**
     * Sets the receiver of blocks of bytes.
     *
     * @param handler the handler
     * @return the options
     */
    public RunOptions onChunk(ChunkHandler handler) {
        return with(copy -> copy.onChunk = Optional.of(handler));
    }

    /**
     * Also writes standard output to a file on the host. The file is opened before the command
     * starts and emptied once it has started; a later fault is one of the result's
     * {@link CommandResult#callbackErrors()}, and ends the writing, not the command.
     *
     * @param value a regular file; created if it does not exist; a link in its place is not followed
     * @return the options
     */
    public RunOptions toFile(Path value) {
        return with(copy -> copy.file = Optional.of(value));
    }

    /**
     * Also writes standard output to a stream as it is read, without a copy of each block. An
     * exception ends the writing, not the command. Calls overlap with no callback.
     *
     * @param value the stream; flushed after each block, never closed
     * @return the options
     */
    public RunOptions toStream(OutputStream value) {
        return with(copy -> copy.stream = Optional.of(value));
    }

    /**
     * Returns the directory, environment, signal, grace and streams of the command.
     *
     * @return the options to spawn with; standard input is a pipe exactly if there is an input
     */
    public SpawnOptions spawnOptions() {
        return spawn.toBuilder()
                .stdin(stdin.isPresent() ? SpawnOptions.Stdin.PIPE : SpawnOptions.Stdin.EMPTY)
                .build();
    }

    /**
     * Returns the bound of the command's start.
     *
     * @return more than zero; empty for none
     */
    public Optional<Duration> startTimeout() {
        return startTimeout;
    }

    /**
     * Returns the bound of the command.
     *
     * @return more than zero; empty for none
     */
    public Optional<Duration> timeout() {
        return timeout;
    }

    /**
     * Returns the bound of the wait for the close.
     *
     * @return more than zero; empty for the kill grace and 10 seconds
     */
    public Optional<Duration> closeTimeout() {
        return closeTimeout;
    }

    /**
     * Returns the writer of the input, also of bytes or of a file.
     *
     * @return the writer; empty for no input
     */
    public Optional<StdinWriter> stdin() {
        return stdin;
    }

    Optional<Path> stdinFile() {
        return stdinFile;
    }

    /**
     * Returns how much of each stream the result has.
     *
     * @return the capture
     */
    public Capture capture() {
        return capture;
    }

    /**
     * Returns the charset of lines and of the result's text.
     *
     * @return the charset
     */
    public Charset charset() {
        return charset;
    }

    /**
     * Returns the length from which a line is delivered in parts.
     *
     * @return characters, 1 or more
     */
    public int maxLine() {
        return maxLine;
    }

    /**
     * Returns the receiver of lines.
     *
     * @return the handler, if there is one
     */
    public Optional<LineHandler> onLine() {
        return onLine;
    }

    /**
     * Returns the receiver of blocks of bytes.
     *
     * @return the handler, if there is one
     */
    public Optional<ChunkHandler> onChunk() {
        return onChunk;
    }

    /**
     * Returns the file that standard output is also written to.
     *
     * @return the file, if there is one
     */
    public Optional<Path> toFile() {
        return file;
    }

    /**
     * Returns the stream that standard output is also written to.
     *
     * @return the stream, if there is one
     */
    public Optional<OutputStream> toStream() {
        return stream;
    }

    private RunOptions with(Consumer<RunOptions> change) {
        RunOptions copy = new RunOptions(spawn);
        copy.startTimeout = startTimeout;
        copy.timeout = timeout;
        copy.closeTimeout = closeTimeout;
        copy.stdin = stdin;
        copy.stdinFile = stdinFile;
        copy.file = file;
        copy.stream = stream;
        copy.onLine = onLine;
        copy.onChunk = onChunk;
        copy.capture = capture;
        copy.charset = charset;
        copy.maxLine = maxLine;
        change.accept(copy);
        return copy;
    }

    private static Duration positive(String name, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(name + " is not more than zero: " + value);
        }
        return value;
    }

    /** Does not show values of variables, which may be secret; for logs. */
    @Override
    public String toString() {
        return "RunOptions[" + spawn + ", startTimeout=" + startTimeout + ", timeout=" + timeout + "]";
    }
}
