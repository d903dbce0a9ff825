package dev.paddock.executor.docker.source;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.docker.container.ContainerSpec;
import dev.paddock.executor.docker.container.EngineInfo;
import dev.paddock.executor.docker.container.ExtraOptions;
import dev.paddock.executor.docker.container.OwnFiles;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.worktree.ProtectionPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The settings of a managed container.
 *
 * @param user the commands' user; empty for the image's
 * @param mayPull whether a missing image is pulled
 */
public record ManagedSettings(
        String image,
        SandboxPolicy policy,
        boolean mayPull,
        String user,
        Optional<String> runtime,
        ExtraOptions extra,
        Path quarantine,
        int warmSlots,
        ImageStore.Listener progress) {

    /** The label that names a container's owner. */
    public static final String OWNER_LABEL = "dev.paddock.owner";

    private static final int MAX_NAME_LENGTH = 40;

    private static final Set<String> RUNTIMES =
            Set.of("runc", "runsc", "kata", "kata-runtime", "kata-qemu", "kata-fc", "kata-clh");

    /**
     * Validates the name of an OCI runtime.
     *
     * @throws IllegalArgumentException if it is not one of the accepted names
     */
    public static String requireRuntime(String name) {
        if (!RUNTIMES.contains(name)) {
            throw new IllegalArgumentException("not a runtime: '" + name + "'; known are " + new TreeSet<>(RUNTIMES));
        }
        return name;
    }

    /**
     * Returns the owner of a directory as {@code UID:GID}, so that files created in the container get the right owner.
     */
    public static String ownerOf(Path directory) {
        try {
            return Files.getAttribute(directory, "unix:uid") + ":" + Files.getAttribute(directory, "unix:gid");
        } catch (UnsupportedOperationException elsewhere) {
            return "";
        } catch (IOException fault) {
            throw new IllegalArgumentException(
                    "the worktree '" + directory + "' cannot be examined: " + FileFaults.reason(fault), fault);
        }
    }

    /** Specifies the container in which commands run as a user. */
    ContainerSpec specification(ProtectionPlan protection, String commandUser, OwnFiles files) {
        return new ContainerSpec(image, policy, protection, commandUser, runtime, files, labels(), extra);
    }

    /**
     * Returns the commands' user; never the keep-alive user, whose main process commands must not end.
     *
     * @param engine has the image
     */
    String userOfCommands(Engine engine) {
        return user.isEmpty() ? new ImageStore(engine, progress).userOf(image) : user;
    }

    /** Returns a recognizable name: the worktree's, with a unique suffix. */
    String newContainerName() {
        String directory =
                String.valueOf(policy.worktree().hostPath().getFileName()).replaceAll("[^A-Za-z0-9_.-]", "-");
        return "paddock-" + directory.substring(0, Math.min(directory.length(), MAX_NAME_LENGTH)) + "-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    }

    /** Returns the labels by which a later JVM finds this JVM's leftover containers. */
    static Map<String, String> labels() {
        return Map.of(OWNER_LABEL, OwnerId.current().toString());
    }

    /**
     * Checks that the engine can create such a container: cheap checks first, the network last.
     *
     * @param report the engine's
     * @param signal aborts the image pull
     * @return the engine's report about itself
     * @throws SandboxUnavailableException if the engine is not reachable, lacks the runtime, or has no image
     * @throws UnsupportedPolicyException if its kernel lacks a required limit
     */
    EngineInfo requireUsable(EngineReport report, AbortSignal signal) {
        EngineInfo info = report.info();
        runtime.ifPresent(name -> requireRuntime(name, info));
        ContainerPolicyCheck.managed(
                        policy,
                        ContainerNetwork.obstacle(report.engine(), Optional.of(info), runtime),
                        runtime,
                        info.limits())
                .require();
        new ImageStore(report.engine(), progress).require(image, mayPull, signal);
        return info;
    }

    private static void requireRuntime(String name, EngineInfo info) {
        Set<String> names = info.runtimes()
                .orElseThrow(() -> unavailable(
                        "the engine does not list its runtimes, so '" + name + "' cannot be relied on",
                        "Omit the runtime setting, or see what docker info, or podman info, lists."));
        if (!names.contains(name)) {
            throw unavailable(
                    "the engine has no runtime '" + name + "', only " + names,
                    name.equals("runsc")
                            ? "Install gVisor and register it: sudo runsc install, then restart the engine."
                            : name.startsWith("kata")
                                    ? "Install Kata Containers and register it under this name in"
                                            + " /etc/docker/daemon.json, then restart the engine."
                                    : "Register it in /etc/docker/daemon.json, then restart the engine.");
        }
    }

    private static SandboxUnavailableException unavailable(String reason, String remedy) {
        return new SandboxUnavailableException(Engine.BACKEND, new Availability.Unusable(reason, remedy));
    }
}
