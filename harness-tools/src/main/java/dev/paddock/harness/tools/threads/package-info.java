/** Threads of the harness: daemons that inherit no caller's thread-locals. */
@NullMarked
package dev.paddock.harness.tools.threads;

import org.jspecify.annotations.NullMarked;
