package dev.paddock.samples.loops;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.skills.FileSystemSkillLoader;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.langchain4j.SandboxedSkills;
import java.nio.file.Path;

/** Gives LangChain4j's skills a shell in a sandbox. */
public final class LangChain4jSkills {

    private LangChain4jSkills() {}

    /** What the application asks its model. */
    public interface Assistant {
        /** Asks. */
        String chat(String text);
    }

    static String run(ChatModel model, Path directory, CommandExecutor executor) throws InterruptedException {
        SandboxedSkills skills = SandboxedSkills.of(executor, FileSystemSkillLoader.loadSkills(directory));
        Assistant assistant = AiServices.builder(Assistant.class)
                .chatModel(model)
                .systemMessage(skills.formatAvailableSkills())
                .toolProvider(skills.toolProvider())
                .build();
        return assistant.chat("Add up the numbers.");
    }
}
