package dev.paddock.harness.tools.shell;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.ToolContext;

/** The context of a call whose updates nobody reads. */
record QuietContext(AbortSignal signal) implements ToolContext {
    @Override
    public void update(String textSoFar) {}
}
