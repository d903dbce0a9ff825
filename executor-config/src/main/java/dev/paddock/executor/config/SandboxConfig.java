package dev.paddock.executor.config;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.Progress;
import dev.paddock.executor.config.grant.UserContext;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The grants of a sandbox and the backend that enforces them, from files, presets and a program's own settings in
 * layers: for each key, the highest layer that has it wins.
 *
 * <p>Defaults: the executor {@code auto}, the strongest usable sandbox and never the host; the network off, unless the
 * executor is the host; no mounts, no variables, no limits but the backend's.
 *
 * <p>Commands can write a file in the worktree. Such a file can only narrow what the other layers grant:
 * {@linkplain #policy policy} refuses one that widens it.
 *
 * <p>Immutable.
 *
 * @since 0.1
 */
public final class SandboxConfig {
    private static final SandboxConfig DEFAULTS = new SandboxConfig(List.of());

    /** The layers, the lowest first. */
    private final List<ConfigLayer> layers;

    private final ConfigLayer effective;
    private final Optional<UserContext> user;

    /** The backend chosen from a list. */
    private final Optional<ExecutorProvider> chosen;

    SandboxConfig(List<ConfigLayer> layers) {
        this(layers, Optional.empty(), Optional.empty());
    }

    private SandboxConfig(List<ConfigLayer> layers, Optional<UserContext> user, Optional<ExecutorProvider> chosen) {
        this.chosen = chosen;
        this.layers = List.copyOf(layers);
        this.effective = ConfigLayer.merge(layers);
        this.user = user;
    }

    /** {@return the configuration that sets nothing, the same value on each call} */
    public static SandboxConfig defaults() {
        return DEFAULTS;
    }

    /**
     * Reads a file, and the files and presets that it extends. Relative paths in a file begin at its
     * directory.
     *
     * @param yaml the file: UTF-8, 65,536 bytes at most
     * @return the configuration
     * @throws SandboxConfigException if the file does not exist, or is not a valid configuration;
     *     the message names the file, the line, the value and the remedy
     */
    public static SandboxConfig read(Path yaml) {
        return new SandboxConfig(Extends.read(yaml));
    }

    /**
     * Returns a configuration by its name.
     *
     * @param name {@code sandbox}, {@code untrusted}, {@code build}, {@code offline}, {@code open} or
     *     {@code development}
     * @return the configuration
     * @throws SandboxConfigException if there is none with this name
     */
    public static SandboxConfig preset(String name) {
        return new SandboxConfig(List.of(Presets.layer(name, Origin.PROGRAM)));
    }

    /** {@return a builder for a program's own settings, which sets nothing} */
    public static SandboxConfigBuilder builder() {
        return new SandboxConfigBuilder();
    }

    /** {@return the JSON Schema of the files} */
    public static String schema() {
        return ConfigSchema.json();
    }

    /**
     * Returns this configuration on top of another. Lists of a file replace those beneath it, maps are merged; a
     * program's own lists are added.
     *
     * @param base the configuration beneath
     * @return both
     */
    public SandboxConfig over(SandboxConfig base) {
        List<ConfigLayer> all = new ArrayList<>(base.layers);
        all.addAll(layers);
        return new SandboxConfig(all, user.or(() -> base.user), Optional.empty());
    }

    /**
     * Returns this configuration for a user other than the one who runs this program.
     *
     * @param environment the variables of the user whose toolchains, caches and identity are granted; {@code HOME}
     *     names the home directory, by default that of this program's account
     * @return the configuration
     */
    public SandboxConfig forUser(Map<String, String> environment) {
        return new SandboxConfig(layers, Optional.of(UserContext.of(environment)), chosen);
    }

    /**
     * {@return the backend's name; {@code auto}; or several names, separated by commas, of which the first usable one
     * is chosen}
     */
    public String executor() {
        return chosen.map(ExecutorProvider::name)
                .or(() -> effective.text(Key.EXECUTOR))
                .orElse(ExecutorProviders.AUTO);
    }

    /**
     * Chooses the first usable backend if there are several: its name and the settings that it has replace
     * those of the list. {@link #policy}, {@link #open} and {@link #check} do this themselves.
     *
     * @return a configuration with one backend, or {@code auto}
     * @throws SandboxConfigException if none of them has a setting
     * @throws dev.paddock.executor.SandboxUnavailableException if none is usable, or the check
     *     failed
     */
    public SandboxConfig resolved() {
        requireBackend();
        return executor().indexOf(',') < 0
                ? this
                : new SandboxConfig(
                        layers, user, Optional.of(refusing(() -> ExecutorProviders.choose(executor(), settings()))));
    }

    /**
     * {@return the backend that {@link #resolved} has chosen of several; empty if there were not several, or none has
     * been chosen}
     */
    public Optional<ExecutorProvider> chosen() {
        return chosen;
    }

    /** {@return the backend's own settings: {@code image}, {@code container} and the backend's own names; or none} */
    public Map<String, String> settings() {
        return new BackendSettings(effective).of(chosen);
    }

    /**
     * {@return the shell of a model's commands: bash where the sandbox has one, unless a layer sets it} Other commands
     * run in the executor's own.
     */
    public CommandShell shell() {
        return effective
                .text(Key.SHELL)
                .map(text -> text.equals(Values.BASH) ? CommandShell.BASH : CommandShell.OWN)
                .orElse(CommandShell.BASH_IF_PRESENT);
    }

    /**
     * Returns whether commands are to leave audit records. This module writes none: the program that reads the value
     * creates an audited executor.
     *
     * @return the value; empty if nothing sets it
     */
    public Optional<Auditing> auditing() {
        return effective.text(Key.AUDIT).map(Auditing::parse);
    }

    /**
     * Returns the MCP servers whose tools {@code paddock agent} offers. This module starts none.
     *
     * @param worktree the directory that commands work in
     * @return the servers, in the order of the configuration
     * @throws SandboxConfigException if a file in the worktree configures one
     */
    public List<McpServer> mcpServers(PathMapping worktree) {
        new ConfiguredPolicy(layers, effective, user()).requireNarrow(worktree);
        return List.copyOf(effective.named(McpServer.class).keySet());
    }

    /**
     * Returns the models that the user has named for {@code paddock agent}.
     *
     * @param worktree the directory that commands work in
     * @return the models, in the order of the configuration
     * @throws SandboxConfigException if a file in the worktree configures one
     */
    public List<ModelAlias> models(PathMapping worktree) {
        new ConfiguredPolicy(layers, effective, user()).requireNarrow(worktree);
        return List.copyOf(effective.named(ModelAlias.class).keySet());
    }

    /**
     * Returns the grants of the sandbox.
     *
     * @param worktree the existing directory that commands work in
     * @return the policy, whose environment names the host's variables to pass on
     * @throws SandboxConfigException if a file in the worktree widens a grant, or a mount's source does not exist or
     *     may not be mounted
     */
    public SandboxPolicy policy(PathMapping worktree) {
        SandboxPolicy policy = withoutUserGrants(worktree);
        SandboxConfig one = resolved();
        return one.withUserGrants(policy, one.executor(), one.settings());
    }

    /**
     * Returns the grants of the sandbox except the user's toolchains, identity and caches: for a persistent sandbox, to
     * which each use adds them.
     *
     * @param worktree the directory that commands work in; one that does not exist yet has no file
     * @return the policy, whose environment names the host's variables to pass on
     * @throws SandboxConfigException as {@link #policy} does
     */
    public SandboxPolicy withoutUserGrants(PathMapping worktree) {
        requireBackend();
        return new ConfiguredPolicy(layers, effective, user()).make(worktree, network());
    }

    /**
     * Adds the user's toolchains, identity and caches to an existing policy.
     *
     * @param policy the policy, whose worktree the caches belong to
     * @param executor the backend that enforces it, or {@code auto}
     * @return the policy with the grants
     * @throws SandboxConfigException if the executor cannot have the caches
     */
    public SandboxPolicy withUserGrants(SandboxPolicy policy, String executor) {
        return withUserGrants(policy, executor, Map.of());
    }

    private SandboxPolicy withUserGrants(SandboxPolicy policy, String executor, Map<String, String> settings) {
        try {
            return new UserGrants(effective, executor, settings, user()).addTo(policy);
        } catch (IllegalArgumentException refused) {
            throw SandboxConfigException.at(effective.origin(Key.MOUNTS), String.valueOf(refused.getMessage()));
        }
    }

    /**
     * Opens the executor, with {@linkplain #policy the policy} of a worktree.
     *
     * @param worktree the directory that commands work in
     * @param progress receives the progress of long preparations, on any thread
     * @return the executor; the caller disposes of it
     * @throws SandboxConfigException if the configuration is refused for this worktree, or requires
     *     audit records, which this method does not write
     * @throws dev.paddock.executor.SandboxUnavailableException if the sandbox is not available
     * @throws dev.paddock.executor.UnsupportedPolicyException if the backend cannot enforce the
     *     policy
     */
    public CommandExecutor open(PathMapping worktree, Consumer<Progress> progress) {
        if (auditing().equals(Optional.of(Auditing.REQUIRED))) {
            throw SandboxConfigException.at(
                    effective.origin(Key.AUDIT),
                    "audit is required, and this program writes no records; run commands by the paddock command, or"
                            + " have the program make an audited executor");
        }
        requireBackend();
        SandboxConfig one = resolved();
        return one.open(one.policy(worktree), progress);
    }

    /** Opens the executor for a policy of this configuration. */
    CommandExecutor open(SandboxPolicy policy, Consumer<Progress> progress) {
        ExecutorOptions options =
                ExecutorOptions.of(policy).settings(settings()).onProgress(progress);
        return refusing(
                () -> chosen.isPresent() ? chosen.get().create(options) : ExecutorProviders.open(executor(), options));
    }

    /** Probes the backend with a policy of this configuration. */
    Availability probe(SandboxPolicy policy) {
        return refusing(() -> ExecutorProviders.probe(executor(), policy, settings()));
    }

    private <T> T refusing(Supplier<T> action) {
        try {
            return action.get();
        } catch (IllegalArgumentException refused) {
            throw SandboxConfigException.at(effective.origin(Key.EXECUTOR), String.valueOf(refused.getMessage()));
        }
    }

    /**
     * Tests the configuration by using it: opens the backend, which may fetch an image, runs a command, and tests each
     * limit that is set with a command that exceeds it. Takes some seconds.
     *
     * @param worktree the directory that commands would work in
     * @param progress receives the progress of long preparations, on any thread
     * @return one finding per check, at least one; an error ends the checks that depend on it
     */
    public List<Finding> check(PathMapping worktree, Consumer<Progress> progress) {
        return Preflight.check(resolved(), worktree, progress);
    }

    /** {@return the configuration as YAML, with the origin of each key} */
    public String render() {
        return ConfigText.render(effective, executor(), network());
    }

    /**
     * Returns the network that commands can reach, if a layer sets it.
     *
     * @return the network, with the hosts of its groups; empty if the executor's default applies
     * @throws SandboxConfigException if it names a group that no layer has
     */
    public Optional<NetworkPolicy> networkIfSet() {
        return effective.network();
    }

    private void requireBackend() {
        new BackendSettings(effective).require(executor());
    }

    private NetworkPolicy network() {
        return networkIfSet()
                .orElseGet(() -> Values.confinesNothing(executor()) ? NetworkPolicy.open() : NetworkPolicy.off());
    }

    /** Returns the grants from the user's surroundings. */
    UserGrants grants() {
        return new UserGrants(effective, executor(), settings(), user());
    }

    private UserContext user() {
        return user.orElseGet(UserContext::ofThisProcess);
    }
}
