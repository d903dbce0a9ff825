/**
 * SPI for executors whose commands run in a place that byte streams alone reach: the channel to a
 * shell there.
 */
@NullMarked
package dev.paddock.executor.remote;

import org.jspecify.annotations.NullMarked;
