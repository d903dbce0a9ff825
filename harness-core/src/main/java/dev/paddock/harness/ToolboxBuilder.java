package dev.paddock.harness;

import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.harness.loop.AbortPatience;
import dev.paddock.harness.model.Model;

/**
 * Collects the options of a toolbox and builds it. {@code cwd} is required; the defaults are those
 * of {@link AgentSessionBuilder}. Not safe for use by several threads.
 *
 * @since 0.1
 */
public final class ToolboxBuilder extends SiteOptions<ToolboxBuilder> {
    ToolboxBuilder() {}

    @Override
    ToolboxBuilder self() {
        return this;
    }

    /**
     * Builds the toolbox, as {@link AgentSessionBuilder#build()} builds a session, with the same exceptions. Runs no
     * command: whether commands see the working directory is checked before the first command.
     *
     * @return the toolbox; the caller closes it. If this method throws, a given executor still belongs to the caller
     * @throws SandboxUnavailableException if no executor is given and no sandbox is usable on this machine
     * @throws UnsupportedPolicyException if no executor is given and the best sandbox on this machine cannot enforce
     *     the policy
     */
    public Toolbox build() {
        return Toolbox.of(new SessionAssembly(options(Model.none(), "", 1, false), AbortPatience.STANDARD).assemble());
    }
}
