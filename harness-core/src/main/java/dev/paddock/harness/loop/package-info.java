/** The session's loop: requests turns from the model and executes the tool calls of each. */
@NullMarked
package dev.paddock.harness.loop;

import org.jspecify.annotations.NullMarked;
