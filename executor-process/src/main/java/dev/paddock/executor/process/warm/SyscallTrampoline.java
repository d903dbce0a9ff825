package dev.paddock.executor.process.warm;

import dev.paddock.executor.process.posix.Architecture;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The machine code of a program that makes the system calls that it reads, as an executable file:
 * fifty instructions, no library, no stack; it starts in a quarter of a shell's time.
 *
 * <p>It reads a list into its memory at {@link #ROOM} and makes its calls in order, then reads the
 * next list. When a call fails it writes that call's first {@value #ANSWER_BYTES} bytes, and makes
 * no more: it waits for the end of its input, then exits.
 *
 * <p>A list, all numbers of 64 bits in the machine's order: its length in bytes, the address of its
 * first call, data that calls point to, the calls, and a negative number. A call: its number, which
 * a failed call replaces with its negative error number; a word for the reader of the answer; six
 * arguments.
 */
@SuppressWarnings("exports") // only modules that the C library is exported to use it
public enum SyscallTrampoline {
    /** Intel and AMD, 64 bits. Objects of the System V ABI call the machine EM_X86_64, 62. */
    X86_64(62, """
            bb 00 00 00 10                    mov   ebx, ROOM
            31 ed               next:         xor   ebp, ebp            ; bytes read
            bf 03 00 00 00      more:         mov   edi, ORDERS
            48 8d 34 2b                       lea   rsi, [rbx + rbp]
            ba 10 00 00 00                    mov   edx, 16             ; to where the length has been read
            39 d5                             cmp   ebp, edx
            72 03                             jb    rest
            48 8b 13                          mov   rdx, [rbx]          ; then to the end, and no further
            48 29 ea            rest:         sub   rdx, rbp
            31 c0                             xor   eax, eax            ; read
            0f 05                             syscall
            48 85 c0                          test  rax, rax
            7e 73                             jle   end
            48 01 c5                          add   rbp, rax
            83 fd 10                          cmp   ebp, 16
            72 d7                             jb    more
            48 3b 2b                          cmp   rbp, [rbx]
            72 d2                             jb    more
            4c 8b 63 08                       mov   r12, [rbx + 8]      ; the first call
            49 8b 04 24         call:         mov   rax, [r12]
            48 85 c0                          test  rax, rax
            78 c3                             js    next
            49 8b 7c 24 10                    mov   rdi, [r12 + 16]
            49 8b 74 24 18                    mov   rsi, [r12 + 24]
            49 8b 54 24 20                    mov   rdx, [r12 + 32]
            4d 8b 54 24 28                    mov   r10, [r12 + 40]
            4d 8b 44 24 30                    mov   r8,  [r12 + 48]
            4d 8b 4c 24 38                    mov   r9,  [r12 + 56]
            0f 05                             syscall
            48 85 c0                          test  rax, rax
            78 06                             js    failed
            49 83 c4 40                       add   r12, 64
            eb cc                             jmp   call
            49 89 04 24         failed:       mov   [r12], rax
            bf 04 00 00 00                    mov   edi, ANSWERS
            4c 89 e6                          mov   rsi, r12
            ba 10 00 00 00                    mov   edx, 16
            b8 01 00 00 00                    mov   eax, 1              ; write
            0f 05                             syscall
            bf 03 00 00 00      drain:        mov   edi, ORDERS
            48 89 de                          mov   rsi, rbx
            ba 00 10 00 00                    mov   edx, 4096
            31 c0                             xor   eax, eax            ; read
            0f 05                             syscall
            48 85 c0                          test  rax, rax
            7f ea                             jg    drain
            31 ff               end:          xor   edi, edi
            b8 3c 00 00 00                    mov   eax, 60             ; exit
            0f 05                             syscall
            """),

    /** ARM, 64 bits: EM_AARCH64, 183. Run in an emulator, never yet on such a machine. */
    AARCH64(183, """
            13 00 a2 d2                       mov   x19, ROOM
            14 00 80 d2         next:         mov   x20, 0              ; bytes read
            60 00 80 d2         more:         mov   x0, ORDERS
            61 02 14 8b                       add   x1, x19, x20
            02 02 80 d2                       mov   x2, 16              ; to where the length has been read
            9f 02 02 eb                       cmp   x20, x2
            43 00 00 54                       b.lo  rest
            62 02 40 f9                       ldr   x2, [x19]           ; then to the end, and no further
            42 00 14 cb         rest:         sub   x2, x2, x20
            e8 07 80 d2                       mov   x8, 63              ; read
            01 00 00 d4                       svc   0
            1f 00 00 f1                       cmp   x0, 0
            cd 03 00 54                       b.le  end
            94 02 00 8b                       add   x20, x20, x0
            9f 42 00 f1                       cmp   x20, 16
            63 fe ff 54                       b.lo  more
            62 02 40 f9                       ldr   x2, [x19]
            9f 02 02 eb                       cmp   x20, x2
            03 fe ff 54                       b.lo  more
            75 06 40 f9                       ldr   x21, [x19, 8]       ; the first call
            a8 02 40 f9         call:         ldr   x8, [x21]
            88 fd ff b7                       tbnz  x8, 63, next
            a0 06 41 a9                       ldp   x0, x1, [x21, 16]
            a2 0e 42 a9                       ldp   x2, x3, [x21, 32]
            a4 16 43 a9                       ldp   x4, x5, [x21, 48]
            01 00 00 d4                       svc   0
            60 00 f8 b7                       tbnz  x0, 63, failed
            b5 02 01 91                       add   x21, x21, 64
            f8 ff ff 17                       b     call
            a0 02 00 f9         failed:       str   x0, [x21]
            80 00 80 d2                       mov   x0, ANSWERS
            e1 03 15 aa                       mov   x1, x21
            02 02 80 d2                       mov   x2, 16
            08 08 80 d2                       mov   x8, 64              ; write
            01 00 00 d4                       svc   0
            60 00 80 d2         drain:        mov   x0, ORDERS
            e1 03 13 aa                       mov   x1, x19
            02 00 82 d2                       mov   x2, 4096
            e8 07 80 d2                       mov   x8, 63              ; read
            01 00 00 d4                       svc   0
            1f 00 00 f1                       cmp   x0, 0
            4c ff ff 54                       b.gt  drain
            00 00 80 d2         end:          mov   x0, 0
            a8 0b 80 d2                       mov   x8, 93              ; exit
            01 00 00 d4                       svc   0
            """);

    /** The descriptor that the program reads lists from. */
    public static final int ORDERS = 3;

    /** The descriptor that the program writes a failed call to. */
    public static final int ANSWERS = 4;

    /** The address in the program's memory that it reads a list to. */
    public static final long ROOM = 0x1000_0000;

    /**
     * The longest list: larger than the kernel's limit for arguments and environment, 6 MiB; it
     * uses no memory before it is written.
     */
    public static final int ROOM_BYTES = 8 << 20;

    /** The number of bytes of a failed call that the program writes. */
    public static final int ANSWER_BYTES = 16;

    private static final Pattern INSTRUCTION = Pattern.compile("(?m)^((?:[0-9a-f]{2} ?)+) ");

    private static final long CODE_ADDRESS = 0x40_0000;
    private static final int HEADER_BYTES = 64;
    private static final int SEGMENT_BYTES = 56;
    private static final int CODE_START = HEADER_BYTES + 3 * SEGMENT_BYTES;

    /** Larger than any page size. */
    private static final long ALIGNMENT = 0x1_0000;

    private static final int LOAD = 1;
    private static final int GNU_STACK = 0x6474e551;
    private static final int EXECUTE = 1;
    private static final int WRITE = 2;
    private static final int READ = 4;

    private final int machine;
    private final String listing;

    SyscallTrampoline(int machine, String listing) {
        this.machine = machine;
        this.listing = listing;
    }

    /** Returns the program for an architecture. */
    public static SyscallTrampoline of(Architecture architecture) {
        return switch (architecture) {
            case X86_64 -> X86_64;
            case AARCH64 -> AARCH64;
        };
    }

    /** Returns the instructions only. */
    byte[] code() {
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        Matcher lines = INSTRUCTION.matcher(listing);
        while (lines.find()) {
            code.writeBytes(HexFormat.ofDelimiter(" ").parseHex(lines.group(1).strip()));
        }
        return code.toByteArray();
    }

    /**
     * Returns the executable file, in the ELF format. Its second segment begins with some bytes of
     * the file, since older kernels do not create a segment without file content; the third
     * declares that the stack is not executable.
     */
    public byte[] image() {
        byte[] code = code();
        int length = CODE_START + code.length;
        byte[] image = new byte[length];
        ByteBuffer file = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        file.put(new byte[] {0x7f, 'E', 'L', 'F', /* 64 bits */ 2, /* little-endian */ 1, /* version */ 1});
        file.position(16);
        file.putShort((short) /* executable */ 2).putShort((short) machine).putInt(1);
        file.putLong(CODE_ADDRESS + CODE_START).putLong(HEADER_BYTES).putLong(0).putInt(0);
        file.putShort((short) HEADER_BYTES).putShort((short) SEGMENT_BYTES).putShort((short) 3);
        file.position(HEADER_BYTES);
        segment(file, LOAD, READ | EXECUTE, CODE_ADDRESS, length, length);
        segment(file, LOAD, READ | WRITE, ROOM, HEADER_BYTES, ROOM_BYTES);
        segment(file, GNU_STACK, READ | WRITE, 0, 0, 0);
        file.put(code);
        return image;
    }

    private static void segment(ByteBuffer file, int type, int access, long address, long inFile, long inMemory) {
        file.putInt(type).putInt(access).putLong(0).putLong(address).putLong(address);
        file.putLong(inFile).putLong(inMemory).putLong(ALIGNMENT);
    }
}
