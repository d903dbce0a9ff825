package dev.paddock.executor.sandbox.spawn;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.process.end.BoundedWait;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.supervise.ProcessTree;
import dev.paddock.executor.process.supervise.SupervisedProcess;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.process.warm.CommandRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A warm slot whose stub a {@link Supervisor} of this machine launched. */
public class SupervisedSlot implements WarmSlot {
    private static final System.Logger LOG = LateLogger.of(SupervisedSlot.class);

    private static final int MAX_MESSAGE_LENGTH = 4096;

    /** Several times what a killed stub usually takes to exit. */
    private static final long DYING_MILLIS = 500;

    private final Supervisor supervisor;
    private final CommandLauncher launcher;
    private final ChildProcess child;
    private final Map<String, String> env;
    private volatile Optional<SupervisedProcess> released = Optional.empty();

    /**
     * Wraps a stub.
     *
     * @param supervisor has launched it
     * @param launcher sends it commands
     * @param child the stub's process
     * @param env the environment that it was started with; without a command's marker if the request carries that
     */
    public SupervisedSlot(
            Supervisor supervisor, CommandLauncher launcher, ChildProcess child, Map<String, String> env) {
        this.supervisor = supervisor;
        this.launcher = launcher;
        this.child = child;
        this.env = Map.copyOf(env);
    }

    @Override
    public StatusMapper statusMapper() {
        return StatusMapper.IDENTITY;
    }

    @Override
    public ProcessLike release(CommandRequest request, SpawnOptions options) throws IOException {
        ProcessTree tree = tree();
        try {
            launcher.execute(child, env, request).requireReady(request);
        } catch (IOException fault) {
            throw explained(fault);
        }
        if (options.stdin() == SpawnOptions.Stdin.EMPTY) {
            closeQuietly(stdin());
        }
        SupervisedProcess process = supervisor.supervise(child, options, tree);
        released = Optional.of(process);
        return process;
    }

    @Override
    public CompletionStage<?> onEnd() {
        return released.<CompletionStage<?>>map(SupervisedProcess::onTreeEnd).orElseGet(child::ended);
    }

    @Override
    public String describe() {
        return released.map(SupervisedProcess::describe).orElseGet(() -> "process " + child.pid());
    }

    /**
     * Returns the tree through which the supervisor finds the command's processes. Called before the command is
     * executed.
     *
     * @return by default the session, group, descendants and marked processes of the host
     */
    protected ProcessTree tree() {
        return supervisor.hostTree(child, env.getOrDefault(CommandExecutor.MARKER, ""), supervisor.now());
    }

    /**
     * Returns the command's standard input.
     *
     * @return by default the process's own
     */
    protected OutputStream stdin() {
        return child.stdin();
    }

    /**
     * Returns the stream of the stub's error messages.
     *
     * @return by default its standard error
     */
    protected InputStream stderr() {
        return child.stderr();
    }

    /** Adds the stub's standard error so far to a fault. */
    private IOException explained(IOException fault) throws IOException {
        InputStream errors = stderr();
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        byte[] block = new byte[MAX_MESSAGE_LENGTH];
        while (message.size() < MAX_MESSAGE_LENGTH && errors.available() > 0) {
            int count = errors.read(block, 0, MAX_MESSAGE_LENGTH - message.size());
            if (count < 0) {
                break;
            }
            message.write(block, 0, count);
        }
        String text = message.toString(UTF_8).strip();
        return text.isEmpty() ? fault : new IOException(fault.getMessage() + "; it wrote: " + text, fault);
    }

    /** Closes a resource and logs failures at DEBUG: the command has been executed and must not be started again. */
    private static void closeQuietly(OutputStream stream) {
        try {
            stream.close();
        } catch (IOException fault) {
            LOG.log(Level.DEBUG, "The standard input of a command could not be closed", fault);
        }
    }

    @Override
    public void discard() {
        supervisor.discard(child);
        BoundedWait.upTo(DYING_MILLIS, child.ended());
    }
}
