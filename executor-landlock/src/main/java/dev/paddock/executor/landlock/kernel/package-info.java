/** Compiles a policy to Landlock rules, and makes the system calls that enforce them. */
@NullMarked
package dev.paddock.executor.landlock.kernel;

import org.jspecify.annotations.NullMarked;
