package dev.paddock.executor.process.warm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.process.launch.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Sends a {@link CommandRequest} to a shell stub and reads its answer.
 *
 * @since 0.1
 */
public final class ShellStub {
    private static final int MAX_ANSWER_LENGTH = 4096;

    private ShellStub() {}

    /**
     * Makes the stub's shell execute a command.
     *
     * @param child the stub's shell, started with {@link CommandRequest.Transport#bootstrap()}
     * @param request the command request
     * @param transport how the request and the answer travel
     * @return the shell's answer
     * @throws IOException if the shell has exited or sent another text, which the message contains. Nothing has run
     */
    public static CommandRequest.Answer execute(
            ChildProcess child, CommandRequest request, CommandRequest.Transport transport) throws IOException {
        Optional<IOException> unread = send(child, request, transport);
        // Read even if the program took no request: its output explains the failure.
        String answer = answer(child, transport);
        try {
            CommandRequest.Answer parsed = CommandRequest.Answer.parse(answer);
            if (unread.isPresent()) {
                throw unread.get();
            }
            return parsed;
        } catch (IllegalArgumentException none) {
            IOException failed = new IOException("the shell stub has failed: it answered '" + answer + "'", none);
            unread.ifPresent(failed::addSuppressed);
            throw failed;
        }
    }

    /** Returns the fault if the request has no reader left. */
    private static Optional<IOException> send(
            ChildProcess child, CommandRequest request, CommandRequest.Transport transport) {
        try {
            switch (transport) {
                case DESCRIPTORS -> {
                    try (OutputStream to = child.to(CommandRequest.REQUEST_DESCRIPTOR)) {
                        to.write(request.encode(transport));
                    }
                }
                case STANDARD_STREAMS -> {
                    child.stdin().write(request.encode(transport));
                    child.stdin().flush();
                }
            }
            return Optional.empty();
        } catch (IOException fault) {
            return Optional.of(fault);
        }
    }

    private static String answer(ChildProcess child, CommandRequest.Transport transport) throws IOException {
        return switch (transport) {
            case DESCRIPTORS -> {
                try (InputStream from = child.from(CommandRequest.ANSWER_DESCRIPTOR)) {
                    yield readLine(from);
                }
            }
            case STANDARD_STREAMS -> readLine(child.stdout());
        };
    }

    /** Reads byte by byte: the bytes after the line belong to the command. */
    private static String readLine(InputStream from) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next;
        while ((next = from.read()) >= 0 && next != '\n' && line.size() < MAX_ANSWER_LENGTH) {
            line.write(next);
        }
        return line.toString(UTF_8);
    }
}
