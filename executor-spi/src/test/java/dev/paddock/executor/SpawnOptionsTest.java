package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.SpawnOptions.Stderr;
import dev.paddock.executor.SpawnOptions.Stdin;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests C3, C4, C5, C6 and C10 as far as the options decide them. */
class SpawnOptionsTest {

    @Test
    void defaults() {
        SpawnOptions options = SpawnOptions.in("/work");
        assertThat(options.cwd()).isEqualTo("/work");
        assertThat(options.env()).isEmpty();
        assertThat(options.signal()).isSameAs(AbortSignal.never());
        assertThat(options.killGrace()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.stdin()).isEqualTo(Stdin.EMPTY);
        assertThat(options.stderr()).isEqualTo(Stderr.SEPARATE);
    }

    @Test
    void everythingSet() {
        AbortSignal signal = new AbortController().signal();
        SpawnOptions options = SpawnOptions.builder("/")
                .env("A", "1")
                .env(Map.of("_b2", "=\n\"'$(x)é😀"))
                .env("A", "2")
                .signal(signal)
                .killGrace(Duration.ZERO)
                .stdin(Stdin.PIPE)
                .stderr(Stderr.MERGED)
                .build();
        assertThat(options.env()).isEqualTo(Map.of("A", "2", "_b2", "=\n\"'$(x)é😀"));
        assertThat(options.signal()).isSameAs(signal);
        assertThat(options.killGrace()).isZero();
        assertThat(options.stdin()).isEqualTo(Stdin.PIPE);
        assertThat(options.stderr()).isEqualTo(Stderr.MERGED);
    }

    @Test
    void environmentIsCopied() {
        Map<String, String> env = new HashMap<>(Map.of("A", "1"));
        SpawnOptions.Builder builder = SpawnOptions.builder("/").env(env);
        SpawnOptions options = builder.build();
        env.put("A", "2");
        builder.env("B", "3");
        assertThat(options.env()).isEqualTo(Map.of("A", "1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "work", "./work", "~", "/with\0nul"})
    void directoryIsAbsolute(String cwd) {
        assertThatThrownBy(() -> SpawnOptions.in(cwd))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("'" + cwd.replace("\0", "\\0") + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1A", "A-B", "A.B", "A B", "A=B", "É", "A\n", "A\0", " A", "BASH_FUNC_x%%"})
    void nameIsIdentifier(String name) {
        assertThatThrownBy(() -> SpawnOptions.builder("/").env(name, "x").build())
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("'" + name.replace("\0", "\\0").replace("\n", "\\n") + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "PADDOCK_COMMAND"})
    void readOnlyNamesAreRefused(String name) {
        assertThatThrownBy(() -> SpawnOptions.builder("/").env(name, "x").build())
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(name);
    }

    @Test
    void refusedValueIsNotShown() {
        assertThatThrownBy(
                        () -> SpawnOptions.builder("/").env("TOKEN", "secret\0").build())
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("TOKEN")
                .hasMessageNotContaining("secret");
    }

    @Test
    void valuesOfVariablesAreNotPrinted() {
        assertThat(SpawnOptions.builder("/").env("TOKEN", "secret").build())
                .asString()
                .contains("TOKEN")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT1H0.001S"})
    void graceHasRange(String grace) {
        assertThatThrownBy(() -> SpawnOptions.builder("/")
                        .killGrace(Duration.parse(grace))
                        .build())
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(Duration.parse(grace).toString());
    }
}
