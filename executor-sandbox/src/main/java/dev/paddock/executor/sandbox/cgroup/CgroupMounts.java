package dev.paddock.executor.sandbox.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The directories of this process's own cgroup in each mounted cgroup hierarchy.
 *
 * @param own the directory of the process's own cgroup, by controller; version 2 has the empty name
 * @param tops the hierarchies' mount points, by the same names
 */
record CgroupMounts(Map<String, Path> own, Map<String, Path> tops) {
    private static final String UNIFIED = "";

    static CgroupMounts read(Path proc) throws IOException {
        Map<String, String> groups = new HashMap<>();
        for (String line : Files.readAllLines(proc.resolve("self/cgroup"))) {
            String[] parts = line.split(":", 3); // 4:memory:/some/group, and 0::/some/group for version 2
            if (parts.length == 3) {
                for (String controller : parts[1].split(",", -1)) {
                    groups.put(controller, parts[2]);
                }
            }
        }
        Map<String, Path> own = new HashMap<>();
        Map<String, Path> tops = new HashMap<>();
        for (String line : Files.readAllLines(proc.resolve("self/mountinfo"))) {
            String[] halves = line.split(" - ", 2); // 35 31 0:32 /root /mount/point options - type source options
            if (halves.length < 2) {
                continue;
            }
            String[] mount = halves[0].split(" ", -1);
            String[] kind = halves[1].split(" ", -1);
            for (String controller : controllers(kind)) {
                String group = groups.get(controller);
                if (group != null && !tops.containsKey(controller)) {
                    Path top = Path.of(mount[4]);
                    tops.put(controller, top);
                    own.put(controller, below(top, mount[3], group));
                }
            }
        }
        return new CgroupMounts(own, tops);
    }

    private static List<String> controllers(String[] kind) {
        return switch (kind[0]) {
            case "cgroup2" -> List.of(UNIFIED);
            case "cgroup" -> List.of(kind[kind.length - 1].split(",", -1));
            default -> List.of();
        };
    }

    /**
     * Resolves a cgroup below a mount point. A container mounts only its part of the hierarchy, but the kernel names
     * the cgroup from the root of the whole one.
     */
    private static Path below(Path top, String mountedRoot, String group) {
        String inside = !mountedRoot.equals("/") && group.startsWith(mountedRoot)
                ? group.substring(mountedRoot.length())
                : group;
        Path own = top.resolve(inside.replaceFirst("^/+", "")).normalize();
        return own.startsWith(top) ? own : top;
    }

    /** Returns the process's own cgroup of a version 1 controller. */
    Optional<Path> version1(String controller) {
        return Optional.ofNullable(own.get(controller));
    }

    /** Returns the process's own cgroup in version 2 and its ancestors, nearest first. */
    List<Path> version2() {
        List<Path> chain = new ArrayList<>();
        Path top = tops.get(UNIFIED);
        Path group = own.get(UNIFIED);
        while (top != null && group != null && group.startsWith(top)) {
            chain.add(group);
            group = group.getParent();
        }
        return chain;
    }
}
