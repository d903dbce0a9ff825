package dev.paddock.executor.network;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.HostRule;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NameAnswersTest {
    private static final int A = 1;
    private static final int AAAA = 28;
    private static final int HTTPS = 65;
    private static final int PTR = 12;

    private final AllowedHosts hosts =
            new AllowedHosts(List.of(HostRule.parse("example.org"), HostRule.parse("*.wild.example")));
    private final FakeAddresses addresses = new FakeAddresses();
    private final ConnectionLog log = new ConnectionLog(hosts);
    private final NameAnswers answers = new NameAnswers(hosts, addresses, log);

    private static byte[] query(int type, String... labels) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0});
        for (String label : labels) {
            bytes.write(label.length());
            bytes.writeBytes(label.getBytes(ISO_8859_1));
        }
        bytes.writeBytes(new byte[] {0, 0, (byte) type, 0, 1});
        return bytes.toByteArray();
    }

    private byte[] ask(int type, String... labels) {
        return answers.answer(query(type, labels)).orElseThrow();
    }

    private static int code(byte[] answer) {
        return answer[3] & 0xf;
    }

    private static int records(byte[] answer) {
        return ByteBuffer.wrap(answer).getShort(6);
    }

    @Test
    void allowedNameHasAddressThatMeansIt() throws UnknownHostException {
        byte[] answer = ask(A, "Example", "ORG");
        assertThat(code(answer)).isZero();
        assertThat(records(answer)).isEqualTo(1);
        byte[] address = Arrays.copyOfRange(answer, answer.length - 4, answer.length);
        assertThat(addresses.host(InetAddress.getByAddress(address))).contains("example.org");
        assertThat(ask(A, "example", "org")).endsWith(address);
        byte[] below = ask(A, "b", "a", "wild", "example");
        assertThat(Arrays.copyOfRange(below, below.length - 4, below.length)).isNotEqualTo(address);
    }

    @Test
    void otherTypesOfAllowedNameAreEmpty() {
        for (int type : new int[] {AAAA, HTTPS, 16, 255}) {
            byte[] answer = ask(type, "example", "org");
            assertThat(code(answer)).isZero();
            assertThat(records(answer)).isZero();
        }
    }

    @Test
    void everyOtherNameDoesNotExist() {
        String[][] names = {
            {"other", "org"},
            {"wild", "example"},
            {"a", "example", "org"},
            {"org"},
            {},
            {"evil\0", "wild", "example"},
            {"example.org"},
            {"a.wild", "example"},
            {"a_b", "wild", "example"},
            {"xn--\u00fc", "wild", "example"},
            {"localhost"},
            {"2", "0", "18", "198", "in-addr", "arpa"}
        };
        for (String[] name : names) {
            assertThat(code(ask(A, name))).as(Arrays.toString(name)).isEqualTo(3);
        }
        assertThat(code(ask(PTR, "1", "0", "18", "198", "in-addr", "arpa"))).isEqualTo(3);
        assertThat(log.mark()).as("denials").isEqualTo(names.length + 1L);
        assertThat(log.since(0))
                .singleElement()
                .asString()
                .contains("other.org was not reached: not allowed", "Allowed: example.org, *.wild.example.")
                .doesNotContain("\0");
    }

    @Test
    void brokenMessagesAreRefusedOrIgnored() {
        byte[] whole = query(A, "example", "org");
        for (int length = 0; length < whole.length; length++) {
            answers.answer(Arrays.copyOf(whole, length))
                    .ifPresent(answer -> assertThat(code(answer)).isNotZero());
        }
        byte[] pointer = whole.clone();
        pointer[12] = (byte) 0xc0;
        assertThat(code(answers.answer(pointer).orElseThrow())).isEqualTo(1);
        byte[] twoQuestions = whole.clone();
        twoQuestions[5] = 2;
        assertThat(code(answers.answer(twoQuestions).orElseThrow())).isEqualTo(1);
        byte[] update = whole.clone();
        update[2] = 0x28;
        assertThat(code(answers.answer(update).orElseThrow())).isEqualTo(4);
        byte[] response = whole.clone();
        response[2] = (byte) 0x80;
        assertThat(answers.answer(response)).isEmpty();
    }

    @Test
    void namesBelowWildcardAreBounded() throws UnknownHostException {
        for (int number = 0; number < FakeAddresses.MAX_NAMES_BELOW; number++) {
            assertThat(records(ask(A, "n" + number, "wild", "example"))).isEqualTo(1);
        }
        assertThat(code(ask(A, "onemore", "wild", "example"))).isEqualTo(2);
        assertThat(log.since(0)).singleElement().asString().contains("more than 1024 names below 'wild.example'");
        assertThat(records(ask(A, "example", "org")))
                .as("a name of its own rule")
                .isEqualTo(1);
        assertThat(records(ask(A, "n7", "wild", "example"))).isEqualTo(1);
        assertThat(addresses.host(InetAddress.getByAddress(new byte[] {(byte) 198, 18, 0, 1})))
                .isEmpty();
        assertThat(addresses.host(InetAddress.getByAddress(new byte[] {(byte) 198, 19, 0, 2})))
                .isEmpty();
    }
}
