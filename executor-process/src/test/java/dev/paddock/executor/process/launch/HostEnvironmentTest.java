package dev.paddock.executor.process.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HostEnvironmentTest {

    @Test
    void localeOfLauncherIsReplacedByCallers() {
        assertThat(HostEnvironment.withLocaleOfCaller(Map.of("LC_ALL", "C.UTF-8", "PADDOCK_CALLER_LC_ALL", "de_DE")))
                .isEqualTo(Map.of("LC_ALL", "de_DE"));
        assertThat(HostEnvironment.withLocaleOfCaller(Map.of("LC_ALL", "C.UTF-8", "PADDOCK_CALLER_LC_ALL", "")))
                .isEmpty();
        assertThat(HostEnvironment.withLocaleOfCaller(Map.of("LC_ALL", "C"))).isEqualTo(Map.of("LC_ALL", "C"));
    }

    @Test
    void javaHomeOfLauncherIsReplacedByCallers() {
        assertThat(HostEnvironment.withJavaOfCaller(
                        Map.of("JAVA_HOME", "/jdk-25", "PADDOCK_CALLER_JAVA_HOME", "/jdk-17")))
                .isEqualTo(Map.of("JAVA_HOME", "/jdk-17"));
        assertThat(HostEnvironment.withJavaOfCaller(Map.of("JAVA_HOME", "/jdk-25", "PADDOCK_CALLER_JAVA_HOME", "")))
                .isEmpty();
        assertThat(HostEnvironment.withJavaOfCaller(Map.of("JAVA_HOME", "/jdk")))
                .isEqualTo(Map.of("JAVA_HOME", "/jdk"));
    }
}
