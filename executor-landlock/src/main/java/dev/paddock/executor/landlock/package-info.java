/** Runs commands in sandboxes that the kernel's Landlock and seccomp make, with nothing to install. */
@NullMarked
package dev.paddock.executor.landlock;

import org.jspecify.annotations.NullMarked;
