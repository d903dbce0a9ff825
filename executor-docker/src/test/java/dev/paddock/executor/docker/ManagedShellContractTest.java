package dev.paddock.executor.docker;

import org.junit.jupiter.api.Tag;

/** Runs the contract in a managed container whose image contains nothing but a static bash. */
@Tag("full")
class ManagedShellContractTest extends DockerContract {
    ManagedShellContractTest() {
        super(TestEngine.SHELL, false, true, false);
    }
}
