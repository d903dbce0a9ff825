package dev.paddock.executor.remote.custom;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.process.warm.WarmPool;
import dev.paddock.executor.remote.command.RemoteCommands;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Runs commands on a remote system, over channels that the author of an executor opens: remote shells start, watch and
 * kill the commands. The system must run Linux and have {@code sh}; nothing is installed there.
 *
 * <p>Commands get no terminal. Files are not synchronized; a directory that both sides have can be {@linkplain
 * Builder#sharedDirectory declared}. If a channel ends, the shell behind it must see the end of its input: it then
 * kills its command, as it does when this JVM dies (C12).
 *
 * @since 0.1
 */
public final class ChannelExecutor implements CommandExecutor {
    private final ConnectedProvider source;
    private final RemoteCommands commands;
    private volatile boolean disposed;

    private ChannelExecutor(ConnectedProvider source) {
        this.source = source;
        this.commands = new RemoteCommands(source);
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param name the executor's name, for its exceptions; not blank
     * @param connect opens a connection at the first command and after each loss, on the thread that spawns a command;
     *     throws {@link dev.paddock.executor.SandboxUnavailableException} if the remote system cannot be reached. The
     *     executor closes the connection
     * @return the builder
     * @throws IllegalArgumentException if the name is blank
     */
    public static Builder builder(String name, Supplier<? extends RemoteConnection> connect) {
        return new Builder(name, connect);
    }

    @Override
    public String name() {
        return source.backend();
    }

    @Override
    public Set<Guarantee> guarantees() {
        return source.guarantees();
    }

    @Override
    public Set<CommandShell> shells() {
        return RemoteCommands.SHELLS;
    }

    @Override
    public Optional<PathMapping> worktree() {
        return source.worktree();
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        options.refuseTerminal(name());
        options.refusePublishing(
                name(), "only its channels reach the system where its commands run; leave the option out");
        return commands.spawn(command, options);
    }

    @Override
    public void dispose() {
        disposed = true;
        commands.dispose();
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }

    /**
     * Collects the options of an executor. Not thread-safe.
     *
     * <p>Defaults: messages call the remote system {@code the remote system 'NAME'}; no variables, no guarantees, no
     * shared directory; two warm slots.
     */
    public static final class Builder {
        private final String name;
        private final Supplier<? extends RemoteConnection> connect;
        private final Map<String, String> environment = new TreeMap<>();
        private final Set<Guarantee> guarantees = EnumSet.noneOf(Guarantee.class);
        private Optional<PathMapping> shared = Optional.empty();
        private String remoteName;
        private int warmSlots = 2;

        private Builder(String name, Supplier<? extends RemoteConnection> connect) {
            if (name.isBlank()) {
                throw new IllegalArgumentException("the name of an executor must not be blank");
            }
            this.name = name;
            this.connect = connect;
            this.remoteName = "the remote system '" + name + "'";
        }

        /**
         * Sets the name of the remote system in messages.
         *
         * @param value a noun phrase that names the remote system, as in {@code the host 'build'}
         * @return this builder
         */
        public Builder remoteName(String value) {
            remoteName = value;
            return this;
        }

        /**
         * Adds variables to every command's environment, overriding the remote system's.
         *
         * @param variables names and values
         * @return this builder
         */
        public Builder env(Map<String, String> variables) {
            environment.putAll(variables);
            return this;
        }

        /**
         * Declares a directory that both sides have, for instance on a network file system.
         *
         * @param value the host's path and the commands'
         * @return this builder
         */
        public Builder sharedDirectory(PathMapping value) {
            shared = Optional.of(value);
            return this;
        }

        /**
         * Claims guarantees that the remote system gives, whatever a command does; the executor adds none. The contract
         * suite tests those that it can.
         *
         * @param values without {@link Guarantee#TERMINAL}
         * @return this builder
         * @throws IllegalArgumentException if the terminal is among them
         */
        public Builder guarantees(Set<Guarantee> values) {
            if (values.contains(Guarantee.TERMINAL)) {
                throw new IllegalArgumentException("an executor over channels gives no terminals; leave out TERMINAL");
            }
            guarantees.addAll(values);
            return this;
        }

        /**
         * Sets how many shells wait for a command.
         *
         * @param value 0 or more
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder warmSlots(int value) {
            warmSlots = WarmPool.Settings.requireSize(value);
            return this;
        }

        /**
         * Builds the executor; the first command connects it.
         *
         * @return the executor; the caller disposes of it
         */
        public ChannelExecutor build() {
            return new ChannelExecutor(new ConnectedProvider(new ConnectedProvider.Settings(
                    name, remoteName, connect, Map.copyOf(environment), Set.copyOf(guarantees), shared, warmSlots)));
        }
    }
}
