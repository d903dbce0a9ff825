package dev.paddock.harness.guest.bridge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.workspace.owned.OwnedDirectory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Creates the class cache of an engine's store: a guest with Paddock's own code loads and links the classes that a run
 * needs, and its JVM stores them at exit. It runs in a separate sandbox, which no other guest can write to, since a JVM
 * runs the code in its cache.
 */
public final class ClassTraining {
    private static final Logger LOG = LateLogger.of(ClassTraining.class);
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STORE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Exercises what guests do: logs, calls a binding, waits, throws and catches. */
    private static final String CODE = """
            import { one } from './other.js';
            export async function run(input, { ENV, vars }) {
              console.log('training', input, vars);
              await Promise.all([ENV.keys(), ENV.get('A')]);
              await new Promise((done) => setTimeout(done, 1));
              try { await ENV.get('refused'); } catch (fault) { return [one, fault.message]; }
            }
            """;

    private ClassTraining() {}

    /**
     * Creates the cache, which later guests use. A failure is logged, and only costs their speed.
     *
     * @param files the engine's files
     * @param sandboxes opens a sandbox like that of the guests, with the given worktree
     */
    public static void run(EngineFiles files, Function<PathMapping, CommandExecutor> sandboxes) {
        Optional<Path> cache = Optional.ofNullable(files.classes().getParent()).map(Path::getParent);
        try (OwnedDirectory directory = OwnedDirectory.create(cache.orElseThrow(), "training")) {
            Path output = directory.path().resolve("classes");
            try (CommandExecutor sandbox = sandboxes.apply(PathMapping.same(directory.path()))) {
                GuestProcess guest = GuestProcess.start(
                        sandbox, files.trainingCommand(output), directory.path().toString(), START);
                try {
                    train(guest);
                    if (!guest.awaitEnd(STORE)) {
                        throw new IOException("the JVM did not store its classes within " + STORE.toSeconds() + " s");
                    }
                } finally {
                    guest.close();
                }
            }
            Files.move(output, files.classes(), StandardCopyOption.ATOMIC_MOVE);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException fault) {
            LOG.log(
                    Level.WARNING,
                    "guests start more slowly, since their classes could not be cached: " + FileFaults.reason(fault));
        }
    }

    /** The two ends of a guest's pipe. */
    public interface Guest {
        /**
         * Writes a line to the guest.
         *
         * @param line the line, without its end
         * @throws IOException if the guest has ended
         */
        void write(String line) throws IOException;

        /**
         * Returns the guest's next line.
         *
         * @return empty at the end
         * @throws IOException if it cannot be read
         */
        Optional<String> next() throws IOException;
    }

    /**
     * Sends the training order to a ready guest and answers its calls.
     *
     * @param guest the guest
     * @throws IOException if it has no result
     */
    public static void train(Guest guest) throws IOException {
        guest.write(order().toString());
        while (true) {
            Optional<String> line = guest.next();
            if (line.isEmpty()) {
                throw new IOException("the training's guest ended without a result");
            }
            JsonNode message = read(line.get());
            if (message.has("result")) {
                return;
            } else if (message.has("id")) {
                guest.write(answer(message).toString());
            } else if (message.has("error")) {
                throw new IOException("the training's guest failed: " + line.get());
            }
        }
    }

    private static JsonNode read(String line) throws IOException {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException malformed) {
            throw new IOException("the training's guest wrote '" + line + "'", malformed);
        }
    }

    private static ObjectNode order() {
        ObjectNode order = JsonNodeFactory.instance.objectNode();
        order.put("main", "training.js").put("exportName", "run").put("input", 1);
        order.putObject("modules").put("training.js", CODE).put("other.js", "export const one = 1;\n");
        order.putObject("imports").putObject("training.js").put("./other.js", "other.js");
        order.putObject("vars").put("name", "value");
        return order;
    }

    private static ObjectNode answer(JsonNode call) {
        ObjectNode reply = JsonNodeFactory.instance.objectNode();
        reply.set("id", call.path("id"));
        if (call.path("args").path("name").asText().equals("refused")) {
            reply.putObject("error").put("name", "BindingError").put("message", "refused");
        } else {
            reply.putArray("result").add("A");
        }
        return reply;
    }
}
