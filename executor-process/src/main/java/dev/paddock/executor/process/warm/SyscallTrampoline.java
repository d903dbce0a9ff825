package dev.paddock.executor.process.warm;

import dev.paddock.executor.os.posix.Architecture;
import java.util.HexFormat;

/**
 * The executable file of a program that makes the system calls that it reads: fifty instructions, no library, no stack;
 * it starts in a quarter of a shell's time. Its assembler sources are {@code trampoline-*.s} in this directory; a test
 * assembles them and compares the bytes.
 *
 * <p>It reads a batch into its memory at {@link #MEMORY} and makes its calls in order, then reads the next batch. When
 * a call fails it writes that call's first {@value #ANSWER_BYTES} bytes, makes no more calls, waits for the end of its
 * input, and exits.
 *
 * <p>A batch consists of 64-bit numbers in the machine's order: its length in bytes, the address of its first call,
 * data that calls point to, the calls, and a negative number. A call: its number, which a failed call replaces with its
 * negative error number; a word for the reader of the answer; six arguments.
 */
enum SyscallTrampoline {
    /** Intel and AMD, 64 bits. */
    X86_64(1, """
            7f454c4602010100000000000000000002003e0001000000e8004000000000004000000000000000
            00000000000000000000000040003800030000000000000001000000050000000000000000000000
            000040000000000000004000000000008c010000000000008c010000000000000000010000000000
            01000000060000000000000000000000000000100000000000000010000000004000000000000000
            0000800000000000000001000000000051e574640600000000000000000000000000000000000000
            0000000000000000000000000000000000000000000000000000010000000000bb0000001031edbf
            RQ000000488d342bba1000000039d57203488b134829ea31c00f054885c07e734801c583fd1072d7
            483b2b72d24c8b6308498b04244885c078c3498b7c2410498b742418498b5424204d8b5424284d8b
            4424304d8b4c24380f054885c078064983c440ebcc49890424bfAN0000004c89e6ba10000000b801
            0000000f05bfRQ0000004889deba0010000031c00f054885c07fea31ffb83c0000000f05
            """),

    /** ARM, 64 bits. */
    AARCH64(0x20, """
            7f454c460201010000000000000000000200b70001000000e8004000000000004000000000000000
            00000000000000000000000040003800030000000000000001000000050000000000000000000000
            000040000000000000004000000000009c010000000000009c010000000000000000010000000000
            01000000060000000000000000000000000000100000000000000010000000004000000000000000
            0000800000000000000001000000000051e574640600000000000000000000000000000000000000
            00000000000000000000000000000000000000000000000000000100000000001300a2d2140080d2
            RQ0080d26102148b020280d29f0202eb43000054620240f9420014cbe80780d2010000d41f0000f1
            cd0300549402008b9f4200f163feff54620240f99f0202eb03feff54750640f9a80240f988fdffb7
            a00641a9a20e42a9a41643a9010000d46000f8b7b5020191f8ffff17a00200f9AN0080d2e10315aa
            020280d2080880d2010000d4RQ0080d2e10313aa020082d2e80780d2010000d41f0000f14cffff54
            000080d2a80b80d2010000d4
            """);

    /** The descriptor from which the program reads batches. */
    static final int REQUESTS = 3;

    /** The descriptor to which the program writes a failed call. */
    static final int ANSWERS = 4;

    /** The memory address to which the program reads a batch. */
    static final long MEMORY = 0x1000_0000;

    /**
     * The longest batch, larger than the kernel's limit of 6 MiB for arguments and environment; unwritten memory costs
     * nothing.
     */
    static final int MEMORY_BYTES = 8 << 20;

    /** The bytes of a failed call that the program writes. */
    static final int ANSWER_BYTES = 16;

    /** Placeholders for the numbers of the two descriptors. */
    private static final String OF_REQUESTS = "RQ";

    private static final String OF_ANSWERS = "AN";

    private final int unit;
    private final String hexadecimal;

    /**
     * Creates a program.
     *
     * @param unit the unit of a descriptor number's byte
     */
    SyscallTrampoline(int unit, String hexadecimal) {
        this.unit = unit;
        this.hexadecimal = hexadecimal;
    }

    static SyscallTrampoline of(Architecture architecture) {
        return switch (architecture) {
            case X86_64 -> X86_64;
            case AARCH64 -> AARCH64;
        };
    }

    /** Returns the executable file, in the ELF format. */
    byte[] image() {
        return image(REQUESTS, ANSWERS);
    }

    /** Returns the executable file for other descriptors, each below 8. */
    byte[] image(int requests, int answers) {
        return HexFormat.of()
                .parseHex(hexadecimal
                        .replace("\n", "")
                        .replace(OF_REQUESTS, hex(requests))
                        .replace(OF_ANSWERS, hex(answers)));
    }

    private String hex(int descriptor) {
        return HexFormat.of().toHexDigits((byte) (descriptor * unit));
    }
}
