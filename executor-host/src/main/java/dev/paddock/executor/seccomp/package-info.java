/** The system-call filter of the kernel sandboxes: a classic BPF program, computed from what a sandbox allows. */
@NullMarked
package dev.paddock.executor.seccomp;

import org.jspecify.annotations.NullMarked;
