package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Builds sessions that all fail, each at another step after the executor was passed in. The
 * executor prints whether it is disposed of, by the failed build or by a shutdown hook that the
 * build left behind.
 */
final class FailedBuildProgram {
    private FailedBuildProgram() {}

    static Process start(Path directory) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FailedBuildProgram.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Returns the steps by name, each with the change that makes it fail. */
    static Map<String, UnaryOperator<AgentSessionBuilder>> steps() {
        Map<String, UnaryOperator<AgentSessionBuilder>> steps = new LinkedHashMap<>();
        steps.put("executor name", builder -> builder.executor(new FailingExecutor("name")));
        steps.put("executor guarantees", builder -> builder.executor(new FailingExecutor("guarantees")));
        steps.put(
                "tools",
                builder -> builder.tools(ToolSelection.builder()
                        .buildTools(tools -> {
                            throw new IllegalStateException("refused");
                        })
                        .build()));
        steps.put("disallowed", builder -> builder.disallowedTools(Set.of("no_such_tool")));
        for (String method : List.of("open", "tools", "prompt", "problems")) {
            steps.put("source " + method, builder -> builder.toolSource(new FailingSource(method)));
        }
        return steps;
    }

    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        steps().forEach((name, step) -> {
            AgentSessionBuilder builder = AgentSession.builder()
                    .model(Model.none())
                    .cwd(directory)
                    .executor(new FailingExecutor("nothing"))
                    .sessionDirectory(directory.resolveSibling("session"));
            try {
                step.apply(builder).build();
                System.out.println("built in spite of: " + name);
            } catch (RuntimeException refused) {
                System.out.println("failed: " + name);
            }
        });
    }

    /** Throws from one method, and prints its disposal. */
    private record FailingExecutor(String failing) implements CommandExecutor {
        @Override
        public String name() {
            failIf("name");
            return "failing";
        }

        @Override
        public Set<Guarantee> guarantees() {
            failIf("guarantees");
            return Set.of();
        }

        private void failIf(String method) {
            if (failing.equals(method)) {
                throw new IllegalStateException("refused");
            }
        }

        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            throw new IllegalStateException("no command is run");
        }

        @Override
        public void dispose() {
            System.out.println("disposed");
        }
    }

    /** Throws from one method. */
    private record FailingSource(String failing) implements ToolSource, ToolSource.Opened {
        @Override
        public String name() {
            return "failing";
        }

        private void failIf(String method) {
            if (failing.equals(method)) {
                throw new IllegalStateException("refused");
            }
        }

        @Override
        public Opened open(Place place) {
            failIf("open");
            return this;
        }

        @Override
        public List<Tool> tools() {
            failIf("tools");
            return List.of();
        }

        @Override
        public String prompt() {
            failIf("prompt");
            return "";
        }

        @Override
        public List<String> problems() {
            failIf("problems");
            return List.of();
        }

        @Override
        public void close() {}
    }
}
