package dev.paddock.samples.loops;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.langchain4j.LangChain4jTools;
import java.nio.file.Path;

/** Gives the tools to LangChain4j's loop. */
public final class AiServicesLoop {

    private AiServicesLoop() {}

    /** The interface that the application declares for {@code AiServices}. */
    interface Assistant {
        String chat(String text);
    }

    static String run(ChatModel model, Path worktree, CommandExecutor executor) {
        try (Toolbox toolbox =
                Toolbox.builder().cwd(worktree).executor(executor).build()) {
            Assistant assistant = AiServices.builder(Assistant.class)
                    .chatModel(model)
                    .toolProvider(LangChain4jTools.of(toolbox))
                    .build();
            return assistant.chat("Make the failing test pass.");
        }
    }
}
