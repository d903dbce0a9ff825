package dev.paddock.executor.docker;

import com.github.dockerjava.api.command.InspectExecResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import dev.paddock.executor.SandboxLostException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A process that the engine has started inside a container.
 *
 * @param id the engine's name for it
 * @param connection its streams
 */
record Exec(String id, HijackedConnection connection) {

    /**
     * Starts one.
     *
     * @throws SandboxLostException if the container is not there, or does not run
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine does not answer
     */
    static Exec start(Engine engine, Inside inside, List<String> argv) {
        try {
            return engine.turns().start(() -> startNow(engine, inside, argv));
        } catch (DockerException refusal) {
            throw new SandboxLostException(Engine.BACKEND, Engine.message(refusal), refusal);
        } catch (HijackedConnection.EngineRefusal refusal) {
            throw new SandboxLostException(Engine.BACKEND, String.valueOf(refusal.getMessage()), refusal);
        } catch (IOException fault) {
            throw engine.unreachable(fault).orElseThrow(() -> new IllegalStateException(fault));
        }
    }

    private static Exec startNow(Engine engine, Inside inside, List<String> argv) throws IOException {
        String id = engine.call(client -> {
            var create = client.execCreateCmd(inside.container())
                    .withAttachStdin(true)
                    .withAttachStdout(true)
                    .withAttachStderr(true)
                    .withWorkingDir("/")
                    .withCmd(argv.toArray(String[]::new));
            if (!inside.user().isEmpty()) {
                create.withUser(inside.user());
            }
            return create.exec().getId();
        });
        return new Exec(id, HijackedConnection.startExec(engine.address(), id));
    }

    /** The exit code that the engine has seen; empty while the process runs, or if the engine has forgotten it. */
    OptionalInt exitCode(Engine engine) {
        Optional<InspectExecResponse> seen = engine.call(client -> {
            try {
                return Optional.of(client.inspectExecCmd(id).exec());
            } catch (NotFoundException forgotten) {
                return Optional.empty();
            }
        });
        Long code = seen.map(InspectExecResponse::getExitCodeLong).orElse(null);
        return code == null ? OptionalInt.empty() : OptionalInt.of(code.intValue() & 0xff);
    }
}
