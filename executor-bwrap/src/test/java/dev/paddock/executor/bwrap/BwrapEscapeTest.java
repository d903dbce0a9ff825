package dev.paddock.executor.bwrap;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.EscapeContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;

@ProvenBy(Layer.ESCAPES)
class BwrapEscapeTest extends EscapeContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return Subjects.of(environment, PathMapping.same(environment.sharedDirectory()), 1);
    }
}
