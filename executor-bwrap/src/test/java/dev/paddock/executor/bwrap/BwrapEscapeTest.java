package dev.paddock.executor.bwrap;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.ContractEnvironment;
import dev.paddock.executor.tck.ContractSubject;
import dev.paddock.executor.tck.EscapeContract;

class BwrapEscapeTest extends EscapeContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return Subjects.of(PathMapping.same(environment.sharedDirectory()), 1);
    }
}
