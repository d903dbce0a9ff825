/** What the kernel is asked to grant: a policy compiled to Landlock rules, and the system calls that enforce them. */
@NullMarked
package dev.paddock.executor.landlock.kernel;

import org.jspecify.annotations.NullMarked;
