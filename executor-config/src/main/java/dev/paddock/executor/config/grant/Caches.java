package dev.paddock.executor.config.grant;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Caches of build tools that outlive a session, writable by commands. Each is a Paddock
 * directory below {@code $XDG_CACHE_HOME/paddock/caches}, never the user's: a program on the
 * host would run what a command has put there.
 *
 * @param kinds the tools
 * @param scope which sessions share a cache
 * @param fromHome whether a new cache starts as a copy of the user's, without settings and
 *     credentials; it is separate from the cache without a copy
 * @since 0.1
 */
public record Caches(Set<CacheKind> kinds, Scope scope, boolean fromHome) {
    private static final int HASH_BYTES = 8;

    /** Which sessions share a cache. */
    public enum Scope {
        /** Those of the same worktree. */
        WORKTREE,
        /** All sessions of the user: one project's commands can change what another's build uses. */
        USER
    }

    /** Creates the caches. */
    public Caches {
        kinds = Set.copyOf(kinds);
    }

    /**
     * Adds the caches to a policy, and creates those that do not exist.
     *
     * @param policy the policy
     * @param user the user whose caches are copied
     * @return the policy with a writable mount for each, and the variables that name it
     * @throws ExecutorException if a cache cannot be created
     * @throws IllegalArgumentException if the worktree or a mount contains the caches
     */
    public SandboxPolicy addTo(SandboxPolicy policy, UserContext user) {
        SandboxPolicy result = policy;
        Path worktree = policy.worktree().hostPath();
        for (CacheKind kind : new TreeSet<>(kinds)) {
            Path cache = directory(worktree, user).resolve(kind.word() + (fromHome ? "-from-home" : ""));
            try {
                new CacheDirectory(user.cacheHome()).make(cache, fromHome ? kind.seeds(user) : Map.of());
                result = add(kind, cache.toRealPath(), result);
            } catch (IOException fault) {
                throw new ExecutorException(
                        "the cache '" + cache + "' cannot be made: " + FileFaults.reason(fault)
                                + "; fix that, set XDG_CACHE_HOME to another directory, or leave the cache out",
                        fault);
            }
        }
        return result;
    }

    private static SandboxPolicy add(CacheKind kind, Path cache, SandboxPolicy policy) {
        if (cache.toString().chars().anyMatch(Character::isWhitespace)) {
            throw new ExecutorException("the cache '" + cache
                    + "' has a space in its path, which build tools cannot handle; set XDG_CACHE_HOME to another"
                    + " directory");
        }
        EnvironmentPolicy environment = policy.environment();
        for (Map.Entry<String, String> variable : kind.variables(cache).entrySet()) {
            String own = environment.variables().getOrDefault(variable.getKey(), "");
            // Options are lists of words; the user's options are kept.
            String value = variable.getKey().endsWith("_OPTS") && !own.isEmpty()
                    ? own + " " + variable.getValue()
                    : variable.getValue();
            environment = environment.with(variable.getKey(), value);
        }
        Grant mount = new Grant(List.of(new Mount(cache, cache.toString(), Mount.Access.READ_WRITE)), Map.of());
        return mount.addTo(policy.toBuilder().environment(environment).build());
    }

    private Path directory(Path worktree, UserContext user) {
        Path root = user.cacheHome().resolve("caches");
        return switch (scope) {
            case USER -> root.resolve("user");
            case WORKTREE -> root.resolve("worktree").resolve(hash(worktree));
        };
    }

    private static String hash(Path worktree) {
        try {
            byte[] path = worktree.toRealPath().toString().getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(path);
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (IOException | NoSuchAlgorithmException fault) {
            throw new ExecutorException(
                    "the worktree " + worktree + " cannot be opened (" + FileFaults.reason(fault) + ")", fault);
        }
    }

    /**
     * Returns the relative path of a user's caches in a directory that contains them.
     *
     * @param directory the directory
     * @param user the user
     * @return their path in the directory; empty if they are elsewhere, or are the directory
     */
    public static Optional<String> below(Path directory, UserContext user) {
        try {
            Path real = directory.toRealPath();
            Path root = user.cacheHome();
            Path known = Files.exists(root) ? root.toRealPath() : root;
            return known.startsWith(real) && !known.equals(real)
                    ? Optional.of(real.relativize(known).toString())
                    : Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /**
     * Returns whether a directory contains the caches of a user, or is in them. Commands that can write there could
     * change what another worktree's commands run.
     *
     * @param real the directory's real path
     * @param user the user
     * @return true if a writable mount of it is to be refused
     */
    public static boolean areReachedBy(Path real, UserContext user) {
        Path root = user.cacheHome();
        try {
            Path known = Files.exists(root) ? root.toRealPath() : root;
            return known.startsWith(real) || real.startsWith(known);
        } catch (IOException fault) {
            return true;
        }
    }
}
