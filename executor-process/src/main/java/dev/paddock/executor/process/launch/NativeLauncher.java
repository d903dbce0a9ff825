package dev.paddock.executor.process.launch;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.os.posix.Descriptors;
import dev.paddock.executor.os.posix.Errno;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.posix.Spawner;
import dev.paddock.executor.os.stream.EpollPoller;
import dev.paddock.executor.os.stream.PipeInput;
import dev.paddock.executor.os.stream.PipeOutput;
import dev.paddock.executor.os.stream.PollPoller;
import dev.paddock.executor.os.stream.Poller;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Starts processes by {@code posix_spawn}. */
final class NativeLauncher implements Launcher {
    private final Posix posix;
    private final Poller poller;

    NativeLauncher(Posix posix, String name) {
        this.posix = posix;
        try {
            this.poller = posix.platform().hasLinuxCalls()
                    ? new EpollPoller(posix, name + "-wait")
                    : new PollPoller(posix, name + "-wait");
        } catch (NativeFault fault) {
            throw new ExecutorException("processes cannot be waited for: " + fault.getMessage(), fault);
        }
    }

    @Override
    public Optional<Posix> posix() {
        return Optional.of(posix);
    }

    @Override
    public ChildProcess launch(LaunchSpec spec, LaunchThread thread) {
        try (Pipes pipes = new Pipes(posix)) {
            List<Integer> ends = pipes.open(spec);
            Spawner.Request request = new Spawner.Request(
                    spec.argv().get(0),
                    spec.argv(),
                    spec.env().entrySet().stream()
                            .map(variable -> variable.getKey() + "=" + variable.getValue())
                            .toList(),
                    spec.directory(),
                    ends,
                    spec.terminal().map(Terminal::path).orElse(""));
            long pid = start(spec, request, thread);
            NativeChild child = new NativeChild(posix, pid, pipes.inputs(poller), pipes.outputs(poller));
            spec.terminal().ifPresent(child::attach);
            child.waitFor(poller);
            return child;
        } catch (NativeFault fault) {
            throw new SpawnException(
                    "the program " + spec.argv().get(0) + " could not be started: " + fault.getMessage(), fault);
        }
    }

    private long start(LaunchSpec spec, Spawner.Request request, LaunchThread thread) throws NativeFault {
        Object outcome = thread.call(() -> {
            try {
                return posix.spawner().start(request);
            } catch (NativeFault fault) {
                return fault;
            }
        });
        if (outcome instanceof NativeFault fault) {
            throw explain(spec, fault);
        }
        return (Long) outcome;
    }

    /** Explains an error number that may concern the directory or the program. */
    private SpawnException explain(LaunchSpec spec, NativeFault fault) {
        String program = spec.argv().get(0);
        int problem = posix.descriptors().directoryProblem(spec.directory());
        return switch (problem) {
            case Errno.ENOENT ->
                new SpawnException("the working directory does not exist: '" + spec.directory() + "'", fault);
            case Errno.ENOTDIR ->
                new SpawnException("the working directory is no directory: '" + spec.directory() + "'", fault);
            default ->
                new SpawnException(
                        "the program " + program + " could not be started in '" + spec.directory() + "': "
                                + Errno.text(fault.errno()),
                        fault);
        };
    }

    @Override
    public Optional<Poller> poller() {
        return Optional.of(poller);
    }

    @Override
    public Optional<TerminalSource> terminals() {
        return TerminalSource.of(posix, poller);
    }

    @Override
    public void close() {
        poller.close();
    }

    /** The descriptors of one launch. Closes the child's ends after it, and the JVM's ends unless it succeeded. */
    private static final class Pipes implements AutoCloseable {
        private final Posix posix;
        private final Descriptors descriptors;
        private final List<Integer> toClose = new ArrayList<>();
        private final Map<Integer, Integer> read = new HashMap<>();
        private final Map<Integer, Integer> written = new HashMap<>();
        private final Set<Integer> answers = new HashSet<>();

        Pipes(Posix posix) {
            this.posix = posix;
            descriptors = posix.descriptors();
        }

        List<Integer> open(LaunchSpec spec) throws NativeFault {
            int highest = spec.descriptors().keySet().stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElse(2);
            List<Integer> ends = new ArrayList<>();
            if (spec.terminal().isPresent()) {
                ends.addAll(List.of(-1, -1, -1));
            } else {
                ends.add(spec.stdin() == SpawnOptions.Stdin.PIPE ? readByChild(0) : descriptors.emptyInput());
                ends.add(writtenByChild(1));
                ends.add(spec.stderr() == SpawnOptions.Stderr.MERGED ? ends.get(1) : writtenByChild(2));
            }
            for (int number = 3; number <= highest; number++) {
                ChildDescriptor wanted = spec.descriptors().get(number);
                ends.add(wanted == null ? -1 : end(number, wanted));
            }
            return ends;
        }

        /**
         * Opens the child's end. Not a {@code switch} over types: the JDK would generate its classes at each start, and
         * no class cache holds them.
         */
        private int end(int number, ChildDescriptor wanted) throws NativeFault {
            if (wanted instanceof ChildDescriptor.Ours ours) {
                return ours.number();
            }
            if (wanted instanceof ChildDescriptor.Content content) {
                int file = descriptors.file(content.bytes());
                toClose.add(file);
                return file;
            }
            if (wanted instanceof ChildDescriptor.Writes writes) {
                if (writes.answer()) {
                    answers.add(number);
                }
                return writtenByChild(number);
            }
            return readByChild(number);
        }

        private int readByChild(int number) throws NativeFault {
            Descriptors.Pipe pipe = descriptors.pipe();
            toClose.add(pipe.readEnd());
            written.put(number, pipe.writeEnd());
            return pipe.readEnd();
        }

        private int writtenByChild(int number) throws NativeFault {
            Descriptors.Pipe pipe = descriptors.pipe();
            toClose.add(pipe.writeEnd());
            read.put(number, pipe.readEnd());
            return pipe.writeEnd();
        }

        Map<Integer, PipeInput> inputs(Poller poller) {
            Map<Integer, PipeInput> streams = new HashMap<>();
            read.forEach((number, descriptor) -> streams.put(
                    number,
                    new PipeInput(
                            posix,
                            poller,
                            descriptor,
                            answers.contains(number) ? PipeInput.LONG_PATIENCE_MILLIS : PipeInput.PATIENCE_MILLIS)));
            read.clear();
            return streams;
        }

        Map<Integer, PipeOutput> outputs(Poller poller) throws NativeFault {
            Map<Integer, PipeOutput> streams = new HashMap<>();
            for (Map.Entry<Integer, Integer> end : written.entrySet()) {
                streams.put(end.getKey(), new PipeOutput(posix, poller, end.getValue()));
            }
            written.clear();
            return streams;
        }

        @Override
        public void close() {
            toClose.forEach(descriptors::close);
            read.values().forEach(descriptors::close);
            written.values().forEach(descriptors::close);
        }
    }
}
