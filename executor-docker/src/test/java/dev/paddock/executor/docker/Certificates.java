package dev.paddock.executor.docker;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Creates a certificate authority, and certificates for an engine on the loopback and its client,
 * as files that Docker's tools accept.
 */
final class Certificates {
    private static final X500Name AUTHORITY = new X500Name("CN=paddock test authority");

    private final KeyPair authority = keys();
    private int serial;

    private Certificates() throws Exception {}

    /**
     * Writes {@code ca.pem}, {@code cert.pem} and {@code key.pem} for the client, and {@code
     * server-…} for the engine.
     */
    static void write(Path directory) throws Exception {
        Certificates all = new Certificates();
        pem(directory.resolve("ca.pem"), "CERTIFICATE", all.certificate(all.authority, AUTHORITY, null));
        for (KeyPurposeId purpose : new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth, KeyPurposeId.id_kp_serverAuth}) {
            String prefix = purpose.equals(KeyPurposeId.id_kp_serverAuth) ? "server-" : "";
            KeyPair keys = keys();
            pem(
                    directory.resolve(prefix + "cert.pem"),
                    "CERTIFICATE",
                    all.certificate(keys, new X500Name("CN=" + prefix + "paddock"), purpose));
            pem(
                    directory.resolve(prefix + "key.pem"),
                    "PRIVATE KEY",
                    keys.getPrivate().getEncoded());
        }
    }

    private static KeyPair keys() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC"); // an RSA key takes a second to make
        generator.initialize(256);
        return generator.generateKeyPair();
    }

    private byte[] certificate(KeyPair keys, X500Name subject, @org.jspecify.annotations.Nullable KeyPurposeId purpose)
            throws Exception {
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                AUTHORITY,
                BigInteger.valueOf(++serial),
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(Duration.ofHours(1))),
                subject,
                keys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(purpose == null));
        if (purpose != null) {
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
            String address = InetAddress.getLoopbackAddress().getHostAddress();
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.iPAddress, address)));
        }
        return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(authority.getPrivate()))
                .getEncoded();
    }

    private static void pem(Path file, String kind, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(file, "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }
}
