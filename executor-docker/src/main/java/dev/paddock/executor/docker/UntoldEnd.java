package dev.paddock.executor.docker;

import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.SandboxLostException;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** How a command ended whose slot has gone without a word: by a signal that took both, or with the whole container. */
final class UntoldEnd {
    private static final int LOOKS = 50;
    private static final long LOOK_MILLIS = 20;

    private UntoldEnd() {}

    /**
     * Ends what it may have left.
     *
     * @return its exit code
     * @throws dev.paddock.executor.ExecutorException if it ended with the container, or the engine cannot be asked
     */
    static int of(ContainerCommand command, Engine engine, Inside inside, CommandControl control) {
        ContainerState state = ContainerState.of(engine, inside.container());
        if (!state.usable()) {
            throw new SandboxLostException(Engine.BACKEND, state.describe());
        }
        int code = exitCode(command);
        control.bury(command);
        return code;
    }

    private static int exitCode(ContainerCommand command) {
        try {
            for (int look = 0; look < LOOKS; look++) {
                OptionalInt code = command.engineExitCode();
                if (code.isPresent()) {
                    return code.getAsInt();
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (DockerException refusal) {
            throw new SandboxLostException(Engine.BACKEND, Engine.message(refusal), refusal);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
        throw new SandboxLostException(Engine.BACKEND, "the connection to a command ended while it ran");
    }
}
