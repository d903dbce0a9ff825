package dev.paddock.executor.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CallerEnvironmentTest {
    private static final Map<String, String> OWN = Map.of("NAME", "own");

    @Test
    void withoutCallVariablesAreThoseOfProcess() {
        assertThat(CallerEnvironment.given()).isEmpty();
        assertThat(CallerEnvironment.variables()).isEqualTo(System.getenv());
    }

    @Test
    void callAndItsThreadsSeeGivenVariablesAndOthersDoNot() {
        CompletableFuture<Map<String, String>> seen = new CompletableFuture<>();
        Map<String, String> inside = CallerEnvironment.with(OWN, () -> {
            Thread.ofPlatform().start(() -> seen.complete(CallerEnvironment.variables()));
            return CallerEnvironment.variables();
        });
        assertThat(inside).isEqualTo(OWN);
        assertThat(seen.join()).isEqualTo(OWN);
        assertThat(CallerEnvironment.with(OWN, CallerEnvironment::ofProcess)).isEqualTo(System.getenv());
        assertThat(CallerEnvironment.given()).isEmpty();
    }

    @Test
    void outerCallSeesItsVariablesAfterInnerCallAndAfterFault() {
        Map<String, String> after = CallerEnvironment.with(OWN, () -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> CallerEnvironment.with(Map.of("NAME", "inner"), () -> {
                        throw new IllegalStateException(
                                CallerEnvironment.variables().toString());
                    }));
            return CallerEnvironment.variables();
        });
        assertThat(after).isEqualTo(OWN);
        assertThat(CallerEnvironment.given()).isEmpty();
    }
}
