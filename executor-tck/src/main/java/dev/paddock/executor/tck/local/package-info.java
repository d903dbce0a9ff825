/** The tests that sandboxes of the same machine have in common besides the contract. */
@NullMarked
package dev.paddock.executor.tck.local;

import org.jspecify.annotations.NullMarked;
