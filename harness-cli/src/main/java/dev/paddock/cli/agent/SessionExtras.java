package dev.paddock.cli.agent;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.ToolSelection;
import dev.paddock.harness.tools.skills.Skills;
import dev.paddock.harness.tools.web.WebAccess;
import java.nio.file.Path;
import java.util.List;

/** The options of an agent's session that concern neither the model nor the sandbox. */
final class SessionExtras {
    static final Option MAX_TURNS = Option.of("--max-turns", "N", "how many turns the model may take, 200 by default");
    static final Option SKILLS =
            Option.repeatable("--skills", "DIR", "offers the skills in DIR, directories with a SKILL.md");
    static final Option WEB = Option.flag("--web", "lets the model read public web pages, from the host");

    private SessionExtras() {}

    static AgentSessionBuilder add(AgentSessionBuilder builder, Arguments arguments, InvocationContext caller) {
        List<Path> skills =
                arguments.all(SKILLS).stream().map(caller.directory()::resolve).toList();
        ToolSelection.Builder tools = ToolSelection.builder();
        if (!skills.isEmpty()) {
            tools.skills(Skills.in(skills));
        }
        if (arguments.has(WEB)) {
            tools.webFetch(WebAccess.standard());
        }
        builder.tools(tools.build());
        arguments.value(MAX_TURNS).ifPresent(text -> builder.maxTurns(Numbers.positive(MAX_TURNS, text)));
        return builder.keepDirectory(true);
    }
}
