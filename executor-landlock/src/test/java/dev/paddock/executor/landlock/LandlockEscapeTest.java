package dev.paddock.executor.landlock;

import dev.paddock.executor.tck.ContractEnvironment;
import dev.paddock.executor.tck.ContractSubject;
import dev.paddock.executor.tck.EscapeContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
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
