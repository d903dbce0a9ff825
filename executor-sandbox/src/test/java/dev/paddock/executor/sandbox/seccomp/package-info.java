/** Tests of the system-call filter, with an interpreter of its programs. */
@NullMarked
package dev.paddock.executor.sandbox.seccomp;

import org.jspecify.annotations.NullMarked;
