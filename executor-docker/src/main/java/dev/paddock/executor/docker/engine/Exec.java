package dev.paddock.executor.docker.engine;

import com.github.dockerjava.api.command.InspectExecResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.remote.ShellChannel;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A process that the engine has started inside a container. */
public final class Exec implements ShellChannel {
    private final Engine engine;
    private final String id;
    private final HijackedConnection connection;

    private Exec(Engine engine, String id, HijackedConnection connection) {
        this.engine = engine;
        this.id = id;
        this.connection = connection;
    }

    /**
     * Starts a process.
     *
     * @param container its id
     * @param user the user that it runs as, in Docker's form; empty for the container's own
     * @throws SandboxLostException if the container does not exist, or does not run
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine does not answer
     */
    public static Exec start(Engine engine, String container, String user, List<String> argv) {
        try {
            return engine.execs().start(() -> startNow(engine, container, user, argv));
        } catch (DockerException refusal) {
            throw new SandboxLostException(Engine.BACKEND, Engine.message(refusal), refusal);
        } catch (HijackedConnection.EngineRefusal refusal) {
            throw new SandboxLostException(Engine.BACKEND, String.valueOf(refusal.getMessage()), refusal);
        } catch (IOException fault) {
            throw engine.unreachable(fault).orElseThrow(() -> new IllegalStateException(fault));
        }
    }

    private static Exec startNow(Engine engine, String container, String user, List<String> argv) throws IOException {
        String id = engine.call(client -> {
            var create = client.execCreateCmd(container)
                    .withAttachStdin(true)
                    .withAttachStdout(true)
                    .withAttachStderr(true)
                    .withWorkingDir("/")
                    .withCmd(argv.toArray(String[]::new));
            if (!user.isEmpty()) {
                create.withUser(user);
            }
            return create.exec().getId();
        });
        return new Exec(engine, id, HijackedConnection.startExec(engine.address(), id));
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
        new Frames(connection.input()).forEach(output::accept);
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
