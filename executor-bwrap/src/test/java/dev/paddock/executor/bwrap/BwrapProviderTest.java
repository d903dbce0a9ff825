package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class BwrapProviderTest {

    @Test
    void isChosenUnaskedUnlessTheSettingsAreAnotherBackends() {
        BwrapProvider provider = new BwrapProvider();

        assertThat(provider.autoPriority(Map.of())).isEqualTo(OptionalInt.of(100));
        assertThat(provider.autoPriority(Map.of("warmSlots", "1", "shell", "/bin/sh", "program", "bwrap")))
                .isPresent();
        assertThat(provider.autoPriority(Map.of("image", "debian"))).isEmpty();
    }
}
