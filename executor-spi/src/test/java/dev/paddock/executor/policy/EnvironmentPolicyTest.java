package dev.paddock.executor.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the base environment of a sandbox's commands. */
class EnvironmentPolicyTest {
    private static final Map<String, String> HOST = Map.of(
            "EDITOR", "vi", "JAVA_HOME", "/jdk", "MY_TOKEN", "secret", "LD_PRELOAD", "evil.so", "SSH_AGENT_PID", "17");

    @Test
    void nothingPassesUnasked() {
        assertThat(EnvironmentPolicy.empty().resolve(HOST)).isEmpty();
    }

    @Test
    void namedVariablesPass() {
        EnvironmentPolicy policy = EnvironmentPolicy.empty()
                .passing("JAVA_HOME")
                .passing("NOT_SET")
                .with("OWN", "value");
        assertThat(policy.resolve(HOST)).isEqualTo(Map.of("JAVA_HOME", "/jdk", "OWN", "value"));
    }

    @Test
    void credentialsPassOnlyIfForced() {
        EnvironmentPolicy policy = EnvironmentPolicy.empty().passing("MY_TOKEN");
        assertThat(policy.resolve(HOST)).isEmpty();
        assertThat(policy.withholds("MY_TOKEN")).isTrue();
        assertThat(policy.forcing("MY_TOKEN").resolve(HOST)).isEqualTo(Map.of("MY_TOKEN", "secret"));
    }

    @Test
    void launcherVariablesNeverPass() {
        EnvironmentPolicy policy =
                EnvironmentPolicy.empty().forcing("LD_PRELOAD").passing("EDITOR");
        assertThat(policy.resolve(HOST)).isEmpty();
        assertThat(policy.withholds("LD_PRELOAD")).isTrue();
    }

    @Test
    void fixedVariableBeatsThatOfHost() {
        EnvironmentPolicy policy =
                EnvironmentPolicy.empty().passing("JAVA_HOME").with("JAVA_HOME", "/other");
        assertThat(policy.resolve(HOST)).isEqualTo(Map.of("JAVA_HOME", "/other"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A=B", "A\0"})
    void namesAreChecked(String name) {
        assertThatThrownBy(() -> EnvironmentPolicy.empty().with(name, "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EnvironmentPolicy.empty().passing(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EnvironmentPolicy.empty().forcing(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusedValueIsNotShown() {
        assertThatThrownBy(() -> EnvironmentPolicy.empty().with("TOKEN", "secret\0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("TOKEN")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AWS_PROFILE", "aws_secret_access_key", "GITHUB_TOKEN",
                        "DATABASE_URL",
                "MY_DB_PASSWORD", "FOO_API_KEY", "SENTRY_DSN", "SSH_AUTH_SOCK", "X_CONNECTION_STRING",
                        "Stripe_Something"
            })
    void looksLikeCredential(String name) {
        assertThat(CredentialNames.standard().matches(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PATH",
                "JAVA_HOME",
                "KEYBOARD",
                "SSH_AGENT_PID",
                "GPG_AGENT_INFO",
                "TOKENIZERS",
                "LANG",
                "PASSWORDLESS"
            })
    void looksLikeNone(String name) {
        assertThat(CredentialNames.standard().matches(name)).isFalse();
    }

    @Test
    void suffixesCanBeSwitchedOff() {
        CredentialNames prefixesAlone = CredentialNames.of(List.of("abc_"), List.of(), Set.of("ABC_fine"));
        assertThat(prefixesAlone.matches("ABC_x")).isTrue();
        assertThat(prefixesAlone.matches("abc_FINE")).isFalse();
        assertThat(prefixesAlone.matches("FOO_KEY")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LD_PRELOAD",
                "ld_library_path",
                "DYLD_INSERT_LIBRARIES",
                "BASH_ENV",
                "GIT_SSH_COMMAND",
                "GIT_CONFIG_COUNT",
                "NODE_OPTIONS"
            })
    void hijacksLauncher(String name) {
        assertThat(CodeInjectionVariables.matches(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATH", "HOME", "GIT_AUTHOR_NAME", "TERM"})
    void hijacksNothing(String name) {
        assertThat(CodeInjectionVariables.matches(name)).isFalse();
    }
}
