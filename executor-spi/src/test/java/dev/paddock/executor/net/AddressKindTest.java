package dev.paddock.executor.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests both ends of each special range, and the addresses beside them. */
class AddressKindTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.255.255.255",
                "10.0.0.0",
                "10.255.255.255",
                "100.64.0.0",
                "100.127.255.255",
                "127.0.0.1",
                "169.254.169.254",
                "172.16.0.0",
                "172.31.255.255",
                "192.0.0.1",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.0.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:10.0.0.1",
                "::7f00:1",
                "fe80::1",
                "fec0::1",
                "fc00::1",
                "fdff::1",
                "ff02::1",
                "64:ff9b::a00:1",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:1ff::1",
                "2001:db8::1",
                "2002:808:808::1",
                "3fff::1",
                "4000::1"
            })
    void isNotPublic(String address) throws UnknownHostException {
        assertThat(AddressKind.isPublic(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.0.0.1",
                "128.0.0.1",
                "169.253.0.1",
                "169.255.0.1",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.1",
                "192.167.0.1",
                "192.169.0.1",
                "198.17.0.1",
                "198.20.0.1",
                "223.255.255.255",
                "::ffff:8.8.8.8",
                "64:ff9b::808:808",
                "2001:200::1",
                "2606:4700::1111",
                "2a00:1450::1",
                "3ffe::1"
            })
    void isPublic(String address) throws UnknownHostException {
        assertThat(AddressKind.isPublic(InetAddress.getByName(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1",
                "100.64.0.1",
                "127.0.0.1",
                "172.31.0.1",
                "192.168.1.1",
                "::1",
                "fd00::1",
                "64:ff9b::a00:1"
            })
    void isOfHostOrItsNetworks(String address) throws UnknownHostException {
        assertThat(AddressKind.of(InetAddress.getByName(address))).isEqualTo(AddressKind.PRIVATE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "168.63.129.16",
                "169.254.169.254",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "::",
                "fe80::1",
                "ff02::1",
                "2002:7f00:1::1",
                "64:ff9b::a9fe:a9fe"
            })
    void isOfSpecialUse(String address) throws UnknownHostException {
        assertThat(AddressKind.of(InetAddress.getByName(address))).isEqualTo(AddressKind.SPECIAL);
    }

    /** In a network namespace of its own, where this machine has a public address. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void addressOfThisMachineIsPrivate() throws Exception {
        assertThat(AddressKind.fromHere(InetAddress.getByName("8.8.4.4"))).isEqualTo(AddressKind.PUBLIC);
        Process there = new ProcessBuilder(
                        "unshare",
                        "--user",
                        "--map-root-user",
                        "--net",
                        "sh",
                        "-c",
                        "ip link set lo up && ip addr add 8.8.4.4/32 dev lo && ip route add default dev lo && exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OwnAddressProgram.class.getName())
                .redirectErrorStream(true)
                .start();
        assertThat(there.inputReader().lines().toList()).containsExactly("8.8.4.4 PRIVATE", "8.8.8.8 PUBLIC");
        assertThat(there.waitFor()).isZero();
    }
}
