package dev.paddock.executor.network;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.paddock.executor.policy.HostRule;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;

/** Answers DNS queries: an allowed name has a fake address, and no other name exists. No query leaves the machine. */
final class NameAnswers {
    private static final int HEADER_BYTES = 12;
    private static final int IS_RESPONSE = 0x8000;
    private static final int OPCODE = 0x7800;
    private static final int RECURSION = 0x0180; // desired, available
    private static final int TYPE_A = 1;
    private static final int CLASS_IN = 1;
    private static final int MAX_LABEL_LENGTH = 63;
    private static final int NAME_OF_QUESTION = 0xC000 | HEADER_BYTES;
    private static final int SECONDS_TO_LIVE = 60;

    private static final int NO_ERROR = 0;
    private static final int FORMAT_ERROR = 1;
    private static final int SERVER_FAILURE = 2;
    private static final int NO_SUCH_NAME = 3;
    private static final int NOT_IMPLEMENTED = 4;

    private final AllowedHosts hosts;
    private final FakeAddresses addresses;
    private final ConnectionLog log;

    NameAnswers(AllowedHosts hosts, FakeAddresses addresses, ConnectionLog log) {
        this.hosts = hosts;
        this.addresses = addresses;
        this.log = log;
    }

    private record Question(String name, int type, int dnsClass, int end) {}

    /**
     * Answers a query.
     *
     * @param query the message
     * @return the answer; empty if the message cannot be answered
     */
    Optional<byte[]> answer(byte[] query) {
        if (query.length < HEADER_BYTES || (query[2] & 0x80) != 0) {
            return Optional.empty();
        }
        ByteBuffer message = ByteBuffer.wrap(query);
        if ((message.getShort(2) & OPCODE) != 0) {
            return Optional.of(response(query, HEADER_BYTES, NOT_IMPLEMENTED, new byte[0]));
        }
        Optional<Question> question = question(message);
        return Optional.of(question.map(asked -> answer(query, asked))
                .orElseGet(() -> response(query, HEADER_BYTES, FORMAT_ERROR, new byte[0])));
    }

    private byte[] answer(byte[] query, Question question) {
        Optional<String> name = HostRule.canonical(question.name());
        Optional<HostRule> rule = name.flatMap(hosts::rule);
        boolean isAsked = rule.isEmpty() && name.filter(hosts::canAskAbout).isPresent();
        if (question.dnsClass() != CLASS_IN || (rule.isEmpty() && !isAsked)) {
            log.deniedName(question.name());
            return response(query, question.end(), NO_SUCH_NAME, new byte[0]);
        }
        if (question.type() != TYPE_A) {
            return response(query, question.end(), NO_ERROR, new byte[0]);
        }
        Optional<byte[]> address = isAsked ? addresses.ofAsked(name.get()) : addresses.of(name.get(), rule.get());
        if (address.isEmpty()) {
            log.denied(
                    name.get(),
                    OptionalInt.empty(),
                    "more than " + FakeAddresses.MAX_NAMES_BELOW + " names below '"
                            + rule.map(HostRule::domain).orElse("") + "', or " + FakeAddresses.MAX_NAMES
                            + " below all wildcards, were looked up");
            return response(query, question.end(), SERVER_FAILURE, new byte[0]);
        }
        return response(query, question.end(), NO_ERROR, address.get());
    }

    private static Optional<Question> question(ByteBuffer message) {
        if (message.getShort(4) != 1) {
            return Optional.empty();
        }
        try {
            ByteBuffer read = message.duplicate().position(HEADER_BYTES);
            StringBuilder name = new StringBuilder();
            for (int length = read.get(); length != 0; length = read.get()) {
                if (length < 0 || length > MAX_LABEL_LENGTH) {
                    return Optional.empty(); // no question needs a pointer
                }
                byte[] label = new byte[length];
                read.get(label);
                // A dot inside a label is no separator; HostRule refuses the byte that replaces it.
                name.append(new String(label, ISO_8859_1).replace('.', '\0')).append('.');
            }
            return Optional.of(new Question(
                    name.toString(),
                    Short.toUnsignedInt(read.getShort()),
                    Short.toUnsignedInt(read.getShort()),
                    read.position()));
        } catch (BufferUnderflowException cut) {
            return Optional.empty();
        }
    }

    private static byte[] response(byte[] query, int end, int code, byte[] address) {
        boolean hasAnswer = address.length > 0;
        ByteBuffer response = ByteBuffer.allocate(end + (hasAnswer ? HEADER_BYTES + address.length : 0));
        response.put(query, 0, end);
        response.putShort(2, (short) (IS_RESPONSE | (response.getShort(2) & OPCODE) | RECURSION | code));
        response.putShort(4, (short) (end > HEADER_BYTES ? 1 : 0));
        response.putShort(6, (short) (hasAnswer ? 1 : 0));
        response.putInt(8, 0);
        if (hasAnswer) {
            response.putShort((short) NAME_OF_QUESTION)
                    .putShort((short) TYPE_A)
                    .putShort((short) CLASS_IN)
                    .putInt(SECONDS_TO_LIVE)
                    .putShort((short) address.length)
                    .put(address);
        }
        return response.array();
    }
}
