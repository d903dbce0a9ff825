/**
 * The clauses of the contract, C1 to C20.
 *
 * <p>More than fifteen classes, because each has the tests of one clause or two.
 */
@NullMarked
package dev.paddock.executor.tck.clauses;

import org.jspecify.annotations.NullMarked;
