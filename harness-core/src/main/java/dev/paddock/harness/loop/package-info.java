/** The session's loop: one turn of the model after another, with the tools that each asks for. */
@NullMarked
package dev.paddock.harness.loop;

import org.jspecify.annotations.NullMarked;
