/**
 * Selects the tests of the suites that Paddock's own builds run for each of its executors. Integrators run every
 * test.
 */
@NullMarked
package dev.paddock.executor.tck.layer;

import org.jspecify.annotations.NullMarked;
