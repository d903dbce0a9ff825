package dev.paddock.executor.bwrap;

import dev.paddock.executor.Availability;
import dev.paddock.executor.os.posix.NativeObstacle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Explains why a sandbox could not be started, and how to fix it. */
final class Diagnosis {
    static final String OTHERWISE = "or use another backend";

    /** Matches messages about a namespace that the kernel refuses, or an action that only a namespace allows. */
    private static final Pattern CONCERNS_NAMESPACES = Pattern.compile(
            "namespace|uid map|gid map|setgroups|pivot_root|RTM_NEWADDR|RTM_NEWLINK|mount proc|No space left on device"
                    + "|Operation not permitted|Permission denied");

    /** Matches messages about a temporary shortage on a busy machine. */
    private static final Pattern BUSY = Pattern.compile(
            "Resource temporarily unavailable|Cannot allocate memory|Too many open files|^it was killed");

    private Diagnosis() {}

    static Availability.Unusable notLinux() {
        return new Availability.Unusable(
                "bubblewrap needs Linux, and this is " + System.getProperty("os.name", "another system"),
                "Use the docker backend; on Windows, run inside WSL.");
    }

    static Availability.Unusable missing(String program) {
        String packages = program.endsWith("nsenter") ? "util-linux" : "bubblewrap";
        return new Availability.Unusable(
                "the program '" + program + "' is not installed, or cannot be executed",
                "Install " + packages + " (Debian, Ubuntu: apt install " + packages + "; Fedora: dnf install "
                        + packages + "; Arch: pacman -S " + packages + "), " + OTHERWISE + ".");
    }

    static Availability.Unusable noFilter(String architecture) {
        return new Availability.Unusable(
                "there is no system-call filter for the processor architecture " + architecture,
                "Use x86-64 or aarch64, " + OTHERWISE + ".");
    }

    static Availability.Unusable noAllowedNetwork(IOException fault) {
        return new Availability.Unusable(
                "the allowed hosts cannot be served in the commands' network: " + fault.getMessage(),
                "Set the network to 'off' or 'open', " + OTHERWISE + ".");
    }

    /** Explains why the C library, which passes descriptors on, does not start processes. */
    static Availability.Unusable noNativeLaunch(Optional<NativeObstacle> obstacle) {
        return new Availability.Unusable(
                "bubblewrap needs to inherit descriptors, and "
                        + obstacle.map(NativeObstacle::reason)
                                .orElse("processes are not started through the C library"),
                obstacle.map(NativeObstacle::remedy).orElse("Use another backend."));
    }

    /** Derives the reason from bubblewrap's message, and from kernel settings that forbid user namespaces. */
    static Availability.Unusable refused(String message) {
        return refused(message, Diagnosis::setting);
    }

    static Availability.Unusable refused(String message, Function<String, Optional<String>> settings) {
        String reason = "bubblewrap could not start a sandbox: "
                + (message.isBlank() ? "it wrote no message" : message.strip());
        if (BUSY.matcher(message).find()) {
            return new Availability.Unusable(
                    reason, "Free memory or end processes, " + OTHERWISE + ".", Availability.Outlook.UNDECIDED);
        }
        if (!CONCERNS_NAMESPACES.matcher(message).find()) {
            return new Availability.Unusable(reason, "Remove the cause that bubblewrap names, " + OTHERWISE + ".");
        }
        return restriction(reason, settings)
                .orElseGet(() -> new Availability.Unusable(
                        reason,
                        "Inside a container, allow user namespaces (docker run --security-opt seccomp=unconfined"
                                + " --security-opt apparmor=unconfined --security-opt systempaths=unconfined), "
                                + OTHERWISE
                                + "."));
    }

    private static Optional<Availability.Unusable> restriction(
            String reason, Function<String, Optional<String>> settings) {
        if (isSet(settings, "kernel/unprivileged_userns_clone", "0")) {
            return Optional.of(new Availability.Unusable(
                    reason + "; user namespaces are switched off for ordinary users",
                    "Switch them on: sysctl -w kernel.unprivileged_userns_clone=1, " + OTHERWISE + "."));
        }
        if (isSet(settings, "user/max_user_namespaces", "0")) {
            return Optional.of(new Availability.Unusable(
                    reason + "; user namespaces are switched off",
                    "Switch them on: sysctl -w user.max_user_namespaces=10000, " + OTHERWISE + "."));
        }
        if (isSet(settings, "kernel/apparmor_restrict_unprivileged_userns", "1")) {
            return Optional.of(new Availability.Unusable(
                    reason + "; AppArmor restricts user namespaces to programs with a profile",
                    "Load a profile that lets bwrap use them (Ubuntu: the package apparmor-profiles has"
                            + " bwrap-userns-restrict), or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, "
                            + OTHERWISE + "."));
        }
        return Optional.empty();
    }

    private static boolean isSet(Function<String, Optional<String>> settings, String name, String value) {
        return settings.apply(name).filter(value::equals).isPresent();
    }

    private static Optional<String> setting(String name) {
        try {
            return Optional.of(Files.readString(Path.of("/proc/sys", name)).strip());
        } catch (IOException thisKernelHasNone) {
            return Optional.empty();
        }
    }
}
