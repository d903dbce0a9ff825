package dev.paddock.executor.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.HostRule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what an approver of hosts is asked, and what its approval grants. */
class AskedHostsTest {
    private final List<String> asked = new ArrayList<>();
    private final AllowedHosts hosts = new AllowedHosts(
            List.of(HostRule.parse("example.org:443,8443"), HostRule.parse("inside.example:22/private")));

    private void approve() {
        hosts.approveHosts((host, port) -> asked.add(host + ":" + port));
    }

    @Test
    void validNameOnPortOfRulesIsAskedAboutOnEachConnection() throws Exception {
        approve();
        assertThat(hosts.canAskAbout("other.example", 8443)).isTrue();
        for (int connection = 0; connection < 2; connection++) {
            assertThat(hosts.ask("other.example", 8443)).hasValueSatisfying(grant -> {
                assertThat(grant.host()).isEqualTo("other.example");
                assertThat(grant.port()).isEqualTo(8443);
                assertThat(grant.allowsPrivate()).isFalse();
            });
        }
        assertThat(asked).containsExactly("other.example:8443", "other.example:8443");
        assertThat(hosts.grant("other.example", 8443))
                .as("approved for one connection")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"other.example, 80", "127.0.0.1, 443", "localhost, 443", "a..b, 443"})
    void nothingElseIsAskedAbout(String host, int port) throws Exception {
        approve();
        assertThat(hosts.canAskAbout(host, port)).isFalse();
        assertThat(hosts.ask(host, port)).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void withoutApproverNothingIsGranted() throws Exception {
        assertThat(hosts.canAskAbout("other.example")).isFalse();
        assertThat(hosts.ask("other.example", 443)).isEmpty();
    }

    @Test
    void privateAddressTakesRuleThatAllowsIt() throws Exception {
        approve();
        assertThat(hosts.ask("inside.example", 443))
                .hasValueSatisfying(grant -> assertThat(grant.allowsPrivate()).isTrue());
    }
}
