package dev.paddock.executor.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;

class ClientHelloTest {
    private static final String HOST = "example.org";

    /** Returns what the JDK's own client sends first. */
    private static byte[] hello(String name) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        if (!name.isEmpty()) {
            parameters.setServerNames(List.of(new SNIHostName(name)));
        }
        engine.setSSLParameters(parameters);
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        return Arrays.copyOf(out.array(), out.position());
    }

    private static byte[] read(byte[] bytes) throws IOException {
        return ClientHello.read(new ByteArrayInputStream(bytes), HOST);
    }

    @Test
    void helloForHostIsPassedOnUnchanged() throws Exception {
        byte[] hello = hello(HOST.toUpperCase(Locale.ROOT));
        byte[] more = Arrays.copyOf(hello, hello.length + 100);
        assertThat(read(more)).isEqualTo(hello);
    }

    @Test
    void helloInManyRecordsIsPassedOnUnchanged() throws Exception {
        byte[] hello = hello(HOST);
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        for (int start = 5; start < hello.length; start += 50) {
            int length = Math.min(50, hello.length - start);
            parts.writeBytes(new byte[] {0x16, 3, 1, 0, (byte) length});
            parts.write(hello, start, length);
        }
        assertThat(read(parts.toByteArray())).isEqualTo(parts.toByteArray());
    }

    @Test
    void anotherNameIsRefused() throws Exception {
        for (String other : List.of("other.org", "a.example.org", "example.org.other.org")) {
            byte[] hello = hello(other);
            assertThatThrownBy(() -> read(hello))
                    .isInstanceOf(RefusedException.class)
                    .hasMessage("its TLS names another server, '" + other + "'");
        }
    }

    @Test
    void noNameIsRefused() throws Exception {
        byte[] hello = hello("");
        assertThatThrownBy(() -> read(hello))
                .isInstanceOf(RefusedException.class)
                .hasMessage("its TLS names no server");
    }

    @Test
    void whatIsNotTlsIsRefused() {
        for (String bytes : List.of("GET / HTTP/1.1\r\n", "SSH-2.0-x\r\n", "\u0016\u0003\u0001\u0000\u0000")) {
            assertThatThrownBy(() -> read(bytes.getBytes(StandardCharsets.ISO_8859_1)))
                    .isInstanceOf(RefusedException.class);
        }
    }

    @Test
    void everyCutAndEveryChangedByteIsRefusedOrReadWithinBounds() throws Exception {
        byte[] hello = hello(HOST);
        for (int length = 0; length < hello.length; length++) {
            byte[] cut = Arrays.copyOf(hello, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOfAny(RefusedException.class, EOFException.class);
        }
        for (int index = 0; index < hello.length; index++) {
            byte[] changed = hello.clone();
            changed[index] ^= (byte) 0xff;
            try {
                assertThat(read(changed)).startsWith(changed[0]);
            } catch (IOException refused) {
                assertThat(refused).isInstanceOfAny(RefusedException.class, EOFException.class);
            }
        }
    }
}
