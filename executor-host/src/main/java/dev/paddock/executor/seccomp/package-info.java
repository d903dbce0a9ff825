/** The system-call filter of the kernel sandboxes: a classic BPF program, computed from what a sandbox allows. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.seccomp;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
