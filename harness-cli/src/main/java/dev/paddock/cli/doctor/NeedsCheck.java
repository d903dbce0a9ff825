package dev.paddock.cli.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.TerminalWidth;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.config.Finding;
import dev.paddock.executor.config.SandboxConfig;
import dev.paddock.executor.config.SandboxConfigException;
import java.util.List;

/** Checks what the options and configuration files of a command line need, and reports it. */
public final class NeedsCheck {
    private NeedsCheck() {}

    /**
     * Runs the check.
     *
     * @return the exit code: 1 if something cannot be used
     */
    public static int run(Arguments arguments, InvocationContext caller, Console console, boolean asJson) {
        List<Finding> findings = check(arguments, caller, console);
        if (asJson) {
            ArrayNode rows = JsonNodeFactory.instance.arrayNode();
            for (Finding finding : findings) {
                ObjectNode row = rows.addObject();
                row.put("subject", finding.subject()).put("ok", finding.ok());
                row.put("detail", finding.detail()).put("remedy", finding.remedy());
            }
            console.out().println(rows.toPrettyString());
        } else {
            console.out()
                    .print(new Report(TerminalWidth.ofOutput(caller))
                            .findings(findings)
                            .text());
        }
        return findings.stream().allMatch(Finding::ok) ? 0 : 1;
    }

    private static List<Finding> check(Arguments arguments, InvocationContext caller, Console console) {
        SandboxConfig config;
        try {
            config = ExecutionOptions.config(arguments, caller).resolved();
        } catch (SandboxConfigException refused) {
            return List.of(new Finding("configuration", false, Console.text(refused), ""));
        } catch (SandboxUnavailableException none) {
            return List.of(new Finding("backend", false, none.reason(), none.remedy()));
        }
        try {
            return config.check(ExecutionOptions.mapping(arguments, caller, config), console.progress());
        } finally {
            console.progress().clear();
        }
    }
}
