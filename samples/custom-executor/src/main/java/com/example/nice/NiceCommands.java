package com.example.nice;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.process.WrappedExecutor;
import java.util.List;

/** Commands of the host at the lowest priority, so that they give way to everything else. */
public final class NiceCommands {
    private NiceCommands() {}

    /** Returns the executor; the caller disposes of it. */
    public static CommandExecutor executor() {
        return WrappedExecutor.builder("nice", List.of("nice", "-n", "19"))
                .claim(Guarantee.EXACT_STATUS) // nice replaces itself by the command's shell
                .claim(Guarantee.TERMINAL) // and passes on what it was given
                .build();
    }
}
