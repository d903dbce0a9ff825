/* The headers of the executable file, the same for each processor. A trampoline includes this file
   first, defines `machine`, and places its instructions between `start` and `end`.

   The file is not linked: its addresses are computed here, and its bytes are those of the section. */

        .ifndef requests                /* as --defsym sets them otherwise */
        .set    requests, 3             /* descriptor: the program reads batches from it */
        .set    answers, 4              /* descriptor: it writes a failed call to it */
        .endif
        .set    answer_bytes, 16        /* the first two words of that call */
        .set    memory, 0x10000000      /* address: it reads a batch to it */
        .set    memory_bytes, 8 << 20   /* more than the kernel accepts for a command */
        .set    batch_header_bytes, 16  /* length of the batch in bytes, address of its first call */
        .set    call_bytes, 64          /* number, purpose, six arguments */

        .set    code, 0x400000          /* address of the file's first byte */
        .set    alignment, 0x10000      /* larger than any page */

file:   .byte   0x7f, 'E', 'L', 'F', 2, 1, 1, 0         /* 64 bits, little-endian, version 1 */
        .8byte  0
        .2byte  2, machine                              /* executable */
        .4byte  1
        .8byte  code + (start - file)                   /* entry */
        .8byte  segments - file, 0                      /* no sections */
        .4byte  0
        .2byte  segments - file, 56, 3, 0, 0, 0         /* three segments of 56 bytes */

segments:
        .4byte  1, 5                                    /* load, readable and executable: this file */
        .8byte  0, code, code, end - file, end - file, alignment

        /* Load, readable and writable: the memory. It begins with some bytes of the file, since
           older kernels do not create a segment without file content. */
        .4byte  1, 6
        .8byte  0, memory, memory, segments - file, memory_bytes, alignment

        .4byte  0x6474e551, 6                           /* GNU_STACK: not executable */
        .8byte  0, 0, 0, 0, 0, alignment
