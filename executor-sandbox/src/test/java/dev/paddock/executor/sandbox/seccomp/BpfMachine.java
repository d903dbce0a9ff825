package dev.paddock.executor.sandbox.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Interprets classic BPF as the kernel does, applies the kernel's own checks first, and records
 * which instructions were reached and which way each condition went.
 */
final class BpfMachine {

    private static final int DATA_BYTES = 64;

    private record Instruction(int code, int yes, int no, int operand) {}

    private final List<Instruction> program = new ArrayList<>();
    private final BitSet reached = new BitSet();
    private final BitSet taken = new BitSet();
    private final BitSet passed = new BitSet();

    BpfMachine(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            program.add(new Instruction(
                    buffer.getShort() & 0xFFFF, buffer.get() & 0xFF, buffer.get() & 0xFF, buffer.getInt()));
        }
        check();
    }

    private void check() {
        for (int at = 0; at < program.size(); at++) {
            Instruction instruction = program.get(at);
            boolean known = switch (instruction.code) {
                case 0x20 -> instruction.operand % 4 == 0 && instruction.operand < DATA_BYTES;
                case 0x54, 0x06 -> true;
                case 0x15, 0x35, 0x45 -> at + 1 + Math.max(instruction.yes, instruction.no) < program.size();
                default -> false;
            };
            if (!known) {
                throw new AssertionError("the kernel refuses instruction " + at + ": " + instruction);
            }
        }
        if (program.getLast().code != 0x06) {
            throw new AssertionError("the kernel refuses a program that does not end with a return");
        }
    }

    /** Returns the verdict over one call. */
    int run(int entry, int number, long... arguments) {
        ByteBuffer data = ByteBuffer.allocate(DATA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(0, number).putInt(4, entry);
        for (int i = 0; i < arguments.length; i++) {
            data.putLong(16 + 8 * i, arguments[i]);
        }
        int accumulator = 0;
        int at = 0;
        while (true) {
            Instruction instruction = program.get(at);
            reached.set(at);
            boolean holds = false;
            switch (instruction.code) {
                case 0x20 -> accumulator = data.getInt(instruction.operand);
                case 0x54 -> accumulator &= instruction.operand;
                case 0x06 -> {
                    return instruction.operand;
                }
                case 0x15 -> holds = accumulator == instruction.operand;
                case 0x35 -> holds = Integer.compareUnsigned(accumulator, instruction.operand) >= 0;
                case 0x45 -> holds = (accumulator & instruction.operand) != 0;
                default -> throw new AssertionError("checked before: " + instruction);
            }
            if (isCondition(instruction)) {
                (holds ? taken : passed).set(at);
                at += holds ? instruction.yes : instruction.no;
            }
            at++;
        }
    }

    /** Returns the instructions and branches that no run so far has reached. */
    List<String> unseen() {
        List<String> unseen = new ArrayList<>();
        for (int at = 0; at < program.size(); at++) {
            Instruction instruction = program.get(at);
            if (!reached.get(at)) {
                unseen.add("instruction " + at + " was not reached: " + instruction);
            } else if (isCondition(instruction) && !(taken.get(at) && passed.get(at))) {
                unseen.add("the condition " + at + " always went one way: " + instruction);
            }
        }
        return unseen;
    }

    private static boolean isCondition(Instruction instruction) {
        return (instruction.code & 7) == 5;
    }
}
