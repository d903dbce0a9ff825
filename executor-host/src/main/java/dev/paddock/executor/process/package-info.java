/** Starting, supervising and ending process trees: what every executor that runs local processes builds on. */
@NullMarked
package dev.paddock.executor.process;

import org.jspecify.annotations.NullMarked;
