package dev.paddock.executor.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parsing and the ranges of limits. */
class ResourceLimitsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "1b, 1",
        "1B, 1",
        "1k, 1024",
        "1K, 1024",
        "512m, 536870912",
        "512M, 536870912",
        "2g, 2147483648",
        "2G, 2147483648",
        "8589934591g, 9223372035781033984",
        "999999999999999999, 999999999999999999"
    })
    void sizes(String text, long bytes) {
        assertThat(ResourceLimits.parseBytes(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "-1", "1.5g", "1 m", " 1m", "1m ", "1mb", "1t", "0x10", "1e3", "١", "1m\n", "+1"})
    void otherFormsAreRefused(String text) {
        assertThatThrownBy(() -> ResourceLimits.parseBytes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"8589934592g", "999999999999999999g", "9999999999999999999"})
    void numberThatDoesNotFitIsRefused(String text) {
        assertThatThrownBy(() -> ResourceLimits.parseBytes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    @Test
    void nothingIsSetByDefault() {
        ResourceLimits none = ResourceLimits.none();
        assertThat(none.memoryBytes()).isEmpty();
        assertThat(none.cpus()).isEmpty();
        assertThat(none.processes()).isEmpty();
        assertThat(none.fileSizeBytes()).isEmpty();
        assertThat(none.demand()).isEqualTo(Enforcement.REQUIRED);
    }

    @Test
    void eachIsSetByItself() {
        ResourceLimits limits = ResourceLimits.none()
                .withMemory(ResourceLimits.MIN_MEMORY_BYTES)
                .withCpus(1.5)
                .withProcesses(1)
                .withFileSize(0)
                .withDemand(Enforcement.BEST_EFFORT);
        assertThat(limits.memoryBytes()).hasValue(6 << 20);
        assertThat(limits.cpus()).hasValue(1.5);
        assertThat(limits.processes()).hasValue(1);
        assertThat(limits.fileSizeBytes()).hasValue(0);
        assertThat(limits.demand()).isEqualTo(Enforcement.BEST_EFFORT);
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        ResourceLimits none = ResourceLimits.none();
        assertThatThrownBy(() -> none.withMemory(ResourceLimits.MIN_MEMORY_BYTES - 1))
                .hasMessageContaining("6291455");
        for (double cpus : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> none.withCpus(cpus))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Double.toString(cpus));
        }
        assertThatThrownBy(() -> none.withProcesses(0)).hasMessageContaining("0");
        assertThatThrownBy(() -> none.withFileSize(-1)).hasMessageContaining("-1");
    }
}
