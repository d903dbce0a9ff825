package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import dev.paddock.harness.acp.AcpRefusedException.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the MCP servers of an editor's request. */
final class ServerRequests {
    private ServerRequests() {}

    static List<AcpOpening.Server> read(@Nullable List<AcpSchema.McpServer> servers) {
        return Optional.ofNullable(servers).orElse(List.of()).stream()
                .map(ServerRequests::read)
                .toList();
    }

    private static AcpOpening.Server read(AcpSchema.McpServer server) {
        if (!(server instanceof AcpSchema.McpServerStdio program)) {
            throw new AcpRefusedException(
                    Reason.INVALID,
                    "an MCP server of the editor is not a program: name it below 'mcp' in your paddock.yaml");
        }
        String name = Optional.ofNullable(program.name()).orElse("");
        List<String> command = new ArrayList<>();
        Optional.ofNullable(program.command()).ifPresent(command::add);
        Optional.ofNullable(program.args()).ifPresent(command::addAll);
        if (name.isEmpty() || command.isEmpty()) {
            throw new AcpRefusedException(Reason.INVALID, "an MCP server of the editor lacks its name or its command");
        }
        Map<String, String> environment = new LinkedHashMap<>();
        for (AcpSchema.EnvVariable one : Optional.ofNullable(program.env()).orElse(List.of())) {
            environment.put(String.valueOf(one.name()), String.valueOf(one.value()));
        }
        return new AcpOpening.Server(name, command, environment);
    }
}
