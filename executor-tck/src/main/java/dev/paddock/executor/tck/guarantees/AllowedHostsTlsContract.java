package dev.paddock.executor.tck.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.subject.HostNames;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** Tests that TLS in a network of allowed hosts is end to end between the command and the host. */
public interface AllowedHostsTlsContract {

    /** curl's exit code for a certificate that it does not trust. */
    int UNTRUSTED = 60;

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_tlsIsEndToEnd(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        context.assumeTools("curl");
        Identity right = Identity.create(context, "right", HostNames.require().give("contracttls", "127.0.0.1"));
        Identity wrong = Identity.create(context, "wrong", HostNames.require().give("contractothertls", "127.0.0.1"));
        try (NamedServer server = right.serve("contracttls");
                NamedServer imposter = wrong.serve("contracttls");
                CommandExecutor executor = AllowedHostsExecutors.executor(context, server.rule(), imposter.rule())) {
            assertThat(fetch(context, executor, server, " --cacert " + right.certificate())
                            .succeeded())
                    .as("with the server's own certificate")
                    .isEqualTo(NamedServer.GREETING);
            assertThat(fetch(context, executor, server, "").status().code())
                    .as("without it")
                    .isEqualTo(UNTRUSTED);
            assertThat(fetch(context, executor, server, " --cacert " + wrong.certificate())
                            .status()
                            .code())
                    .as("with another certificate")
                    .isEqualTo(UNTRUSTED);
            assertThat(fetch(context, executor, imposter, " --cacert " + wrong.certificate())
                            .status()
                            .code())
                    .as("from a server whose trusted certificate is for another name")
                    .isEqualTo(UNTRUSTED);
        }
    }

    private static Outcome fetch(ContractContext context, CommandExecutor executor, NamedServer server, String options)
            throws InterruptedException {
        return AllowedHostsExecutors.run(
                context,
                executor,
                "curl -sS --max-time 30" + options + " https://" + server.host() + ":" + server.port() + "/");
    }

    /**
     * A key and a self-signed certificate for a name.
     *
     * @param certificate its path on the commands' side
     */
    record Identity(SSLContext tls, String certificate) {
        private static final char[] PASSWORD = "changeit".toCharArray();

        /** Creates a key with the JDK's keytool, and puts the certificate into the test's directory. */
        static Identity create(ContractContext context, String name, String host)
                throws IOException, InterruptedException, GeneralSecurityException {
            Path file = context.hostPath(name + ".p12");
            Process keytool = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-J-XX:TieredStopAtLevel=1",
                            "-J-XX:+UseSerialGC",
                            "-genkeypair",
                            "-alias",
                            name,
                            "-keyalg",
                            "EC",
                            "-dname",
                            "CN=" + name,
                            "-ext",
                            "san=dns:" + host,
                            "-keystore",
                            file.toString(),
                            "-storepass",
                            new String(PASSWORD)))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(keytool.waitFor()).as(output).isZero();
            KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD);
            Files.writeString(
                    context.hostPath(name + ".pem"),
                    "-----BEGIN CERTIFICATE-----\n"
                            + Base64.getMimeEncoder(64, new byte[] {'\n'})
                                    .encodeToString(store.getCertificate(name).getEncoded())
                            + "\n-----END CERTIFICATE-----\n");
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD);
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(keys.getKeyManagers(), null, null);
            return new Identity(tls, context.commandPath(name + ".pem"));
        }

        /** Serves HTTP over TLS. */
        NamedServer serve(String label) throws IOException {
            return NamedServer.start(
                    label,
                    tls.getServerSocketFactory()
                            .createServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})),
                    Identity::answer);
        }

        private static void answer(Socket client) throws IOException {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                // the head of the request
            }
            NamedServer.send(
                    client,
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + NamedServer.GREETING.length()
                            + "\r\n\r\n" + NamedServer.GREETING);
        }
    }
}
