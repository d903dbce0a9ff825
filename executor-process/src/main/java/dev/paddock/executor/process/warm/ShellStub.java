package dev.paddock.executor.process.warm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.process.launch.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Sends a {@link CommandRequest} to a shell stub and reads its answer. */
public final class ShellStub {
    private static final int LONGEST_ANSWER = 4096;

    private ShellStub() {}

    /**
     * Makes the stub's shell execute a command.
     *
     * @param child the stub's shell, started with {@link CommandRequest.Transport#bootstrap()}
     * @param request the command request
     * @param transport how the request and the answer travel
     * @return the shell's answer
     * @throws IOException if the shell has ended or sent another text; the message has that text.
     *     Nothing has run
     */
    public static CommandRequest.Answer execute(
            ChildProcess child, CommandRequest request, CommandRequest.Transport transport) throws IOException {
        String answer = switch (transport) {
            case DESCRIPTORS -> {
                try (OutputStream to = child.to(CommandRequest.REQUEST_DESCRIPTOR)) {
                    to.write(request.encode(transport));
                }
                try (InputStream from = child.from(CommandRequest.ANSWER_DESCRIPTOR)) {
                    yield readLine(from);
                }
            }
            case STANDARD_STREAMS -> {
                child.stdin().write(request.encode(transport));
                child.stdin().flush();
                yield readLine(child.stdout());
            }
        };
        try {
            return CommandRequest.Answer.parse(answer);
        } catch (IllegalArgumentException none) {
            throw new IOException("the shell stub has failed: it answered '" + answer + "'", none);
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
