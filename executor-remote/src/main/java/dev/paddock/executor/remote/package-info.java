/** SPI for executors whose commands run in a place that byte streams alone reach: how a shell there is reached. */
@NullMarked
package dev.paddock.executor.remote;

import org.jspecify.annotations.NullMarked;
