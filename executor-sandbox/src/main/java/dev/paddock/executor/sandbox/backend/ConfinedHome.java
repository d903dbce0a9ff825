package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.sandbox.local.SandboxOptions;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Owns the home directory of commands that see the host's own paths, with its directory for temporary files, and a
 * sibling directory that no command can access.
 */
public final class ConfinedHome implements AutoCloseable {
    private static final String HOME = "home";

    private final PrivateState state;
    private final Path home;
    private final Path temporary;
    private final Path guard;

    private ConfinedHome(PrivateState state) throws IOException {
        this.state = state;
        home = state.makeDirectory(HOME);
        temporary = state.makeDirectory(HOME + "/tmp");
        guard = state.makeDirectory("guard");
    }

    /**
     * Creates a home.
     *
     * @param backend the backend's name
     * @return the home; the caller closes it
     * @throws IOException if it cannot be created; no part of it is left
     */
    public static ConfinedHome create(String backend) throws IOException {
        PrivateState state = PrivateState.create(backend);
        try {
            return new ConfinedHome(state);
        } catch (IOException fault) {
            state.close();
            throw fault;
        }
    }

    /**
     * Returns the base environment of every command with this home; the policy's variables and the command's own
     * override it.
     *
     * @param searchPath the value of {@code PATH}
     */
    public Map<String, String> environment(String searchPath) {
        Map<String, String> host = HostEnvironment.minimal();
        Map<String, String> env = new TreeMap<>();
        env.put("PATH", searchPath);
        env.put("LANG", host.getOrDefault("LANG", "C.UTF-8"));
        // A command with a terminal has TERM among its own variables.
        env.put("TERM", "dumb");
        // Java ignores TMPDIR and HOME, and the sandbox denies its defaults, /tmp and the account's home. The JVM
        // prints this variable on standard error; but options of a build tool would not reach the JVMs that it starts
        // for tests.
        env.put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary() + " -Duser.home=" + home());
        env.put("HOME", home().toString());
        env.put("TMPDIR", temporary().toString());
        env.putAll(ofTools(home().toString()));
        return env;
    }

    /**
     * Returns the variables that make tools write to the home what they, as root, would write to the system's
     * directories: RubyGems and Bundler, which still find the system's gems.
     *
     * @param home the commands' {@code HOME}
     */
    public static Map<String, String> ofTools(String home) {
        return Map.of("GEM_HOME", home + "/.gem");
    }

    /** {@return the real path of the commands' {@code HOME}} */
    public Path home() {
        return home;
    }

    /** {@return the commands' {@code TMPDIR}, in the home} */
    public Path temporary() {
        return temporary;
    }

    /**
     * Starts opening the guard of an executor's worktree, which reads the whole worktree.
     *
     * @param worktree its real path
     * @param options name the protected paths and the quarantine
     * @param parts own this home; they close the guard before it
     */
    public ExecutorParts.Begun<WorktreeGuard> guard(Path worktree, SandboxOptions options, ExecutorParts parts) {
        return parts.guard(worktree, options, guard);
    }

    /** Removes the home with all files in it, and logs files that cannot be removed. */
    @Override
    public void close() {
        state.close();
    }
}
