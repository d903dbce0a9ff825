/** Measures commands in pods and on other hosts, beside the programs that people use for that. */
@NullMarked
package dev.paddock.benchmarks.remote;

import org.jspecify.annotations.NullMarked;
