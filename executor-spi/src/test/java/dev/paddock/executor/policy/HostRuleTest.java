package dev.paddock.executor.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostRuleTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "example.org|example.org",
                "Example.ORG.|example.org",
                "*.example.org|*.example.org",
                "example.org:8443,443|example.org:443,8443",
                "example.org:443,80|example.org",
                "*.corp.example:22/private|*.corp.example:22/private",
                "xn--bcher-kva.example|xn--bcher-kva.example",
                "intranet/private|intranet/private",
                "example.org/100M|example.org/100m",
                "example.org/1024k/private|example.org/private/1m",
                "example.org:22/1500|example.org:22/1500",
                "LocalHost.:5432|localhost:5432",
                "localhost:443,80|localhost:80,443",
                "localhost:5432/10m|localhost:5432/10m",
                "host.internal:5432|host.internal:5432"
            })
    void isReadAndWritten(String text, String canonical) {
        assertThat(HostRule.parse(text)).hasToString(canonical).isEqualTo(HostRule.parse(canonical));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "*.",
                "*.org",
                "*.*.example.org",
                "a.*.example.org",
                "*example.org",
                "https://example.org",
                "example.org/path",
                "example.org/",
                "example.org/0",
                "example.org/1m/2m",
                "example.org/private/private",
                "user@example.org",
                "example..org",
                ".example.org",
                "-a.example.org",
                "a_b.example",
                "127.0.0.1",
                "127.1",
                "2130706433",
                "0x7f000001",
                "0x7f.1",
                "1.2.3.0x4",
                "[::1]",
                "::1",
                "fe80::1:443",
                "localhost",
                "localhost.",
                "host.internal",
                "localhost:5432/private",
                "localhost:5432,",
                "*.localhost:5432",
                "*.host.internal:5432",
                "app.localhost:5432",
                "127.0.0.1:5432",
                "app.localhost",
                "*.localhost",
                "example.org:",
                "example.org:0",
                "example.org:65536",
                "example.org:443,",
                "example.org:https",
                "example.org:-1",
                "exa mple.org",
                "example.org\0.evil.org",
                "b\u00fccher.example",
                "example.org:443/public",
                "\u212aelvin.example"
            })
    void isRefusedWithAReason(String text) {
        assertThatThrownBy(() -> HostRule.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("\0")
                .hasMessageMatching("(?s).*: .+");
    }

    @Test
    void wildcardNamesHostsBelowAndNotDomain() {
        HostRule rule = HostRule.parse("*.example.org");
        assertThat(rule.names("a.example.org")).isTrue();
        assertThat(rule.names("b.a.example.org")).isTrue();
        assertThat(rule.names("example.org")).isFalse();
        assertThat(rule.names("badexample.org")).isFalse();
        assertThat(HostRule.parse("example.org").names("a.example.org")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil\0.wild.example.org",
                "a b.example.org",
                "a\u0000",
                "..",
                "a\\b.example.org",
                "\u212a.example.org"
            })
    void textThatIsNoNameHasNoCanonicalForm(String name) {
        assertThat(HostRule.canonical(name)).isEmpty();
    }

    @Test
    void onlyTwoNamesMeanLoopback() {
        assertThat(HostRule.parse("localhost:5432").isLoopback()).isTrue();
        assertThat(HostRule.parse("host.internal:5432").isLoopback()).isTrue();
        assertThat(HostRule.parse("a.host.internal:5432").isLoopback()).isFalse();
        assertThat(HostRule.parse("localhost.example").isLoopback()).isFalse();
        assertThat(HostRule.parse("localhost:5432").isWithin(HostRule.parse("host.internal:5432")))
                .isFalse();
    }

    /** The open network of a container has a loopback of its own. */
    @Test
    void openNetworkDoesNotGrantLoopback() {
        NetworkPolicy loopback = NetworkPolicy.allow("example.org", "localhost:5432");
        assertThat(loopback.isWithin(NetworkPolicy.open())).isFalse();
        assertThat(loopback.isWithin(loopback)).isTrue();
        assertThat(NetworkPolicy.allow("localhost:5432").isWithin(loopback)).isTrue();
        assertThat(NetworkPolicy.allow("example.org").isWithin(NetworkPolicy.open()))
                .isTrue();
    }

    @Test
    void policyIsReadAsItIsWritten() {
        for (String text : new String[] {
            "off", "open", "allow localhost:80,443 example.org", "allow example.org *.example.org:8443/private"
        }) {
            assertThat(NetworkPolicy.parse(text).text()).isEqualTo(text);
        }
        assertThatThrownBy(() -> NetworkPolicy.parse("allow ")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "example.org/10m, example.org, true",
        "example.org/10m, example.org/10m, true",
        "example.org/10m, example.org/9m, false",
        "example.org, example.org/10m, false"
    })
    void boundNarrows(String rule, String other, boolean isWithin) {
        assertThat(HostRule.parse(rule).isWithin(HostRule.parse(other))).isEqualTo(isWithin);
    }
}
