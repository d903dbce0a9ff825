/** Keeps a session's messages in a directory. */
@NullMarked
package dev.paddock.harness.store;

import org.jspecify.annotations.NullMarked;
