/**
 * The conformance matrix: policies that every backend is asked to enforce, and the observations
 * that show whether it does.
 */
@NullMarked
package dev.paddock.executor.tck.conformance;

import org.jspecify.annotations.NullMarked;
