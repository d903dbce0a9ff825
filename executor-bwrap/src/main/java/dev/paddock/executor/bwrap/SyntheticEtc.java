package dev.paddock.executor.bwrap;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.network.AllowedNetwork;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.HostRule;
import dev.paddock.executor.policy.NetworkPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Fills the {@code /etc} that commands see: copies of the few files that programs look up there, and a list of users
 * that names nobody of this machine. It is one directory, because a mount for each file would slow down every start.
 */
final class SyntheticEtc {
    /**
     * {@code /etc/gitconfig} holds a company's proxy and certificates; the C library, Java and other interpreters read
     * the others.
     */
    private static final List<String> COPIED = List.of(
            "ld.so.cache",
            "ld.so.conf",
            "localtime",
            "timezone",
            "mime.types",
            "services",
            "protocols",
            "os-release",
            "debian_version",
            "gitconfig",
            "ssl/openssl.cnf",
            "pki/tls/openssl.cnf",
            "ca-certificates.conf",
            "inputrc",
            "locale.alias",
            "magic",
            "magic.mime",
            "mailcap",
            "odbcinst.ini",
            "manpath.config",
            "papersize",
            "php.ini");

    private static final List<String> COPIED_WITH_NETWORK = List.of("resolv.conf", "hosts", "host.conf", "gai.conf");

    private static final int NOBODY = 65534;

    private SyntheticEtc() {}

    /**
     * Fills the directory.
     *
     * @param etc the directory, empty
     * @param network the network that the sandbox reaches
     * @param hasNameServer whether Paddock serves its name server
     * @param home the home directory of the only user
     */
    static void furnish(Path etc, NetworkPolicy network, boolean hasNameServer, String home) throws IOException {
        COPIED.forEach(name -> copy(etc, name));
        int user = (int) Files.getAttribute(etc, "unix:uid");
        int group = (int) Files.getAttribute(etc, "unix:gid");
        String userName = user == 0 ? "root" : "paddock";
        String groupName = group == 0 ? "root" : "paddock";
        write(
                etc,
                "passwd",
                userName + ":x:" + user + ":" + group + "::" + home + ":/bin/sh\n" + "nobody:x:" + NOBODY + ":" + NOBODY
                        + "::/nonexistent:/bin/false\n");
        write(etc, "group", groupName + ":x:" + group + ":\nnogroup:x:" + NOBODY + ":\n");
        write(
                etc,
                "nsswitch.conf",
                "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n");
        if (network instanceof NetworkPolicy.Open) {
            COPIED_WITH_NETWORK.forEach(name -> copy(etc, name));
        } else {
            if (hasNameServer) {
                write(etc, "resolv.conf", AllowedNetwork.resolverConfiguration());
            }
            write(etc, "hosts", "127.0.0.1 localhost paddock\n::1 " + namesOfIpv6(network) + "ip6-localhost\n");
        }
    }

    /** Paddock serves a port of the host's loopback at 127.0.0.1: programs that try one address must not try ::1. */
    private static String namesOfIpv6(NetworkPolicy network) {
        return network instanceof NetworkPolicy.Allow allow
                        && allow.rules().stream().anyMatch(HostRule::isLoopback)
                ? ""
                : "localhost ";
    }

    /** Copies a file through links: {@code resolv.conf} is often a link into {@code /run}. */
    private static void copy(Path etc, String name) {
        try {
            byte[] content = Files.readAllBytes(Path.of("/etc", name));
            Files.createDirectories(etc.resolve(name).getParent());
            Files.write(etc.resolve(name), content);
        } catch (NoSuchFileException absent) {
            // Programs then run without it, as they do outside.
            LateLogger.of(SyntheticEtc.class).log(System.Logger.Level.TRACE, () -> "This machine has no /etc/" + name);
        } catch (IOException unreadable) {
            LateLogger.of(SyntheticEtc.class)
                    .log(
                            System.Logger.Level.WARNING,
                            () -> "Commands will not see /etc/" + name + ", which cannot be copied: "
                                    + FileFaults.reason(unreadable));
        }
    }

    private static void write(Path etc, String name, String content) throws IOException {
        Files.writeString(etc.resolve(name), content);
    }
}
