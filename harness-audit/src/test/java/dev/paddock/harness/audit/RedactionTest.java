package dev.paddock.harness.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    private final Redaction redaction = Redaction.standard();

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "OPENAI_API_KEY=hunter2 make # OPENAI_API_KEY=[REDACTED] make",
                "export MY_TOKEN=\"two words\" && make # export MY_TOKEN=[REDACTED] && make",
                "DB_PASSWORD='a'\"b c\"d; ls # DB_PASSWORD=[REDACTED]; ls",
                "DB_PASSWORD=a\\ b ls # DB_PASSWORD=[REDACTED] ls",
                "tool --api-key hunter2 run # tool --api-key [REDACTED] run",
                "tool --password=hunter2,x{y} run # tool --password=[REDACTED] run",
                "java -Dspring.datasource.password=hunter2 -jar a.jar "
                        + "# java -Dspring.datasource.password=[REDACTED] -jar a.jar",
                "curl -H 'Authorization: Basic aHVudGVyOjI= x' h # curl -H 'Authorization: [REDACTED]' h",
                "curl -H \"X-Api-Key: hunter2\" h # curl -H \"X-Api-Key: [REDACTED]\" h",
                "curl --cookie-jar c -H 'Cookie: a=b; c=d' h # curl --cookie-jar c -H 'Cookie: [REDACTED]' h",
                "curl -u me:hunter2 h # curl -u me:[REDACTED] h",
                "curl -ume:hunter2 h # curl -ume:[REDACTED] h",
                "curl --user \"me:hunter 2\" h # curl --user \"me:[REDACTED] 2\" h",
                "git clone https://me:hunter2@example.org/x # git clone https://[REDACTED]@example.org/x",
                "curl 'https://h/?a=1&access_token=hunter2&b=2' # curl 'https://h/?a=1&access_token=[REDACTED]&b=2'",
                "curl -d '{\"password\": \"hunter 2\", \"a\": 1}' # curl -d '{\"password\": [REDACTED], \"a\": 1}'",
                "curl -d \"{\\\"accessToken\\\":\\\"hunter2\\\"}\" # curl -d \"{\\\"accessToken\\\":[REDACTED]}\"",
                "bash -c \"A_TOKEN=hunter2 make; make test\" # bash -c \"A_TOKEN=[REDACTED] make; make test\"",
                "A_TOKEN=$(cat file) make # A_TOKEN=[REDACTED](cat file) make",
            })
    void replacesValuesThatHaveACredentialsName(String command, String expected) {
        assertThat(redaction.apply(command)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
                "github_pat_abcdefghijklmnopqrstuvwxyz_0123456789",
                "xoxb-123456789012-abcdefghijkl",
                "xoxb-0123456789",
                "AKIAABCDEFGHIJKLMNOP",
                "sk-ant-api03-abcdefghijklmnopqrstuvwxyz",
                "sk-proj-abcdefghijklmnopqrstuvwxyz",
                "sk-abcdefghijklmnopqrstuvwxyz012345",
                "sk_live_abcdefghijklmnop",
                "pk_test_abcdefghijklmnop",
                "rk_live_abcdefghijklmnop",
                "SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz",
                "SK0123456789abcdef0123456789abcdef",
                "bearer abcdefghijklmnopqrstuvwxyz",
                "Bearer a/b+c~d=e/f+g~h=i/j+k~",
                "123456789:abcdefghijklmnopqrstuvwxyz012345678",
                "MabcdefghijklmnopqrstuvwX.abcdef.abcdefghijklmnopqrstuvwxyz0",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0xx.abcdefgh",
                "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nabc",
            })
    void replacesTokensByTheirForm(String token) {
        assertThat(redaction.apply("echo " + token)).isEqualTo("echo [REDACTED]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git checkout 0123456789abcdef0123456789abcdef01234567",
                "make -j4 CFLAGS='-O2 -g' PATH=/usr/bin:/bin test",
                "docker run -v /a:/b -p 8080:80 image:latest",
                "curl -u me https://example.org:8080/a/b@c",
                "git commit -m 'the key to the tokens: none'",
            })
    void leavesOtherTextsAsTheyAre(String command) {
        assertThat(redaction.apply(command)).isEqualTo(command);
    }

    @Test
    void replacesKnownSecretsWhereverTheyStand() {
        assertThat(redaction.apply("mysql -phunter2 hunter22 abc", List.of("hunter2", "hunter22", "abc")))
                .isEqualTo("mysql -p[REDACTED] [REDACTED] abc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "eyJ", "A_KEY=", "\"", "-----BEGIN PRIVATE KEY-----", "://a:", "bearer ", "-", "\\", "x:"})
    @Timeout(20)
    void takesLinearTimeForLongestCommand(String part) {
        String text = part.repeat((1 << 20) / part.length());
        long begin = System.nanoTime();
        assertThat(redaction.apply(text)).isNotNull();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
    }
}
