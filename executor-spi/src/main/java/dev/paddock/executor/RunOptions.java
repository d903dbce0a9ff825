package dev.paddock.executor;

import dev.paddock.executor.run.Capture;
import dev.paddock.executor.run.ChunkHandler;
import dev.paddock.executor.run.LineHandler;
import dev.paddock.executor.run.StdinWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The options of {@link CommandExecutor#run}. Immutable: each method returns a changed copy.
 *
 * <p>Defaults: those of {@link SpawnOptions}; no time limits, no input, no callbacks, UTF-8, of each
 * stream the first and the last 512 KiB, lines of at most 65,536 characters.
 */
public final class RunOptions {
    private final String cwd;
    private Map<String, String> env = Map.of();
    private SpawnOptions spawn;
    Optional<Duration> startTimeout = Optional.empty();
    Optional<Duration> timeout = Optional.empty();
    Optional<StdinWriter> stdin = Optional.empty();
    Optional<Path> stdinFile = Optional.empty();
    Optional<Path> file = Optional.empty();
    Optional<LineHandler> onLine = Optional.empty();
    Optional<ChunkHandler> onChunk = Optional.empty();
    Capture capture = Capture.headAndTail(1 << 20);
    Charset charset = StandardCharsets.UTF_8;
    int maxLine = 1 << 16;

    private RunOptions(String cwd) {
        this.cwd = cwd;
        this.spawn = SpawnOptions.in(cwd);
    }

    /**
     * Returns the defaults for a directory.
     *
     * @param cwd the directory on the command's side, absolute
     * @return the options
     * @throws SpawnException if the directory is not an absolute path
     */
    public static RunOptions in(String cwd) {
        return new RunOptions(cwd);
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
        Map<String, String> all = new HashMap<>(env);
        all.putAll(variables);
        return with(copy -> {
            copy.env = Map.copyOf(all);
            copy.spawn = copy.spawning(spawn.signal()).build();
        });
    }

    /**
     * Sets the signal whose abort ends the command.
     *
     * @param value the signal
     * @return the options
     */
    public RunOptions signal(AbortSignal value) {
        return with(copy -> copy.spawn = spawning(value).build());
    }

    /**
     * Sets how long the tree has between TERM and KILL.
     *
     * @param value zero to {@link SpawnOptions#MAX_KILL_GRACE}
     * @return the options
     * @throws SpawnException if the value is out of that range
     */
    public RunOptions killGrace(Duration value) {
        return with(
                copy -> copy.spawn = spawning(spawn.signal()).killGrace(value).build());
    }

    /**
     * Sets the destination of standard error.
     *
     * @param value separate or merged
     * @return the options
     */
    public RunOptions stderr(SpawnOptions.Stderr value) {
        return with(copy -> copy.spawn = spawning(spawn.signal()).stderr(value).build());
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
     * @param file a regular file on the host; checked before the command starts
     * @return the options
     */
    public RunOptions stdin(Path file) {
        return with(copy -> {
            copy.stdin = Optional.of(in -> Files.copy(file, in));
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
     * @param value the file; created if it does not exist
     * @return the options
     */
    public RunOptions toFile(Path value) {
        return with(copy -> copy.file = Optional.of(value));
    }

    /** Returns the options to spawn with, whose signal is another. */
    SpawnOptions spawnWith(AbortSignal signal) {
        return spawning(signal)
                .stdin(stdin.isPresent() ? SpawnOptions.Stdin.PIPE : SpawnOptions.Stdin.EMPTY)
                .build();
    }

    AbortSignal signal() {
        return spawn.signal();
    }

    Duration killGrace() {
        return spawn.killGrace();
    }

    private SpawnOptions.Builder spawning(AbortSignal signal) {
        return SpawnOptions.builder(cwd)
                .env(env)
                .signal(signal)
                .killGrace(spawn.killGrace())
                .stderr(spawn.stderr());
    }

    private RunOptions with(Consumer<RunOptions> change) {
        RunOptions copy = new RunOptions(cwd);
        copy.env = env;
        copy.spawn = spawn;
        copy.startTimeout = startTimeout;
        copy.timeout = timeout;
        copy.stdin = stdin;
        copy.stdinFile = stdinFile;
        copy.file = file;
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
