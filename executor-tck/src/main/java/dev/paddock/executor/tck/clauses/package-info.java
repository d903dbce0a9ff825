/** The clauses of the contract, C1 to C19. */
@NullMarked
package dev.paddock.executor.tck.clauses;

import org.jspecify.annotations.NullMarked;
