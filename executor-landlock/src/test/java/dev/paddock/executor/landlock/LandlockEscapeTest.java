package dev.paddock.executor.landlock;

import dev.paddock.executor.tck.EscapeContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@ProvenBy(Layer.ESCAPES)
class LandlockEscapeTest extends EscapeContract {

    @Override
    protected ContractSubject subject(ContractEnvironment environment) {
        return Subjects.of(environment, 2);
    }

    @Override
    protected boolean putsProtectedPathsRight() {
        return true;
    }
}
