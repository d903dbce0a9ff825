/** The guarantees of the contract, each tested if an executor claims it. */
@NullMarked
package dev.paddock.executor.tck.guarantees;

import org.jspecify.annotations.NullMarked;
