package dev.paddock.executor.tck;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The simplest executor that keeps the contract on Linux: it writes a script file for each command,
 * searches {@code /proc} for the marker, and has a shell that does the same once this JVM has
 * exited. The broken executors of these tests are derived from it and override the methods that
 * they break.
 */
class ReferenceExecutor implements CommandExecutor {
    private static final String SCRIPTS_PROPERTY = "paddock.test.scripts";

    /**
     * A test's JVM has its own directory, which the JVMs that it starts share: it distinguishes its
     * commands from others'.
     */
    static final Path SCRIPTS = Path.of(System.getProperty(
                    SCRIPTS_PROPERTY,
                    "target/reference-scripts-" + ProcessHandle.current().pid()))
            .toAbsolutePath();

    static {
        System.setProperty(SCRIPTS_PROPERTY, SCRIPTS.toString());
    }

    private static final String WATCHMAN = """
            while read line; do :; done
            none=0
            while [ $none -lt 3 ]; do
                none=$((none + 1))
                for found in $(grep -l "PADDOCK_COMMAND=$1" /proc/[0-9]*/task/*/environ 2>/dev/null); do
                    process=${found#/proc/}
                    kill -9 "${process%%/*}" && none=0
                done
            done
            """;

    private final String run = UUID.randomUUID().toString();
    private final Set<ReferenceProcess> live = ConcurrentHashMap.newKeySet();
    private final Path scripts;
    private final Process watchman;
    private boolean disposed;

    ReferenceExecutor() {
        try {
            scripts = Files.createDirectories(SCRIPTS);
            watchman = startWatchman();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    Process startWatchman() throws IOException {
        ProcessBuilder builder = new ProcessBuilder("setsid", "sh", "-c", WATCHMAN, "watchman", run);
        builder.environment().clear();
        return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    Map<String, String> base() {
        return Map.of("PATH", System.getenv("PATH"), "HOME", "/root", "LANG", "C.UTF-8");
    }

    byte[] script(String command, SpawnOptions options) {
        StringBuilder script = new StringBuilder();
        options.env()
                .forEach((name, value) -> script.append("export " + name + "=" + ShellQuoting.posix(value) + "\n"));
        script.append("cd -- " + ShellQuoting.posix(options.cwd()) + "\nunset OLDPWD\n");
        return script.append(command).toString().getBytes(StandardCharsets.UTF_8);
    }

    boolean hasTerminal() {
        return false;
    }

    List<String> line(Path script, String command, SpawnOptions options) {
        return List.of("setsid", "-w", "sh", "--", script.toString());
    }

    String newMarker() {
        return run + "/" + UUID.randomUUID();
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        requireAlive();
        requireSound(command, options);
        String marker = newMarker();
        try {
            requireDirectory(options.cwd());
            Path script = Files.createTempFile(scripts, "command", ".sh");
            Files.write(script, script(command, options));
            ProcessBuilder builder = new ProcessBuilder(line(script, command, options));
            builder.environment().clear();
            builder.environment().putAll(base());
            builder.environment().put(MARKER, marker);
            builder.redirectErrorStream(options.stderr() == SpawnOptions.Stderr.MERGED);
            return supervise(builder, options, marker, script);
        } catch (IOException fault) {
            throw new SpawnException("the shell could not be started: " + fault.getMessage(), fault);
        }
    }

    @Override
    public synchronized boolean isDisposed() {
        return disposed;
    }

    synchronized void requireAlive() {
        if (disposed) {
            throw new ExecutorDisposedException(name());
        }
    }

    void requireSound(String command, SpawnOptions options) {
        options.signal().throwIfAborted();
        if (!hasTerminal()) {
            options.refuseTerminal(name());
        }
        options.refusePublishing(name());
        if (command.indexOf('\0') >= 0) {
            throw new SpawnException("the command contains NUL");
        }
        if (command.getBytes(StandardCharsets.UTF_8).length > MAX_COMMAND_BYTES) {
            throw new SpawnException("the command is longer than 1 MiB");
        }
    }

    /** Checks the directory with a shell, so that its name is exact under every locale. */
    void requireDirectory(String cwd) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "IFS= read -r d; cd -- \"$(printf %b \"$d\")\"");
        Process check = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        StringBuilder octal = new StringBuilder();
        for (byte each : (cwd + "/").getBytes(StandardCharsets.UTF_8)) {
            octal.append("\\0%03o".formatted(each & 0xff));
        }
        try (var stdin = check.getOutputStream()) {
            stdin.write((octal + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        if (check.onExit().join().exitValue() != 0) {
            throw new SpawnException("not a directory: '" + cwd + "'");
        }
    }

    private synchronized ProcessLike supervise(ProcessBuilder builder, SpawnOptions options, String marker, Path script)
            throws IOException {
        requireAlive();
        ReferenceProcess process = process(builder.start(), options, marker);
        live.add(process);
        AbortSignal.Registration registration = options.signal().onAbort(process::abort);
        process.onClosed().whenComplete((cleanup, fault) -> {
            leave(registration);
            live.remove(process);
            deleteQuietly(script);
        });
        return process;
    }

    void leave(AbortSignal.Registration registration) {
        registration.close();
    }

    ReferenceProcess process(Process process, SpawnOptions options, String marker) {
        return new ReferenceProcess(process, options, marker);
    }

    private static void deleteQuietly(Path script) {
        try {
            Files.deleteIfExists(script);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    @Override
    public void dispose() {
        synchronized (this) {
            disposed = true;
        }
        for (ReferenceProcess process : live) {
            process.kill(Signal.KILL);
        }
        for (ReferenceProcess process : live) {
            CleanupReport settled = process.onClosed().toCompletableFuture().join();
            assert settled != null;
        }
        watchman.destroyForcibly().onExit().join();
    }

    @Override
    public String name() {
        return "reference";
    }
}
