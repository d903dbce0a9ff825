package dev.paddock.executor.process.warm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.process.launch.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Handing an {@link CommandRequest} to a waiting shell and hearing its answer: at once, or in two steps, so that what has to be done
 * before the command can start is done while the shell gets ready.
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
     * Hands an order over.
     *
     * @param child the waiting shell, started with {@link CommandRequest.Transport#bootstrap()}
     * @param order the order
     * @param transport how it travels
     * @return the shell's answer
     * @throws IOException if the shell has ended or says something else; the message has what it said. Nothing has run
     */
    public static CommandRequest.Answer handOver(
            ChildProcess child, CommandRequest order, CommandRequest.Transport transport) throws IOException {
        return enter(child, order, transport).become();
    }

    /**
     * Has a shell enter the order's directory and take its variables. Does not wait for that, and the command does not start
     * before {@link #become}.
     *
     * @param child the waiting shell, started with {@link CommandRequest.Transport#bootstrap()}
     * @param order the order
     * @param transport how it travels
     * @return the shell, half told
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

    /** A shell that cannot enter the directory says so and ends, maybe before it has read all: its answer counts. */
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

    /** The shell closes the descriptor when it becomes the command, which may be later than it is ready. */
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

    /** Byte by byte: what follows the line belongs to the command. */
    private static String readLine(InputStream from) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next;
        while ((next = from.read()) >= 0 && next != '\n' && line.size() < LONGEST_ANSWER) {
            line.write(next);
        }
        return line.toString(UTF_8);
    }
}
