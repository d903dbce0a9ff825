/** The system calls that a walk through an open directory needs. */
@NullMarked
package dev.paddock.harness.workspace.kernel;

import org.jspecify.annotations.NullMarked;
