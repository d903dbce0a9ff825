package dev.paddock.executor.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Handing an {@link Order} to a waiting shell and hearing its answer. */
public final class WaitingShell {
    private static final int LONGEST_ANSWER = 4096;

    private WaitingShell() {}

    /**
     * Hands an order over.
     *
     * @param child the waiting shell, started with {@link Order.Transport#bootstrap()}
     * @param order the order
     * @param transport how it travels
     * @return the shell's answer
     * @throws IOException if the shell has ended or says something else; the message has what it said. Nothing has run
     */
    public static Order.Answer handOver(Child child, Order order, Order.Transport transport) throws IOException {
        boolean descriptors = transport == Order.Transport.DESCRIPTORS;
        OutputStream to = descriptors ? child.to(Order.ORDER_DESCRIPTOR) : child.stdin();
        InputStream from = descriptors ? child.from(Order.ANSWER_DESCRIPTOR) : child.stdout();
        to.write(order.encode(transport));
        to.flush();
        if (descriptors) {
            to.close();
        }
        String answer = descriptors ? readAll(from) : readLine(from);
        try {
            return Order.Answer.parse(answer);
        } catch (IllegalArgumentException none) {
            throw new IOException("a waiting shell failed: it answered '" + answer + "'", none);
        }
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
