package dev.paddock.executor.bwrap;

import dev.paddock.executor.Availability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** Explains why a sandbox could not be started, and what helps. */
final class Diagnosis {
    static final String DOCKER = "or use another backend";

    private Diagnosis() {}

    static Availability.Unusable notLinux() {
        return new Availability.Unusable(
                "bubblewrap needs Linux, and this is " + System.getProperty("os.name", "another system"),
                "Use the docker backend; on Windows, run inside WSL.");
    }

    static Availability.Unusable missing(String program) {
        String packages = program.endsWith("nsenter") ? "util-linux" : "bubblewrap";
        return new Availability.Unusable(
                "the program '" + program + "' is not installed",
                "Install " + packages + " (Debian, Ubuntu: apt install " + packages + "; Fedora: dnf install "
                        + packages + "; Arch: pacman -S " + packages + "), " + DOCKER + ".");
    }

    static Availability.Unusable noFilter(String architecture) {
        return new Availability.Unusable(
                "there is no system-call filter for the processor architecture " + architecture,
                "Use x86-64 or aarch64, " + DOCKER + ".");
    }

    static Availability.Unusable noNativeLaunch() {
        return new Availability.Unusable(
                "bubblewrap has to be handed descriptors, which takes glibc 2.34 or later",
                "Use a newer system, " + DOCKER + ".");
    }

    /**
     * Derives the reason from bubblewrap's message, and from this kernel's settings that forbid
     * user namespaces.
     */
    static Availability.Unusable refused(String message) {
        return refused(message, Diagnosis::setting);
    }

    static Availability.Unusable refused(String message, Function<String, Optional<String>> settings) {
        String reason = "bubblewrap could not start a sandbox: "
                + (message.isBlank() ? "it wrote no message" : message.strip());
        if (settings.apply("kernel/unprivileged_userns_clone")
                .filter("0"::equals)
                .isPresent()) {
            return new Availability.Unusable(
                    reason + "; user namespaces are switched off for ordinary users",
                    "Switch them on: sysctl -w kernel.unprivileged_userns_clone=1, " + DOCKER + ".");
        }
        if (settings.apply("user/max_user_namespaces").filter("0"::equals).isPresent()) {
            return new Availability.Unusable(
                    reason + "; user namespaces are switched off",
                    "Switch them on: sysctl -w user.max_user_namespaces=10000, " + DOCKER + ".");
        }
        if (settings.apply("kernel/apparmor_restrict_unprivileged_userns")
                .filter("1"::equals)
                .isPresent()) {
            return new Availability.Unusable(
                    reason + "; AppArmor restricts user namespaces to programs with a profile",
                    "Load a profile that lets bwrap use them (Ubuntu: the package apparmor-profiles has"
                            + " bwrap-userns-restrict), or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, "
                            + DOCKER + ".");
        }
        return new Availability.Unusable(
                reason,
                "Inside a container, allow user namespaces (docker run --security-opt seccomp=unconfined"
                        + " --security-opt apparmor=unconfined), " + DOCKER + ".");
    }

    private static Optional<String> setting(String name) {
        try {
            return Optional.of(Files.readString(Path.of("/proc/sys", name)).strip());
        } catch (IOException thisKernelHasNone) {
            return Optional.empty();
        }
    }
}
