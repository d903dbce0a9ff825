package dev.paddock.samples.loops;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.springai.PaddockSandbox;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.Sandbox;

/** Gives Spring AI's agents a sandbox. */
public final class SpringAiSandbox {

    private SpringAiSandbox() {}

    static String run(CommandExecutor executor) {
        try (Sandbox sandbox = PaddockSandbox.of(executor)) {
            return sandbox.files()
                    .create("data/numbers.txt", "3\n1\n2\n")
                    .and()
                    .exec(ExecSpec.of("sort", "data/numbers.txt"))
                    .stdout();
        }
    }
}
