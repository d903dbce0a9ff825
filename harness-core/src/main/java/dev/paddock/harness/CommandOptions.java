package dev.paddock.harness;

import dev.paddock.executor.CommandShell;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.harness.tools.command.AllowList;
import dev.paddock.harness.tools.command.CommandLimits;
import dev.paddock.harness.tools.output.Captured;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Collects the options of {@link AgentSessionBuilder} and {@link ToolboxBuilder} that say which commands
 * run, how, and within which limits.
 */
abstract sealed class CommandOptions<B extends CommandOptions<B>> extends ToolOptions<B> permits SiteOptions {
    static final Duration MAX_TIME = Duration.ofDays(7);
    static final long MAX_LOG_BYTES = 2L << 30;

    EnvironmentPolicy environment = EnvironmentPolicy.empty();
    Optional<AllowList> allowedCommands = Optional.empty();
    CommandShell shell = CommandShell.BASH_IF_PRESENT;
    boolean keepDirectory;
    long maxLogBytes = MAX_LOG_BYTES;
    int maxBackgroundShells = 32;
    final List<PublishedPort> ports = new ArrayList<>();
    private Duration commandTimeout = Duration.ofMinutes(2);
    private Duration maxCommandTimeout = Duration.ofMinutes(10);
    private Duration killGrace = SpawnOptions.DEFAULT_KILL_GRACE;
    private int maxOutput = Captured.MAX_OUTPUT;

    CommandOptions() {}

    /**
     * Sets variables that every command gets, with any executor. A variable whose name looks like a credential must be
     * {@linkplain EnvironmentPolicy#forcing forced}. Variables that make programs run other code are never passed on
     * from the host, and are rejected with {@code allowedCommands}. The host's {@code PATH}, {@code HOME} and
     * {@code TMPDIR} are not passed on either.
     *
     * @param value variables, and names of host variables, whose values are read when building; empty by default
     */
    public B environment(EnvironmentPolicy value) {
        environment = value;
        return self();
    }

    /**
     * Restricts commands to an allow list: a command must be one of these programs with plain arguments, on one line,
     * without operators, expansions and assignments. Any other command is refused before it reaches the executor. By
     * default all commands are allowed.
     *
     * <p>The list is not a security boundary, the sandbox is: many programs can start other programs.
     *
     * @param value program names as commands begin with them; a name with a {@code /} allows exactly that path; an
     *     empty collection denies every command
     * @throws IllegalArgumentException if an element is not a program's name
     */
    public B allowedCommands(Collection<String> value) {
        allowedCommands = Optional.of(new AllowList(value));
        return self();
    }

    /**
     * Sets the shell that runs the model's commands. The tool's description names it.
     *
     * @param value the shell; by default bash where the sandbox has one, otherwise the executor's own
     */
    public B shell(CommandShell value) {
        shell = value;
        return self();
    }

    /**
     * Starts each command in the directory in which the last foreground command ended, if that is a directory of the
     * worktree. Variables and functions are not kept. Of concurrent commands, the last to end outside its start
     * directory decides. A command that replaces its shell ({@code exec}) or sets an exit trap does not change the
     * directory.
     *
     * @param value false by default: each command starts in the session's directory
     */
    public B keepDirectory(boolean value) {
        keepDirectory = value;
        return self();
    }

    /**
     * Sets the timeout of commands for which the model names none.
     *
     * @param value more than zero, at most 7 days; 120 seconds by default
     * @throws IllegalArgumentException if it is out of range
     */
    public B commandTimeout(Duration value) {
        commandTimeout = requireTimeout("commandTimeout", value);
        return self();
    }

    /**
     * Sets the longest timeout that the model may name.
     *
     * @param value more than zero, at most 7 days, not less than {@code commandTimeout}; 600 seconds by default
     * @throws IllegalArgumentException if it is out of range
     */
    public B maxCommandTimeout(Duration value) {
        maxCommandTimeout = requireTimeout("maxCommandTimeout", value);
        return self();
    }

    private static Duration requireTimeout(String name, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(MAX_TIME) > 0) {
            throw new IllegalArgumentException(name + " is not more than 0 and at most 7 days: " + value);
        }
        return value;
    }

    /**
     * Sets the kill grace: the time between SIGTERM and SIGKILL when a command's process tree is terminated.
     *
     * @param value zero (SIGKILL at once) to {@link SpawnOptions#MAX_KILL_GRACE}; 2 seconds by default
     * @throws IllegalArgumentException if it is out of range
     */
    public B killGrace(Duration value) {
        if (value.isNegative() || value.compareTo(SpawnOptions.MAX_KILL_GRACE) > 0) {
            throw new IllegalArgumentException(
                    "killGrace is not within 0 and " + SpawnOptions.MAX_KILL_GRACE.toSeconds() + " s: " + value);
        }
        killGrace = value;
        return self();
    }

    /**
     * Sets how many characters of a command's output a result contains, unless the call sets {@code max_output}. Of a
     * longer output the result contains the beginning and the end; the log contains all of it.
     *
     * @param value characters, 1 to 262,144; 262,144 by default, with which a result contains only the end of a longer
     *     output
     * @throws IllegalArgumentException if it is out of range
     */
    public B maxOutput(int value) {
        if (value < 1 || value > Captured.MAX_OUTPUT) {
            throw new IllegalArgumentException(
                    "maxOutput is not within 1 and " + Captured.MAX_OUTPUT + " characters: " + value);
        }
        maxOutput = value;
        return self();
    }

    /**
     * Sets the size limit of a command's log. Of longer output, the log keeps the beginning for a foreground command
     * and the end for a background shell. All logs of a session together take 4 GiB, or this limit if it is more, and
     * no log grows while less than 1 GiB, or a twentieth, of its disk is free.
     *
     * @param value bytes, 0 or more; 2 GiB by default
     * @throws IllegalArgumentException if it is negative
     */
    public B maxLogBytes(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("maxLogBytes is negative: " + value);
        }
        maxLogBytes = value;
        return self();
    }

    /**
     * Sets how many background shells may run at once.
     *
     * @param value 0 disables background shells, and with them the tools {@code bash_output}, {@code write_stdin} and
     *     {@code kill_shell}; 32 by default. Each uses one thread of the session and, while it runs, less than 64
     *     KiB of heap
     * @throws IllegalArgumentException if it is negative
     */
    public B maxBackgroundShells(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("maxBackgroundShells is negative: " + value);
        }
        maxBackgroundShells = value;
        return self();
    }

    /**
     * Sets the host port at which one port of a background shell is published. Other ports are published at free host
     * ports.
     */
    public B publish(PublishedPort value) {
        ports.add(value);
        return self();
    }

    final CommandLimits commandLimits() {
        if (commandTimeout.compareTo(maxCommandTimeout) > 0) {
            throw new IllegalArgumentException("commandTimeout, " + commandTimeout.toSeconds()
                    + " s, is more than maxCommandTimeout, " + maxCommandTimeout.toSeconds() + " s");
        }
        return new CommandLimits(commandTimeout, maxCommandTimeout, killGrace, maxOutput);
    }
}
