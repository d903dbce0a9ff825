/** The agent session: its loop, its events and the model port. */
@NullMarked
package dev.paddock.harness;

import org.jspecify.annotations.NullMarked;
