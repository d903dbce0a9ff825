package com.example.nice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import org.junit.jupiter.api.Test;

/** Checks that the executor keeps the contract and lowers the priority of commands. */
class NiceCommandsTest extends CommandExecutorContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return ContractSubject.of(NiceCommands.executor(), PathMapping.same(environment.sharedDirectory()))
                .withManyCommands(Integer.getInteger("paddock.many.commands", 1000));
    }

    @Test
    void commandsGiveWay() throws Exception {
        try (CommandExecutor executor = NiceCommands.executor()) {
            assertThat(executor.run("nice", RunOptions.in("/")).outText()).isEqualTo("19\n");
        }
    }
}
