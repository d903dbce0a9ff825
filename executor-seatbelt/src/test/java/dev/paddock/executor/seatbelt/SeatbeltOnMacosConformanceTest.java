package dev.paddock.executor.seatbelt;

import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.tck.ConformanceContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Checks by running commands what {@link SeatbeltConformanceTest} derives from the profiles. */
@EnabledOnOs(OS.MAC)
class SeatbeltOnMacosConformanceTest extends ConformanceContract {

    @Override
    protected ExecutorProvider provider() {
        return new SeatbeltProvider();
    }
}
