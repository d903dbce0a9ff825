package dev.paddock.harness.tools.hint;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Recognizes a build that lacks a dependency, or may not write the user's cache, and names the option for it. */
final class CacheHints {
    private static final Pattern REFUSED = Pattern.compile(
            "(?i)permission denied|read-only file system|operation not permitted|AccessDeniedException|\\b(?:EACCES|EROFS|EPERM)\\b");

    /**
     * A build tool with a cache.
     *
     * @param kind the cache's name in options
     * @param path matches the paths of the user's own cache
     * @param lacking the messages of a build that neither has nor reaches a dependency
     */
    private record Tool(String kind, Pattern path, Pattern lacking) {
        Tool(String kind, String path, String lacking) {
            this(kind, Pattern.compile(path), Pattern.compile(lacking));
        }
    }

    private static final List<Tool> TOOLS = List.of(
            new Tool(
                    "maven",
                    "/\\.m2\\b",
                    "in offline mode and the artifact|Could not transfer artifact|No plugin found for prefix"
                            + "|Failed to fetch \\S+/apache-maven"),
            new Tool("npm", "/\\.npm\\b", "\\bENOTCACHED\\b|npm (?:error|ERR!) request to \\S+ failed"),
            new Tool("pip", "/\\.cache/pip\\b", "No matching distribution found for"),
            new Tool(
                    "cargo",
                    "/\\.cargo/(?:registry|git)\\b",
                    "you're using offline mode|failed to download from `|failed to get `.{1,100}` as a dependency"),
            new Tool(
                    "gradle",
                    "/\\.gradle\\b",
                    "available for offline mode|Could not (?:GET|HEAD) '|could not resolve plugin artifact"
                            + "|UnknownHostException: services\\.gradle\\.org"),
            new Tool(
                    "sbt",
                    "/\\.(?:sbt|ivy2)\\b|/coursier/v1\\b",
                    "lmcoursier\\.|coursier\\.error\\.|could not retrieve sbt|Error downloading \\S+:\\S+:\\S"),
            new Tool(
                    "go",
                    "/go/pkg/mod\\b|/\\.cache/go-build\\b",
                    "module lookup disabled by GOPROXY=off|dial tcp: lookup proxy\\.golang\\.org"));

    private final SandboxPolicy policy;

    CacheHints(SandboxPolicy policy) {
        this.policy = policy;
    }

    /** Returns the hint for the end of a failed command's output; empty if no option helps. */
    Optional<String> after(String output) {
        Optional<Tool> refused = refused(output);
        if (refused.isPresent()) {
            return refused.map(
                    tool -> "the user's own " + tool.kind() + " cache cannot be written here. " + remedy(tool));
        }
        if (policy.network() instanceof NetworkPolicy.Open) {
            return Optional.empty();
        }
        return TOOLS.stream()
                .filter(tool -> tool.lacking().matcher(output).find() && !isGranted(tool.kind() + "-from-home"))
                .findFirst()
                .map(tool -> isGranted(tool.kind())
                        ? "this worktree's " + tool.kind()
                                + " cache does not have it. The user can fill it by one run with"
                                + " --network open, or have one that begins as a copy of the user's: --cache-from-home."
                        : "commands do not see the user's own " + tool.kind() + " cache. " + remedy(tool));
    }

    private static String remedy(Tool tool) {
        return "The user can give this worktree one with --cache " + tool.kind() + ", or caches: [" + tool.kind()
                + "] in paddock.yaml; with --cache-from-home it begins as a copy of the user's.";
    }

    private boolean isGranted(String cache) {
        return policy.mounts().stream()
                .anyMatch(mount -> mount.access() == Mount.Access.READ_WRITE
                        && mount.source().endsWith(cache));
    }

    private static Optional<Tool> refused(String output) {
        List<String> lines =
                output.lines().filter(line -> REFUSED.matcher(line).find()).toList();
        return TOOLS.stream()
                .filter(tool -> lines.stream()
                        .anyMatch(line -> tool.path().matcher(line).find()))
                .findFirst();
    }
}
