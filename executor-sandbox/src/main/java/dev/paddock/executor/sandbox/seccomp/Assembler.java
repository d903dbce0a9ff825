package dev.paddock.executor.sandbox.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Assembles a classic BPF program with labels. Jumps go forward only, as the kernel demands. Throws if a jump's target
 * does not fit into eight bits or was never placed.
 */
final class Assembler {

    /** {@code BPF_MAXINSNS}. */
    static final int MAX_INSTRUCTIONS = 4096;

    static final int INSTRUCTION_BYTES = 8;

    private static final int LOAD_WORD = 0x20; // BPF_LD | BPF_W | BPF_ABS
    private static final int AND = 0x54; // BPF_ALU | BPF_AND | BPF_K
    private static final int RETURN = 0x06; // BPF_RET | BPF_K
    private static final int UNPLACED = -1;
    private static final int MAX_OFFSET = 255;

    /** The comparison of a conditional jump with the accumulator. */
    enum Condition {
        EQUAL(0x15),
        GREATER_OR_EQUAL(0x35),
        ANY_BIT_OF(0x45);

        private final int code;

        Condition(int code) {
            this.code = code;
        }
    }

    /** A position in the program, defined by {@link #place}. */
    static final class Label {
        private final String name;
        private int position = UNPLACED;

        private Label(String name) {
            this.name = name;
        }
    }

    private record Instruction(int code, int operand, Label yes, Label no) {}

    private final List<Instruction> instructions = new ArrayList<>();

    Label label(String name) {
        return new Label(name);
    }

    Assembler place(Label label) {
        if (label.position != UNPLACED) {
            throw new IllegalStateException("the label " + label.name + " is placed twice");
        }
        label.position = instructions.size();
        return this;
    }

    /** Loads 32 bits of {@code struct seccomp_data} into the accumulator. */
    Assembler load(int offset) {
        return add(LOAD_WORD, offset);
    }

    Assembler and(int mask) {
        return add(AND, mask);
    }

    Assembler returning(int verdict) {
        return add(RETURN, verdict);
    }

    Assembler jumpIf(Condition condition, int operand, Label yes) {
        return jump(condition, operand, yes, following());
    }

    Assembler jumpUnless(Condition condition, int operand, Label no) {
        return jump(condition, operand, following(), no);
    }

    /** Jumps to one label or the other; comparisons are unsigned. */
    Assembler jump(Condition condition, int operand, Label yes, Label no) {
        instructions.add(new Instruction(condition.code, operand, yes, no));
        return this;
    }

    /** Returns the program as the kernel reads it, in the byte order of both architectures. */
    byte[] assemble() {
        if (instructions.isEmpty() || instructions.size() > MAX_INSTRUCTIONS) {
            throw new IllegalStateException(
                    "a program has 1 to " + MAX_INSTRUCTIONS + " instructions, not " + instructions.size());
        }
        if (instructions.getLast().code != RETURN) {
            throw new IllegalStateException("the program runs over its end");
        }
        ByteBuffer program = ByteBuffer.allocate(instructions.size() * INSTRUCTION_BYTES);
        program.order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < instructions.size(); at++) {
            Instruction instruction = instructions.get(at);
            program.putShort((short) instruction.code)
                    .put((byte) distance(at, instruction.yes))
                    .put((byte) distance(at, instruction.no))
                    .putInt(instruction.operand);
        }
        return program.array();
    }

    /** Returns a label for the instruction after the one that is added next. */
    private Label following() {
        Label label = label("the next instruction");
        label.position = instructions.size() + 1;
        return label;
    }

    private Assembler add(int code, int operand) {
        Label next = following();
        instructions.add(new Instruction(code, operand, next, next));
        return this;
    }

    private int distance(int from, Label to) {
        if (to.position == UNPLACED) {
            throw new IllegalStateException("the label " + to.name + " was never placed");
        }
        int distance = to.position - from - 1;
        if (distance < 0 || distance > MAX_OFFSET) {
            throw new IllegalStateException(
                    "the jump from instruction " + from + " to " + to.name + " does not fit: " + distance);
        }
        if (to.position >= instructions.size() && instructions.get(from).code != RETURN) {
            throw new IllegalStateException(
                    "the jump from instruction " + from + " to " + to.name + " leaves the program");
        }
        return instructions.get(from).code == RETURN ? 0 : distance;
    }
}
