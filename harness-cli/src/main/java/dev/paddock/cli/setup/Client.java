package dev.paddock.cli.setup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.cli.setup.ClientSetting.Value;
import dev.paddock.cli.setup.ClientSetting.Words;
import dev.paddock.cli.setup.Target.Format;
import dev.paddock.cli.setup.document.SettingsRefusedException;
import dev.paddock.cli.terminal.InvocationContext;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** An agent that speaks MCP, or an editor that starts agents, with its settings files. */
enum Client {
    /** Claude Code, which starts a server in the directory that it works in. */
    CLAUDE("claude") {
        @Override
        List<Target> user(InvocationContext caller, String launcher) {
            boolean isMoved = !caller.variable("CLAUDE_CONFIG_DIR").orElse("").isEmpty();
            Path directory = Locations.directory(caller, "CLAUDE_CONFIG_DIR", ".claude");
            Path servers = isMoved ? directory : Locations.home(caller);
            return List.of(
                    ofUser(servers.resolve(".claude.json"), Format.JSON, servers(launcher)),
                    ofUser(directory.resolve("settings.json"), Format.JSON, DENIED));
        }

        @Override
        List<Target> project(Path project, String launcher) {
            return List.of(
                    ofProject(project, ".mcp.json", Format.JSON, servers(launcher)),
                    ofProject(project, ".claude/settings.json", Format.JSON, DENIED));
        }

        private ClientSetting servers(String launcher) {
            return new Value(List.of("mcpServers", NAME), stdio(launcher, "mcp"));
        }

        @Override
        List<String> byHand(boolean isProject) {
            return isProject
                    ? List.of("Claude Code asks once whether it may start the server of this project.")
                    : List.of();
        }
    },

    /** The codex command, which starts a server in the directory that it works in. */
    CODEX("codex") {
        @Override
        List<Target> user(InvocationContext caller, String launcher) {
            Path directory = Locations.directory(caller, "CODEX_HOME", ".codex");
            return List.of(ofUser(directory.resolve("config.toml"), Format.TOML, settings(launcher)));
        }

        @Override
        List<Target> project(Path project, String launcher) {
            return List.of(ofProject(project, ".codex/config.toml", Format.TOML, settings(launcher)));
        }

        private ClientSetting[] settings(String launcher) {
            // codex omits the tools of a server that is not required and not ready within a second.
            ObjectNode server =
                    command(launcher, "mcp").put("required", true).put("default_tools_approval_mode", "approve");
            // Before unified_exec was a part of shell_tool, it was a tool of its own.
            return new ClientSetting[] {
                off("shell_tool"),
                off("unified_exec"),
                off("view_image"),
                new Value(List.of("mcp_servers", NAME), server)
            };
        }

        private ClientSetting off(String feature) {
            return new Value(List.of("features", feature), BooleanNode.FALSE);
        }

        @Override
        List<String> byHand(boolean isProject) {
            String patches = "codex has no setting that switches its apply_patch tool off: it edits files of the"
                    + " worktree outside of Paddock. With sandbox_mode = \"read-only\" codex asks before each such"
                    + " edit, and refuses it in 'codex exec'.";
            return isProject
                    ? List.of(patches, "codex reads a project's settings only if you trust the project.")
                    : List.of(patches);
        }
    },

    /** The Cursor editor, which starts the user's servers in the home directory. */
    CURSOR("cursor") {
        @Override
        List<Target> user(InvocationContext caller, String launcher) {
            Path file = Locations.home(caller).resolve(".cursor/mcp.json");
            return List.of(ofUser(file, Format.JSON_WITH_COMMENTS, servers(launcher)));
        }

        @Override
        List<Target> project(Path project, String launcher) {
            return List.of(ofProject(project, ".cursor/mcp.json", Format.JSON_WITH_COMMENTS, servers(launcher)));
        }

        private ClientSetting servers(String launcher) {
            return new Value(List.of("mcpServers", NAME), stdio(launcher, "mcp", "--worktree", "${workspaceFolder}"));
        }

        @Override
        List<String> byHand(boolean isProject) {
            return List.of("Cursor has no setting that switches its own terminal and file tools off. Let it ask before"
                    + " each command (Cursor Settings, Agents, Auto-Run), and refuse those that are not Paddock's."
                    + " For its command line, deny them in ~/.cursor/cli-config.json, under permissions.deny:"
                    + " Shell(*), Read(**), Write(**).");
        }
    },

    /** VS Code, which gives only a workspace's server its folder. */
    VSCODE("vscode") {
        @Override
        List<Target> user(InvocationContext caller, String launcher) {
            throw new SettingsRefusedException(
                    "VS Code does not tell a server in your user settings which folder is open;"
                            + " change to the project and run: paddock setup vscode --project");
        }

        @Override
        List<Target> project(Path project, String launcher) {
            JsonNode server = stdio(launcher, "mcp", "--worktree", "${workspaceFolder}");
            return List.of(ofProject(
                    project,
                    ".vscode/mcp.json",
                    Format.JSON_WITH_COMMENTS,
                    new Value(List.of("servers", NAME), server)));
        }

        @Override
        boolean isForProjects() {
            return true;
        }

        @Override
        List<String> byHand(boolean isProject) {
            return List.of("VS Code has no setting in a file that switches its own terminal and file tools off. In the"
                    + " chat, open Configure Tools and leave only the tools of the MCP server paddock switched on.");
        }
    },

    /** The Zed editor, which starts an agent itself. */
    ZED("zed") {
        @Override
        List<Target> user(InvocationContext caller, String launcher) {
            Path directory = Locations.directory(caller, "XDG_CONFIG_HOME", ".config");
            ObjectNode agent =
                    JsonNodeFactory.instance.objectNode().put("type", "custom").setAll(command(launcher, "acp"));
            return List.of(ofUser(
                    directory.resolve("zed/settings.json"),
                    Format.JSON_WITH_COMMENTS,
                    new Value(List.of(AGENTS, NAME), agent)));
        }

        @Override
        List<Target> project(Path project, String launcher) {
            throw ofUserAlone("Zed");
        }

        @Override
        List<String> byHand(boolean isProject) {
            return List.of("In Zed's agent panel, start a thread with 'paddock'.", MODEL);
        }
    },

    /** The editors of JetBrains, which start an agent themselves. */
    JETBRAINS("jetbrains") {
        @Override
        List<Target> user(InvocationContext caller, String launcher) {
            Path file = Locations.home(caller).resolve(".jetbrains/acp.json");
            return List.of(ofUser(file, Format.JSON, new Value(List.of(AGENTS, NAME), command(launcher, "acp"))));
        }

        @Override
        List<Target> project(Path project, String launcher) {
            throw ofUserAlone("JetBrains' editors");
        }

        @Override
        List<String> byHand(boolean isProject) {
            return List.of("In the AI chat, choose the agent 'paddock'.", MODEL);
        }
    };

    /** The name of Paddock's server in every client. */
    static final String NAME = "paddock";

    /** Where editors configure the agents that speak the Agent Client Protocol. */
    private static final String AGENTS = "agent_servers";

    private static final String MODEL = "Its model is the one named 'default' below 'models' in your paddock.yaml; add"
            + " further options of 'paddock acp' to its args.";

    /** Claude Code's own tools that run commands, or read or write files. */
    private static final ClientSetting DENIED = new Words(
            List.of("permissions", "deny"), List.of("Bash", "Edit", "Write", "Read", "Grep", "Glob", "NotebookEdit"));

    private final String word;

    Client(String word) {
        this.word = word;
    }

    /** Returns the word on the command line. */
    String word() {
        return word;
    }

    /** Returns the words of all clients. */
    static List<String> words() {
        return Arrays.stream(values()).map(Client::word).toList();
    }

    static Optional<Client> of(String word) {
        return Arrays.stream(values())
                .filter(client -> client.word.equals(word))
                .findFirst();
    }

    /**
     * Returns the files of the user, and their required content.
     *
     * @throws SettingsRefusedException if the client cannot use the server from there
     */
    abstract List<Target> user(InvocationContext caller, String launcher);

    /** Returns the files of a project, and their required content. */
    abstract List<Target> project(Path project, String launcher);

    /** Returns the instructions for what setup cannot do itself. */
    abstract List<String> byHand(boolean isProject);

    /** Returns whether the project's files are the default. */
    boolean isForProjects() {
        return false;
    }

    private static SettingsRefusedException ofUserAlone(String editor) {
        return new SettingsRefusedException(editor + " read agents from your own settings alone: leave --project out");
    }

    private static Target ofUser(Path file, Format format, ClientSetting... settings) {
        return new Target(file, file.getRoot(), format, List.of(settings));
    }

    private static Target ofProject(Path project, String file, Format format, ClientSetting... settings) {
        return new Target(project.resolve(file), project, format, List.of(settings));
    }

    private static ObjectNode command(String launcher, String... arguments) {
        ObjectNode entry = JsonNodeFactory.instance.objectNode().put("command", launcher);
        List.of(arguments).forEach(entry.putArray("args")::add);
        return entry;
    }

    private static ObjectNode stdio(String launcher, String... arguments) {
        ObjectNode entry = JsonNodeFactory.instance.objectNode().put("type", "stdio");
        entry.setAll(command(launcher, arguments));
        return entry;
    }
}
