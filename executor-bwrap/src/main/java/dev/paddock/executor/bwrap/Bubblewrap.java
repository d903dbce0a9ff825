package dev.paddock.executor.bwrap;

import dev.paddock.executor.process.launch.HelperCommand;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.sandbox.policy.Violation;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Locates the programs that start a sandbox.
 *
 * @param bwrap bubblewrap's path
 * @param nsenter the path of the program that joins namespaces, from util-linux or busybox
 */
record Bubblewrap(Path bwrap, Path nsenter) {
    private static final List<String> USUAL = List.of("/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin");

    /**
     * Finds a program, first in the system's directories: a directory on the PATH that a command can write to must not
     * decide which sandbox is started.
     */
    static Optional<Path> find(String program) {
        String path = HostEnvironment.all().getOrDefault("PATH", "");
        return Stream.concat(USUAL.stream(), Arrays.stream(path.split(File.pathSeparator, -1)))
                .filter(directory -> directory.startsWith("/"))
                .map(directory -> Path.of(directory, program))
                .filter(candidate -> Files.isRegularFile(candidate) && Files.isExecutable(candidate))
                .findFirst();
    }

    /**
     * Requires a bubblewrap that supports overlays.
     *
     * @throws dev.paddock.executor.UnsupportedPolicyException if it does not
     */
    void requireLayers() {
        if (!HelperCommand.run(List.of(bwrap.toString(), "--help")).output().contains("--tmp-overlay")) {
            Violation.refuse(
                    BwrapProvider.NAME,
                    List.of(new Violation(
                            "root: writable",
                            "'" + bwrap + "' puts no layer above the system, which bubblewrap 0.11 does",
                            "install a later one, use docker, or leave it out")));
        }
    }

    /** Returns the command-line prefix that joins a holder's namespaces. */
    List<String> joining(long holder) {
        return List.of(
                nsenter.toString(), "--target", Long.toString(holder), "--user", "--net", "--preserve-credentials");
    }
}
