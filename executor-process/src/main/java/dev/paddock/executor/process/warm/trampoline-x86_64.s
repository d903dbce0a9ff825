/* Makes the system calls of the batches that it reads; see SyscallTrampoline.java.
   rbx: memory; rbp: bytes read; r12: the current call. */

        .intel_syntax noprefix
        .set    machine, 62             /* EM_X86_64 */
        .include "trampoline-elf.s"

start:  mov     ebx, memory
next:   xor     ebp, ebp
more:   mov     edi, requests
        lea     rsi, [rbx + rbp]
        mov     edx, batch_header_bytes /* reads the header first, */
        cmp     ebp, edx
        jb      rest
        mov     rdx, [rbx]              /* then the rest of the batch, and nothing of the next one */
rest:   sub     rdx, rbp
        xor     eax, eax                /* read */
        syscall
        test    rax, rax
        jle     exit
        add     rbp, rax
        cmp     ebp, batch_header_bytes
        jb      more
        cmp     rbp, [rbx]
        jb      more
        mov     r12, [rbx + 8]
call:   mov     rax, [r12]
        test    rax, rax
        js      next                    /* a negative number ends the batch */
        mov     rdi, [r12 + 16]
        mov     rsi, [r12 + 24]
        mov     rdx, [r12 + 32]
        mov     r10, [r12 + 40]
        mov     r8, [r12 + 48]
        mov     r9, [r12 + 56]
        syscall
        test    rax, rax
        js      failed
        add     r12, call_bytes
        jmp     call
failed: mov     [r12], rax
        mov     edi, answers
        mov     rsi, r12
        mov     edx, answer_bytes
        mov     eax, 1                  /* write */
        syscall
drain:  mov     edi, requests           /* waits for the end of the requests */
        mov     rsi, rbx
        mov     edx, 4096
        xor     eax, eax                /* read */
        syscall
        test    rax, rax
        jg      drain
exit:   xor     edi, edi
        mov     eax, 60                 /* exit */
        syscall
end:
