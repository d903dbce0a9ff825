/** The clauses of the contract, C1 to C20. */
@NullMarked
package dev.paddock.executor.tck.clauses;

import org.jspecify.annotations.NullMarked;
