package dev.paddock.harness.acp;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.HostApprover;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.StoredSession;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ScriptedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Opens sessions whose models play a script. */
final class ScriptedSessions implements AcpSessions {
    private final Path state;
    private final Supplier<CommandExecutor> executor;
    private final String script;
    final List<AgentSession> opened = new CopyOnWriteArrayList<>();
    final List<HostApprover> hosts = new CopyOnWriteArrayList<>();
    final List<String> models = new CopyOnWriteArrayList<>(List.of("first"));

    ScriptedSessions(Path state, Supplier<CommandExecutor> executor, String script) {
        this.state = state;
        this.executor = executor;
        this.script = script;
    }

    @Override
    public AcpSession open(AcpOpening opening) {
        AgentSessionBuilder builder = opening.prepare(AgentSession.builder())
                .model(model())
                .cwd(opening.cwd())
                .executor(executor.get());
        if (opening.stored().isPresent()) {
            Path directory = state.resolve(opening.stored().get());
            if (!Files.isDirectory(directory)) {
                throw new AcpRefusedException(AcpRefusedException.Reason.NOT_FOUND, "there is no such session");
            }
            builder.resume(directory);
        } else {
            builder.sessionDirectory(state.resolve("session-" + (opened.size() + 1)));
        }
        hosts.add(opening.hosts());
        AgentSession session = builder.build();
        opened.add(session);
        return new Scripted(session);
    }

    private Model model() {
        return ScriptedModel.parse("test", script);
    }

    @Override
    public List<AcpListing> stored(Optional<Path> cwd, List<String> open) {
        return List.of(StoredSession.at(state.resolve("session-1"))).stream()
                .filter(one -> !open.contains(one.id()))
                .map(one ->
                        new AcpListing(one.id(), Path.of("/"), one.firstPrompt().orElse(""), one.lastUsed()))
                .toList();
    }

    private final class Scripted implements AcpSession {
        private final AgentSession session;

        Scripted(AgentSession session) {
            this.session = session;
        }

        @Override
        public String id() {
            return String.valueOf(session.directory().getFileName());
        }

        @Override
        public AgentSession session() {
            return session;
        }

        @Override
        public String greeting() {
            return "The sandbox grants little.";
        }

        @Override
        public Map<String, String> models() {
            return Map.of("first", "The first", "second", "The second");
        }

        @Override
        public Optional<String> model() {
            return Optional.of(models.getLast());
        }

        @Override
        public void model(String name) {
            models.add(name);
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
