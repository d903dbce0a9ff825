package dev.paddock.samples.loops;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.springai.SpringAiTools;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;

/** Gives the tools to Spring AI's loop. */
public final class SpringAiLoop {

    private SpringAiLoop() {}

    static @Nullable String run(ChatModel model, Path worktree, CommandExecutor executor) {
        try (Toolbox toolbox =
                Toolbox.builder().cwd(worktree).executor(executor).build()) {
            return ChatClient.create(model)
                    .prompt("Make the failing test pass.")
                    .tools(SpringAiTools.of(toolbox))
                    .call()
                    .content();
        }
    }
}
