package dev.paddock.executor.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandResult;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Runs the contract's tests against an executor whose only own line is its argument list. */
@ProvenBy(Layer.HOST)
class WrappedExecutorContractTest extends CommandExecutorContract {
    private static final List<String> NICE = List.of("nice", "-n", "19");

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(
                WrappedExecutor.builder("nice", NICE)
                        .claim(Guarantee.EXACT_STATUS)
                        .claim(Guarantee.TERMINAL)
                        .build(),
                PathMapping.same(environment.sharedDirectory()));
    }

    private static CommandResult run(List<String> wrapper, String command) throws InterruptedException {
        try (WrappedExecutor executor = WrappedExecutor.of("wrapped", wrapper)) {
            return executor.run(command, RunOptions.in("/"));
        }
    }

    @Test
    void theWrapperWrapsTheCommand() throws Exception {
        assertThat(run(NICE, "nice").outText()).isEqualTo("19\n");
    }

    @Test
    void aProgramThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> WrappedExecutor.of("mine", List.of("no-such-program", "-x")))
                .isInstanceOf(SpawnException.class)
                .hasMessageContainingAll("mine", "'no-such-program'");
        assertThatThrownBy(() -> WrappedExecutor.of("mine", List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aWrapperThatRunsNothingIsNamedWithWhatItSaid() {
        assertThatThrownBy(() -> run(List.of("nice", "--no-such-option"), "true"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContainingAll("/nice", "has not run its shell");
        assertThatThrownBy(() -> run(List.of("echo", "hello"), "true"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("hello");
    }

    @Test
    void aWrapperThatForksHasItsWholeTreeEnded() throws Exception {
        String pid = run(List.of("timeout", "1000"), "setsid sleep 1000 & echo $!")
                .outText()
                .strip();
        Awaitility.await("the process that has left the session ends")
                .until(() -> ProcessHandle.of(Long.parseLong(pid))
                        .filter(ProcessHandle::isAlive)
                        .isEmpty());
    }
}
