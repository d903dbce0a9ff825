package dev.paddock.executor.process.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HostEnvironmentTest {

    @Test
    void aLaunchersLocaleIsTakenBack() {
        assertThat(HostEnvironment.withLocaleOfCaller(Map.of("LC_ALL", "C.UTF-8", "PADDOCK_CALLER_LC_ALL", "de_DE")))
                .isEqualTo(Map.of("LC_ALL", "de_DE"));
        assertThat(HostEnvironment.withLocaleOfCaller(Map.of("LC_ALL", "C.UTF-8", "PADDOCK_CALLER_LC_ALL", "")))
                .isEmpty();
        assertThat(HostEnvironment.withLocaleOfCaller(Map.of("LC_ALL", "C"))).isEqualTo(Map.of("LC_ALL", "C"));
    }
}
