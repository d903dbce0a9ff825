package dev.paddock.executor.docker.container;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Further container options in the docker command's syntax, {@code --name=value} or {@code --name value}. Accepts only
 * the options listed here, none of which could loosen the sandbox, and refuses every other by name.
 *
 * @param network the network of a container with an open network
 * @param tmp the options of {@code /tmp}, a tmpfs
 * @param writableRoot whether commands can change the image's files, in the container's own layer
 */
public record ExtraOptions(List<Option> options, Optional<String> network, String tmp, boolean writableRoot) {
    private static final Pattern NETWORK = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");

    /** Names that do not denote a user-defined network. */
    private static final Set<String> NO_NETWORKS = Set.of("host", "none", "default");

    public record Option(String name, String value) {}

    private interface Effect {
        void apply(ObjectNode request, ObjectNode host, String value);
    }

    private static final Set<String> FLAGS = Set.of("read-only");

    private static final String LABEL_PREFIX = "dev.paddock.";

    private static final Map<String, Effect> EFFECTS = effects();

    public ExtraOptions {
        options = List.copyOf(options);
    }

    public static ExtraOptions none() {
        return new ExtraOptions(List.of(), Optional.empty(), ContainerSpec.TMPFS, false);
    }

    /**
     * Returns a valid network name of the engine.
     *
     * @throws IllegalArgumentException if it cannot be one, or is the host's
     */
    public static String requireNetwork(String name) {
        if (!NETWORK.matcher(name).matches() || NO_NETWORKS.contains(name)) {
            throw new IllegalArgumentException("not a network that a container can be connected to: '" + name
                    + "'; name one that docker network ls shows, and not the host's");
        }
        return name;
    }

    public ExtraOptions withNetwork(Optional<String> name) {
        return new ExtraOptions(options, name, tmp, writableRoot);
    }

    public ExtraOptions withTmp(long bytes, boolean exec) {
        return new ExtraOptions(options, network, ContainerSpec.tmpfs(bytes, exec), writableRoot);
    }

    public ExtraOptions withWritableRoot(boolean writable) {
        return new ExtraOptions(options, network, tmp, writable);
    }

    /**
     * Parses options.
     *
     * @throws IllegalArgumentException for a word that is no option, an option that is not allowed, or an invalid
     *     value; the message names it
     */
    public static ExtraOptions parse(List<String> words) {
        List<Option> options = new ArrayList<>();
        for (int index = 0; index < words.size(); index++) {
            String word = words.get(index);
            String name = nameOf(word);
            int equals = word.indexOf('=');
            if (equals >= 0) {
                options.add(option(name, word.substring(equals + 1)));
            } else if (FLAGS.contains(name)) {
                options.add(option(name, "true"));
            } else if (index + 1 < words.size() && !words.get(index + 1).startsWith("-")) {
                options.add(option(name, words.get(++index)));
            } else {
                throw new IllegalArgumentException("the container option '" + word + "' has no value");
            }
        }
        return new ExtraOptions(options, Optional.empty(), ContainerSpec.TMPFS, false);
    }

    private static String nameOf(String word) {
        if (word.equals("-l") || word.startsWith("-l=")) {
            return "label";
        }
        if (!word.startsWith("--") || word.length() == 2) {
            throw new IllegalArgumentException("'" + word + "' is no container option: write --name=value");
        }
        int equals = word.indexOf('=');
        String name = word.substring(2, equals < 0 ? word.length() : equals);
        if (!EFFECTS.containsKey(name)) {
            throw new IllegalArgumentException("the container option '--" + name + "' is not allowed; allowed are "
                    + new TreeSet<>(EFFECTS.keySet()));
        }
        return name;
    }

    private static Option option(String name, String value) {
        if (value.isEmpty() || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the container option '--" + name + "' has no value");
        }
        if (name.equals("label") && value.startsWith(LABEL_PREFIX)) {
            throw new IllegalArgumentException("labels below " + LABEL_PREFIX + " are Paddock's own: '" + value + "'");
        }
        if (name.equals("read-only") && !value.equals("true")) {
            throw new IllegalArgumentException("the root file system stays read-only: '--read-only=" + value + "'");
        }
        return new Option(name, value);
    }

    private static Map<String, Effect> effects() {
        Map<String, Effect> effects = new LinkedHashMap<>();
        effects.put("ulimit", (request, host, value) -> ulimit(host, value));
        effects.put("memory-swap", (request, host, value) -> host.put("MemorySwap", bytes(value)));
        effects.put("memory-reservation", (request, host, value) -> host.put("MemoryReservation", bytes(value)));
        effects.put("memory-swappiness", (request, host, value) -> host.put("MemorySwappiness", number(value, 0, 100)));
        effects.put("cpu-shares", (request, host, value) -> host.put("CpuShares", number(value, 2, 262_144)));
        effects.put("cpu-period", (request, host, value) -> host.put("CpuPeriod", number(value, 1000, 1_000_000)));
        effects.put("cpu-quota", (request, host, value) -> host.put("CpuQuota", number(value, 1000, Long.MAX_VALUE)));
        effects.put("cpus", (request, host, value) -> host.put("NanoCpus", Math.round(decimal(value) * 1e9)));
        effects.put("cpuset-cpus", (request, host, value) -> host.put("CpusetCpus", cpuList(value)));
        effects.put("cpuset-mems", (request, host, value) -> host.put("CpusetMems", cpuList(value)));
        effects.put("pids-limit", (request, host, value) -> host.put("PidsLimit", number(value, 1, 4_194_304)));
        effects.put("shm-size", (request, host, value) -> host.put("ShmSize", bytes(value)));
        effects.put("oom-score-adj", (request, host, value) -> host.put("OomScoreAdj", number(value, 0, 1000)));
        effects.put("stop-signal", (request, host, value) -> request.put("StopSignal", value));
        effects.put("stop-timeout", (request, host, value) -> request.put("StopTimeout", number(value, 0, 3600)));
        effects.put("label", (request, host, value) -> label(request, value));
        effects.put("read-only", (request, host, value) -> host.put("ReadonlyRootfs", true));
        effects.put("tmpfs", (request, host, value) -> tmpfs(host, value));
        return Map.copyOf(effects);
    }

    void applyTo(ObjectNode request) {
        ObjectNode host = request.withObjectProperty(ContainerSpec.HOST);
        for (Option option : options) {
            Effect effect = EFFECTS.get(option.name());
            if (effect != null) {
                try {
                    effect.apply(request, host, option.value());
                } catch (NumberFormatException fault) {
                    throw new IllegalArgumentException(
                            "not a number: '--" + option.name() + "=" + option.value() + "'", fault);
                }
            }
        }
    }

    /** Refuses a tmpfs mount over the worktree, which would show commands an empty directory. */
    void requireNoTmpfsOver(SandboxPolicy policy) {
        for (Option option : options) {
            if (option.name().equals("tmpfs")) {
                String target = target(option.value());
                List<String> taken = new ArrayList<>(List.of("/tmp", ContainerSpec.HOME));
                taken.add(policy.worktree().commandPath());
                policy.mounts().forEach(mount -> taken.add(mount.target()));
                for (String path : taken) {
                    boolean inWorktree = path.equals(policy.worktree().commandPath()) && covers(path, target);
                    if (inWorktree || covers(target, path)) {
                        throw new IllegalArgumentException(
                                "--tmpfs " + target + " would cover " + path + ", which the sandbox has already");
                    }
                }
            }
        }
    }

    private static boolean covers(String upper, String lower) {
        return upper.equals("/") || lower.equals(upper) || lower.startsWith(upper + "/");
    }

    private static String target(String value) {
        int colon = value.indexOf(':');
        String target = colon < 0 ? value : value.substring(0, colon);
        if (!target.startsWith("/") || List.of(target.split("/", -1)).contains("..")) {
            throw new IllegalArgumentException("--tmpfs needs an absolute path without '..', not '" + value + "'");
        }
        return target.length() > 1 && target.endsWith("/") ? target.substring(0, target.length() - 1) : target;
    }

    private static void tmpfs(ObjectNode host, String value) {
        int colon = value.indexOf(':');
        String settings = (colon < 0 ? "" : value.substring(colon + 1) + ",") + "nosuid,nodev";
        host.withObjectProperty("Tmpfs").put(target(value), settings);
    }

    private static void label(ObjectNode request, String value) {
        int equals = value.indexOf('=');
        String name = equals < 0 ? value : value.substring(0, equals);
        request.withObjectProperty("Labels").put(name, equals < 0 ? "" : value.substring(equals + 1));
    }

    private static void ulimit(ObjectNode host, String value) {
        int equals = value.indexOf('=');
        if (equals <= 0) {
            throw new IllegalArgumentException("--ulimit needs name=soft[:hard], not '" + value + "'");
        }
        String[] limits = value.substring(equals + 1).split(":", 2);
        long soft = number(limits[0], -1, Long.MAX_VALUE);
        long hard = limits.length == 2 ? number(limits[1], -1, Long.MAX_VALUE) : soft;
        host.withArrayProperty("Ulimits")
                .addObject()
                .put("Name", value.substring(0, equals))
                .put("Soft", soft)
                .put("Hard", hard);
    }

    private static long bytes(String value) {
        return ResourceLimits.parseBytes(value);
    }

    private static long number(String value, long least, long most) {
        long number = Long.parseLong(value);
        if (number < least || number > most) {
            throw new IllegalArgumentException("not within " + least + " to " + most + ": '" + value + "'");
        }
        return number;
    }

    private static double decimal(String value) {
        double number = Double.parseDouble(value);
        if (!(number > 0 && number <= 1 << 20)) {
            throw new IllegalArgumentException("not a number of processors: '" + value + "'");
        }
        return number;
    }

    private static String cpuList(String value) {
        if (!value.matches("\\d+(-\\d+)?(,\\d+(-\\d+)?)*")) {
            throw new IllegalArgumentException("not a list of numbers and ranges: '" + value + "'");
        }
        return value;
    }
}
