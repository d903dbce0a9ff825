package dev.paddock.executor.process.warm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.process.launch.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Sends a {@link CommandRequest} to a shell stub and reads its answer: at once, or in two steps, so
 * that the caller can do other work for the command while the shell prepares.
 */
public final class ShellStub implements PreparedCommand {
    private static final int LONGEST_ANSWER = 4096;

    private final ChildProcess child;
    private final CommandRequest.Transport transport;
    private final CommandRequest.Steps steps;

    private ShellStub(ChildProcess child, CommandRequest order, CommandRequest.Transport transport) {
        this.child = child;
        this.transport = transport;
        this.steps = order.encodeSteps(transport);
    }

    /**
     * Sends a request and reads the answer.
     *
     * @param child the stub's shell, started with {@link CommandRequest.Transport#bootstrap()}
     * @param order the command request
     * @param transport how it travels
     * @return the shell's answer
     * @throws IOException if the shell has ended or sent another text; the message has that
     *     text. Nothing has run
     */
    public static CommandRequest.Answer handOver(
            ChildProcess child, CommandRequest order, CommandRequest.Transport transport) throws IOException {
        return enter(child, order, transport).become();
    }

    /**
     * Makes a shell enter the request's directory and set its variables. Does not wait for that,
     * and the command does not start before {@link #become}.
     *
     * @param child the stub's shell, started with {@link CommandRequest.Transport#bootstrap()}
     * @param order the command request
     * @param transport how it travels
     * @return the command, prepared but not started
     * @throws IOException if the shell has ended
     */
    public static ShellStub enter(ChildProcess child, CommandRequest order, CommandRequest.Transport transport)
            throws IOException {
        ShellStub shell = new ShellStub(child, order, transport);
        if (shell.steps.enter().length > 0) {
            shell.orders().write(shell.steps.enter());
        }
        return shell;
    }

    @Override
    public CommandRequest.Answer become() throws IOException {
        boolean descriptors = transport == CommandRequest.Transport.DESCRIPTORS;
        Optional<IOException> broken = tell();
        InputStream from = descriptors ? child.from(CommandRequest.ANSWER_DESCRIPTOR) : child.stdout();
        String answer = descriptors ? readAll(from) : readLine(from);
        try {
            return CommandRequest.Answer.parse(answer);
        } catch (IllegalArgumentException none) {
            IOException fault = new IOException("a waiting shell failed: it answered '" + answer + "'", none);
            broken.ifPresent(fault::addSuppressed);
            throw fault;
        }
    }

    /**
     * Sends the rest of the request. A shell that cannot enter the directory answers so and exits,
     * maybe before it has read everything: its answer counts, not the broken pipe.
     */
    private Optional<IOException> tell() throws IOException {
        OutputStream to = orders();
        try {
            to.write(steps.become());
            to.flush();
            if (transport == CommandRequest.Transport.DESCRIPTORS) {
                to.close();
            }
            return Optional.empty();
        } catch (IOException broken) {
            if (steps.enter().length == 0) {
                throw broken;
            }
            return Optional.of(broken);
        }
    }

    private OutputStream orders() {
        return transport == CommandRequest.Transport.DESCRIPTORS
                ? child.to(CommandRequest.ORDER_DESCRIPTOR)
                : child.stdin();
    }

    /**
     * Reads up to the end. The shell closes the descriptor when it executes the command, which may
     * be after its answer.
     */
    private static String readAll(InputStream from) throws IOException {
        try (from) {
            byte[] answer = new byte[LONGEST_ANSWER];
            int length = 0;
            while (length < answer.length && (length == 0 || answer[length - 1] != '\n')) {
                int count = from.read(answer, length, answer.length - length);
                if (count < 0) {
                    break;
                }
                length += count;
            }
            return new String(answer, 0, length, UTF_8).stripTrailing();
        }
    }

    /** Reads byte by byte: the bytes after the line belong to the command. */
    private static String readLine(InputStream from) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next;
        while ((next = from.read()) >= 0 && next != '\n' && line.size() < LONGEST_ANSWER) {
            line.write(next);
        }
        return line.toString(UTF_8);
    }
}
