/** Tools that a session offers to its model, and what it takes to write one. */
@NullMarked
package dev.paddock.harness.tool;

import org.jspecify.annotations.NullMarked;
