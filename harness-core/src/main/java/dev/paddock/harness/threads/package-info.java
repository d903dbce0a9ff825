/** How the harness makes its threads. */
@NullMarked
package dev.paddock.harness.threads;

import org.jspecify.annotations.NullMarked;
