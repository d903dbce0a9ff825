package dev.paddock.executor.docker.source;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.remote.command.RemoteProvider;

/** Supplies a Docker container for commands, created by Paddock or not. */
interface ContainerSource extends RemoteProvider {
    @Override
    default String backend() {
        return Engine.BACKEND;
    }

    @Override
    default String briefly() {
        return "the container";
    }

    @Override
    default String remedy() {
        return "restart the container (docker restart), or the engine if that does not return";
    }

    @Override
    default String withoutTerminal() {
        return what() + " is privileged, or has added capabilities or the host's processes: its commands could reach"
                + " other terminals, so they get none; start the command without a terminal, or use another container";
    }

    @Override
    default ExecutorException left(String message, Throwable cause) {
        return new ContainerRemoval.ContainerLeft(message, cause);
    }
}
