package dev.paddock.harness.workspace.directory;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.support.StrictJson;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Describes a workspace; stored in its directory, out of reach of commands. A reference names a record and proves by
 * the nonce that it means this one; the grants of commands are read from here.
 *
 * @param id the directory's name
 * @param nonce a random text that references contain too
 * @param created when it was opened
 * @param config its configuration, without a source
 * @param borrowed directories with objects of repositories that those in the workspace refer to
 */
record WorkspaceRecord(String id, String nonce, Instant created, WorkspaceConfig config, List<Path> borrowed) {
    private static final int SCHEMA = 1;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Set<String> FIELDS = Set.of(
            "schemaVersion",
            "kind",
            "id",
            "nonce",
            "created",
            "capabilities",
            "network",
            "limits",
            "mounts",
            "settings",
            "borrowed");
    private static final Set<String> MOUNT = Set.of("source", "target", "access");

    WorkspaceRecord {
        borrowed = List.copyOf(borrowed);
    }

    /** Returns a record for a new workspace. */
    static WorkspaceRecord create(WorkspaceConfig config, List<Path> borrowed) {
        WorkspaceConfig kept = withoutSource(
                config.kind(),
                config.capabilities(),
                config.network(),
                config.limits(),
                config.mounts(),
                config.settings());
        return new WorkspaceRecord(random(), random(), Instant.now(), kept, borrowed);
    }

    private static WorkspaceConfig withoutSource(
            String kind,
            Set<Capability> capabilities,
            Optional<NetworkPolicy> network,
            ResourceLimits limits,
            List<Mount> mounts,
            Map<String, String> settings) {
        WorkspaceConfig.Builder config = WorkspaceConfig.of(kind)
                .capabilities(capabilities.toArray(Capability[]::new))
                .limits(limits);
        network.ifPresent(config::network);
        mounts.forEach(config::mount);
        settings.forEach(config::setting);
        return config.build();
    }

    /** Returns 26 letters and digits: 128 random bits. */
    private static String random() {
        String digits = new BigInteger(128, RANDOM).toString(32);
        return "0".repeat(26 - digits.length()) + digits;
    }

    WorkspaceRecord withBorrowed(List<Path> paths) {
        return new WorkspaceRecord(id, nonce, created, config, paths);
    }

    String toJson() {
        ObjectNode node = StrictJson.object()
                .put("schemaVersion", SCHEMA)
                .put("kind", config.kind())
                .put("id", id)
                .put("nonce", nonce)
                .put("created", created.toString())
                .put("network", config.network().map(NetworkPolicy::text).orElse("default"));
        ArrayNode words = node.putArray("capabilities");
        config.capabilities().stream().sorted().forEach(capability -> words.add(capability.word()));
        limits(config.limits()).forEach(node.putObject("limits")::put);
        ArrayNode mounts = node.putArray("mounts");
        for (Mount mount : config.mounts()) {
            mounts.addObject()
                    .put("source", PathBytes.of(mount.source()))
                    .put("target", mount.target())
                    .put("access", mount.access().name());
        }
        config.settings().forEach(node.putObject("settings")::put);
        ArrayNode lent = node.putArray("borrowed");
        borrowed.forEach(path -> lent.add(PathBytes.of(path)));
        return node.toString();
    }

    private static Map<String, String> limits(ResourceLimits limits) {
        Map<String, String> set = new LinkedHashMap<>();
        limits.memoryBytes().ifPresent(bytes -> set.put("memory", Long.toString(bytes)));
        limits.cpus().ifPresent(cpus -> set.put("cpus", Double.toString(cpus)));
        limits.processes().ifPresent(most -> set.put("processes", Integer.toString(most)));
        limits.fileSizeBytes().ifPresent(bytes -> set.put("fileSize", Long.toString(bytes)));
        set.put("demand", limits.demand().name());
        return set;
    }

    /**
     * Parses a record.
     *
     * @throws IllegalArgumentException if the text is no record, or a mount's source has been replaced since
     */
    static WorkspaceRecord parse(String json) {
        StrictJson read = StrictJson.parse(json, "the workspace's record", FIELDS);
        if (read.number("schemaVersion") != SCHEMA) {
            throw new IllegalArgumentException("the workspace's record was written by another version of Paddock");
        }
        WorkspaceConfig config = withoutSource(
                read.text("kind"),
                Set.copyOf(read.list("capabilities", Capability::parse)),
                Optional.of(read.text("network"))
                        .filter(word -> !word.equals("default"))
                        .map(NetworkPolicy::parse),
                limits(read),
                read.objects("mounts", MOUNT).stream()
                        .map(WorkspaceRecord::mount)
                        .toList(),
                read.texts("settings"));
        return new WorkspaceRecord(
                read.text("id"),
                read.text("nonce"),
                Instant.parse(read.text("created")),
                config,
                read.list("borrowed", WorkspaceRecord::path));
    }

    private static ResourceLimits limits(StrictJson read) {
        Map<String, String> set = read.texts("limits");
        ResourceLimits limits = ResourceLimits.none().withDemand(Enforcement.valueOf(set.getOrDefault("demand", "")));
        if (set.containsKey("memory")) {
            limits = limits.withMemory(Long.parseLong(set.get("memory")));
        }
        if (set.containsKey("cpus")) {
            limits = limits.withCpus(Double.parseDouble(set.get("cpus")));
        }
        if (set.containsKey("processes")) {
            limits = limits.withProcesses(Integer.parseInt(set.get("processes")));
        }
        return set.containsKey("fileSize") ? limits.withFileSize(Long.parseLong(set.get("fileSize"))) : limits;
    }

    private static Mount mount(StrictJson read) {
        Path source = path(read.text("source"));
        Mount mount = new Mount(source, read.text("target"), Mount.Access.valueOf(read.text("access")));
        if (!mount.source().equals(source)) {
            throw new IllegalArgumentException("the mount's source '" + source + "' has become a link to '"
                    + mount.source() + "'; remove the link");
        }
        return mount;
    }

    private static Path path(String bytes) {
        return PathBytes.path(bytes)
                .filter(Path::isAbsolute)
                .orElseThrow(() -> new IllegalArgumentException("not an absolute path: '" + bytes + "'"));
    }

    /** Returns the paths of two lists without duplicates. */
    static List<Path> union(List<Path> some, List<Path> more) {
        List<Path> all = new ArrayList<>(some);
        more.stream().filter(path -> !all.contains(path)).forEach(all::add);
        return all;
    }
}
