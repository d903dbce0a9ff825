package dev.paddock.executor.docker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that keys are read in each of the forms that the tools around Docker have written. */
@Tag("full")
class PrivateKeyFileTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void keyInPkcs8IsRead(String algorithm) throws Exception {
        PrivateKey key = algorithm.equals("RSA")
                ? rsa()
                : KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();

        assertThat(PrivateKeyFile.read(pem("PRIVATE KEY", key.getEncoded()))).isEqualTo(key);
    }

    /** A short one: a key of a secure length takes seconds to make. */
    private static PrivateKey rsa() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        return generator.generateKeyPair().getPrivate();
    }

    @Test
    void rsaKeyInPkcs1IsRead() throws Exception {
        PrivateKey key = rsa();
        byte[] content = PrivateKeyInfo.getInstance(key.getEncoded())
                .parsePrivateKey()
                .toASN1Primitive()
                .getEncoded();

        assertThat(PrivateKeyFile.read(pem("RSA PRIVATE KEY", content))).isEqualTo(key);
    }

    @Test
    void ecKeyWithItsCurveIsRead() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp384r1"));
        ECPrivateKey key = (ECPrivateKey) generator.generateKeyPair().getPrivate();
        byte[] content = new org.bouncycastle.asn1.sec.ECPrivateKey(384, key.getS(), SECObjectIdentifiers.secp384r1)
                .getEncoded();

        assertThat(((ECPrivateKey) PrivateKeyFile.read(pem("EC PRIVATE KEY", content))).getS())
                .isEqualTo(key.getS());
    }

    @Test
    void encryptedKeyIsRefusedByName() throws Exception {
        Path file = pem("ENCRYPTED PRIVATE KEY", new byte[] {1, 2, 3});

        assertThatThrownBy(() -> PrivateKeyFile.read(file))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("no unencrypted private key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"})
    void damagedKeyIsRefusedByName(String kind) throws Exception {
        Path file = pem(kind, new byte[] {0x30, 0x7f, 1});

        assertThatThrownBy(() -> PrivateKeyFile.read(file))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining(file.toString());
    }

    private Path pem(String kind, byte[] content) throws Exception {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(
                directory.resolve("key.pem"),
                "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }
}
