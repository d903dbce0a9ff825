package com.example.nice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import org.junit.jupiter.api.Test;

/** Checks that the executor keeps the contract and lowers the priority of commands. */
class NiceExecutorTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(new NiceExecutor(), PathMapping.same(environment.sharedDirectory()))
                .withManyCommands(Integer.getInteger("paddock.many.commands", 1000));
    }

    @Test
    void commandsGiveWay() throws Exception {
        try (NiceExecutor executor = new NiceExecutor()) {
            ProcessLike process = executor.spawn("nice", SpawnOptions.in("/"));
            assertThat(process.stdout().readAllBytes()).asString().isEqualTo("19\n");
        }
    }
}
