package dev.paddock.executor.bwrap;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.jvm.OrdinaryUser;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.SandboxFault;
import java.nio.file.Path;
import java.util.Map;

/** Creates executors for the suites. */
public final class Subjects {
    /** A full run sets the 1,000 of the contract. */
    private static final int MANY_COMMANDS = Integer.getInteger("paddock.many.commands", 200);

    private Subjects() {}

    static ContractSubject of(ContractEnvironment environment, PathMapping shared, int slots) {
        SandboxPolicy policy = SandboxPolicy.builder(shared).build();
        BwrapExecutor executor =
                BwrapExecutor.builder().policy(policy).warmSlots(slots).build();
        ContractSubject subject = ContractSubject.of(executor, shared)
                .withManyCommands(MANY_COMMANDS)
                .endingAtOnce()
                .withProvider(
                        new BwrapProvider(),
                        Map.of(
                                "warmSlots",
                                Integer.toString(slots),
                                "quarantine",
                                environment.keptDirectory().toString()))
                .withUnavailable(() -> BwrapExecutor.builder()
                        .policy(policy)
                        .program(Path.of("/usr/bin/false"))
                        .build())
                .withFaults(new SandboxFault(
                        "the process that holds the network is killed",
                        () -> ProcessHandle.of(executor.holderPid()).ifPresent(ProcessHandle::destroyForcibly),
                        () -> {}));
        return OrdinaryUser.isAgain() ? subject.asFurtherRun() : subject;
    }
}
