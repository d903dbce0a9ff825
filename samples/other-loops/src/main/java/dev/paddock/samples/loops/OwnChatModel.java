package dev.paddock.samples.loops;

import dev.langchain4j.model.chat.ChatModel;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.langchain4j.LangChain4jModel;
import java.nio.file.Path;

/** Gives a session a model that the application has already: any of LangChain4j's. */
public final class OwnChatModel {

    private OwnChatModel() {}

    static void run(ChatModel chatModel, Path worktree, CommandExecutor executor) {
        try (AgentSession session = AgentSession.builder()
                .model(LangChain4jModel.over(chatModel))
                .cwd(worktree)
                .executor(executor)
                .build()) {
            session.prompt("Make the failing test pass.");
        }
    }
}
