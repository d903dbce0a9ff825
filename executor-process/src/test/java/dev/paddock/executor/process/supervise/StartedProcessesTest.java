package dev.paddock.executor.process.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.LaunchSpec;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartedProcessesTest {

    @Test
    void C11_processThatBecomesCommandMeanwhileIsNotMissed() {
        try (Supervisor supervisor = Supervisor.create("test", false)) {
            ChildProcess child = supervisor.launch(
                    LaunchSpec.builder("/bin/sh", "-c", "exec sleep 60").build());
            SupervisedCommand command = new SupervisedCommand(
                    supervisor, child, SpawnOptions.in("/"), supervisor.hostTree(child, "", supervisor.now()), false);
            Set<ChildProcess> spare = new HashSet<>(Set.of(child));
            Set<SupervisedCommand> live = new HashSet<>() {
                private static final long serialVersionUID = 1;

                // The child becomes a command between this answer and the next question.
                @Override
                public boolean isEmpty() {
                    boolean empty = super.isEmpty();
                    add(command);
                    spare.remove(child);
                    return empty;
                }
            };
            assertThat(new StartedProcesses(new AtomicInteger(), spare, live, new HashSet<>()).isEmpty())
                    .isFalse();
        }
    }
}
