package dev.paddock.executor.network;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestsTest {

    private static String passed(String bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HttpRequests requests =
                new HttpRequests(new ByteArrayInputStream(bytes.getBytes(ISO_8859_1)), out, "example.org", 80);
        for (Optional<String> head = requests.head(); head.isPresent(); head = requests.head()) {
            requests.pass(head.get());
        }
        return out.toString(ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n",
                "GET / HTTP/1.0\r\nhost:EXAMPLE.org.:80\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org\r\nX-Name: \u00c3\u0085rhus, \u00e2\u0080\u00a8\r\n\r\n",
                "GET http://example.org/a?b HTTP/1.1\r\nHost: example.org\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: example.org\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: example.org\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: example.org\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nA: b\r\n\r\nGET / HTTP/1.1\r\nHost: example.org\r\n\r\n"
            })
    void requestsForHostPassUnchanged(String bytes) throws IOException {
        assertThat(passed(bytes)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: other.org\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org.other.org\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org:8080\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org, other.org\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: other.org@example.org\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org\r\nHost: other.org\r\n\r\n",
                "GET / HTTP/1.1\r\nHost : example.org\r\n\r\n",
                "GET / HTTP/1.1\r\n Host: example.org\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org\r\n folded\r\n\r\n",
                "GET / HTTP/1.1\nHost: example.org\n\n",
                "GET / HTTP/1.1\r\nHost: example.org\nX: y\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org\rX: y\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org\0\r\n\r\n",
                "GET / HTTP/1.1\r\nX: y\r\n\r\n",
                "GET http://other.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n",
                "GET https://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n",
                "CONNECT example.org:80 HTTP/1.1\r\nHost: example.org\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org\r\nContent-Length: 3, 3\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org\r\nContent-Length: +3\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: example.org\r\n\r\nGET / HTTP/1.1\r\nHost: other.org\r\n\r\n",
                "\u0016\u0003\u0001\r\n\r\n"
            })
    void everythingElseIsRefused(String bytes) {
        assertThatThrownBy(() -> passed(bytes)).isInstanceOf(RefusedException.class);
    }

    @Test
    void endlessHeadIsRefused() {
        assertThatThrownBy(() -> passed("GET / HTTP/1.1\r\n" + "X: y\r\n".repeat(20_000)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("longer");
    }
}
