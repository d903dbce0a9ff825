package dev.paddock.executor.landlock.kernel;

import dev.paddock.executor.sandbox.policy.SystemConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The parts of a Linux system that programs need.
 *
 * @param programs trees to read and execute
 * @param readable files and trees to read
 * @param devices to read and write
 */
public record SystemPaths(List<String> programs, List<String> readable, List<String> devices) {

    private static final List<String> PROGRAMS =
            List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store");

    /**
     * The files of {@code /etc} that the loader, the C library, shells, languages and git read. An unreadable file
     * stops many programs, while an absent one does not; but root could read all of {@code /etc}, including the
     * password hashes.
     */
    private static final List<String> ETC = List.of(
            "ld.so.cache",
            "ld.so.conf",
            "ld.so.preload",
            "passwd",
            "group",
            "nsswitch.conf",
            "hosts",
            "host.conf",
            "resolv.conf",
            "gai.conf",
            "networks",
            "services",
            "protocols",
            "localtime",
            "timezone",
            "locale.alias",
            "os-release",
            "lsb-release",
            "debian_version",
            "redhat-release",
            "ssl/openssl.cnf",
            "pki/tls/openssl.cnf",
            "profile",
            "profile.d",
            "bash.bashrc",
            "shells",
            "inputrc",
            "magic",
            "magic.mime",
            "mime.types",
            "gitconfig",
            "wgetrc",
            "ca-certificates.conf",
            "mailcap",
            "odbcinst.ini",
            "papersize",
            "php.ini",
            "manpath.config",
            "vim");

    private static final List<String> KERNEL = List.of("/proc", "/sys/devices/system/cpu");

    private static final List<String> DEVICES =
            List.of("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom");

    public SystemPaths {
        programs = List.copyOf(programs);
        readable = List.copyOf(readable);
        devices = List.copyOf(devices);
    }

    /**
     * Returns the paths that exist on this machine, since every command would pay for an exception for each absent one.
     * Omits links into other listed paths, as {@code /bin} is on most machines.
     */
    public static SystemPaths ofThisMachine() throws IOException {
        return below(Path.of("/"));
    }

    /**
     * Returns the paths that exist below a directory that represents the machine's root, as they would be at the root.
     *
     * @param root its real path
     */
    static SystemPaths below(Path root) throws IOException {
        Set<String> programs = new LinkedHashSet<>();
        for (String name : PROGRAMS) {
            Path real = FileSystemView.HOST.real(at(root, name));
            if (Files.isDirectory(real)
                    && programs.stream().map(other -> at(root, other)).noneMatch(real::startsWith)) {
                programs.add(name);
            }
        }
        List<String> readable = new ArrayList<>();
        ETC.forEach(name -> readable.add("/etc/" + name));
        readable.addAll(SystemConfiguration.directories(root));
        readable.addAll(KERNEL);
        readable.removeIf(
                path -> FileSystemView.HOST.at(at(root, path).toString()).isEmpty());
        return new SystemPaths(new ArrayList<>(programs), readable, DEVICES);
    }

    private static Path at(Path root, String path) {
        return root.resolve(path.substring(1));
    }

    public Set<String> all() {
        Set<String> all = new TreeSet<>(programs);
        all.addAll(readable);
        all.addAll(devices);
        return all;
    }
}
