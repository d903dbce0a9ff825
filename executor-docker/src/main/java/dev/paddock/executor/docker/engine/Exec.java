package dev.paddock.executor.docker.engine;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.dockerjava.api.command.InspectExecResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.remote.ShellChannel;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;

/** A process that the engine has started in a container. */
public final class Exec implements ShellChannel {
    private static final System.Logger LOG = LateLogger.of(Exec.class);
    private static final int BLOCK = 16 << 10;
    private static final Duration RESIZE_TIMEOUT = Duration.ofMillis(1_900);

    private final Engine engine;
    private final String id;
    private final HijackedConnection connection;

    private final boolean terminal;

    private Exec(Engine engine, String id, HijackedConnection connection, boolean terminal) {
        this.engine = engine;
        this.id = id;
        this.connection = connection;
        this.terminal = terminal;
    }

    /**
     * Starts a process.
     *
     * @param container its id
     * @param user its user, in Docker's form; empty for the container's own
     * @throws SandboxLostException if the container does not exist, or does not run
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine does not answer
     */
    public static Exec start(Engine engine, String container, String user, List<String> argv) {
        return start(engine, () -> startNow(engine, container, user, argv));
    }

    /**
     * Starts a process with a terminal as its standard streams and controlling terminal. Its size is 0 columns and 0
     * rows until {@link #resize}.
     *
     * @param container its id
     * @param user its user, in Docker's form; empty for the container's own
     * @throws SandboxLostException if the container does not exist, or does not run
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine does not answer
     */
    public static Exec startAtTerminal(Engine engine, String container, String user, List<String> argv) {
        return start(engine, () -> {
            String id = TerminalExec.create(engine.address(), container, user, argv);
            return new Exec(engine, id, HijackedConnection.startExec(engine.address(), id, true), true);
        });
    }

    private static Exec start(Engine engine, Callable<Exec> start) {
        try {
            return engine.execs().start(start);
        } catch (DockerException refusal) {
            throw new SandboxLostException(Engine.BACKEND, Engine.message(refusal), refusal);
        } catch (HijackedConnection.EngineRefusal refusal) {
            throw new SandboxLostException(Engine.BACKEND, String.valueOf(refusal.getMessage()), refusal);
        } catch (IOException fault) {
            throw engine.unreachable(fault).orElseThrow(() -> new IllegalStateException(fault));
        }
    }

    private static Exec startNow(Engine engine, String container, String user, List<String> argv) throws IOException {
        ObjectNode process = JsonNodeFactory.instance.objectNode();
        process.put("AttachStdin", true).put("AttachStdout", true).put("AttachStderr", true);
        process.put("WorkingDir", "/");
        argv.forEach(process.putArray("Cmd")::add);
        if (!user.isEmpty()) {
            process.put("User", user);
        }
        String id = engine.create("/containers/" + container + "/exec", process);
        return new Exec(engine, id, HijackedConnection.startExec(engine.address(), id, false), false);
    }

    @Override
    public OutputStream input() {
        return connection.output();
    }

    @Override
    public void endInput() throws IOException {
        connection.endOutput();
    }

    @Override
    public void deliver(Output output) throws IOException {
        if (!terminal) {
            new Frames(connection.input()).forEach(output::accept);
            return;
        }
        byte[] bytes = new byte[BLOCK];
        for (int read = connection.input().read(bytes);
                read >= 0;
                read = connection.input().read(bytes)) {
            output.accept(STDOUT, bytes, read);
        }
    }

    @Override
    public boolean resize(int columns, int rows) {
        try {
            return terminal
                    && BoundedCall.within(
                            RESIZE_TIMEOUT,
                            () -> engine.call(client -> {
                                client.resizeExecCmd(id).withSize(rows, columns).exec();
                                return true;
                            }));
        } catch (DockerException | SandboxUnavailableException | TimeoutException fault) {
            // The engine refuses this if the process has exited, and reports its exit in no other way.
            LOG.log(System.Logger.Level.DEBUG, "a terminal was not resized", fault);
            return false;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public OptionalInt exitCode() {
        try {
            Optional<InspectExecResponse> seen = engine.call(client -> {
                try {
                    return Optional.of(client.inspectExecCmd(id).exec());
                } catch (NotFoundException forgotten) {
                    return Optional.empty();
                }
            });
            Long code = seen.map(InspectExecResponse::getExitCodeLong).orElse(null);
            return code == null ? OptionalInt.empty() : OptionalInt.of(code.intValue() & 0xff);
        } catch (DockerException refusal) {
            throw loss(Engine.message(refusal), refusal);
        }
    }

    @Override
    public SandboxLostException loss(String reason, Throwable cause) {
        return new SandboxLostException(Engine.BACKEND, reason, cause);
    }

    @Override
    public void close() {
        connection.close();
    }
}
