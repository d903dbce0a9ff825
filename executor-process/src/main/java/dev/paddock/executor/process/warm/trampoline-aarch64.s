/* Makes the system calls of the batches that it reads; see SyscallTrampoline.java.
   x19: memory; x20: bytes read; x21: the current call. */

        .set    machine, 183            /* EM_AARCH64 */
        .include "trampoline-elf.s"

start:  mov     x19, memory
next:   mov     x20, 0
more:   mov     x0, requests
        add     x1, x19, x20
        mov     x2, batch_header_bytes  /* reads the header first, */
        cmp     x20, x2
        b.lo    rest
        ldr     x2, [x19]               /* then the rest of the batch, and nothing of the next one */
rest:   sub     x2, x2, x20
        mov     x8, 63                  /* read */
        svc     0
        cmp     x0, 0
        b.le    exit
        add     x20, x20, x0
        cmp     x20, batch_header_bytes
        b.lo    more
        ldr     x2, [x19]
        cmp     x20, x2
        b.lo    more
        ldr     x21, [x19, 8]
call:   ldr     x8, [x21]
        tbnz    x8, 63, next            /* a negative number ends the batch */
        ldp     x0, x1, [x21, 16]
        ldp     x2, x3, [x21, 32]
        ldp     x4, x5, [x21, 48]
        svc     0
        tbnz    x0, 63, failed
        add     x21, x21, call_bytes
        b       call
failed: str     x0, [x21]
        mov     x0, answers
        mov     x1, x21
        mov     x2, answer_bytes
        mov     x8, 64                  /* write */
        svc     0
drain:  mov     x0, requests            /* waits for the end of the requests */
        mov     x1, x19
        mov     x2, 4096
        mov     x8, 63                  /* read */
        svc     0
        cmp     x0, 0
        b.gt    drain
exit:   mov     x0, 0
        mov     x8, 93                  /* exit */
        svc     0
end:
