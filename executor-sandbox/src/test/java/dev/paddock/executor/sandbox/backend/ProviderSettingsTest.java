package dev.paddock.executor.sandbox.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.sandbox.local.SandboxBuilder;
import dev.paddock.executor.sandbox.local.SandboxOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProviderSettingsTest {
    private static final ProviderSettings<Builder> SETTINGS =
            ProviderSettings.<Builder>ofSandbox("test").with("extra", Builder::extra);

    private static final class Builder extends SandboxBuilder<Builder> {
        private String extra = "";

        void extra(String value) {
            extra = value;
        }

        SandboxOptions chosen() {
            return options();
        }

        @Override
        protected Builder self() {
            return this;
        }
    }

    private static Builder apply(Map<String, String> values) {
        return SETTINGS.apply(values, new Builder().worktree(Path.of("/project")));
    }

    @Test
    void valuesReachBuilder() {
        Builder builder =
                apply(Map.of("shell", "/bin/bash", "warmSlots", "3", "quarantine", "/quarantine", "extra", "value"));
        assertThat(builder.chosen().shell()).isEqualTo("/bin/bash");
        assertThat(builder.chosen().warmSlots()).isEqualTo(3);
        assertThat(builder.chosen().quarantine()).isEqualTo(Path.of("/quarantine"));
        assertThat(builder.extra).isEqualTo("value");
    }

    @Test
    void anotherBackendsSettingIsRefused() {
        assertThat(SETTINGS.areAll(Set.of("shell", "extra"))).isTrue();
        assertThat(SETTINGS.areAll(Set.of("shell", "image"))).isFalse();
        assertThatThrownBy(() -> apply(Map.of("image", "debian")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the test backend has no setting 'image'; it has extra, quarantine, shell, warmSlots");
    }

    @Test
    void numberOfSlotsIsNumberWithinItsBounds() {
        assertThatThrownBy(() -> apply(Map.of("warmSlots", "many")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("warmSlots is 'many'");
        assertThatThrownBy(() -> apply(Map.of("warmSlots", "17")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("to 16");
    }
}
