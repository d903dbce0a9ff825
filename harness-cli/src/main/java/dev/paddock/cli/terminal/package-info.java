/**
 * The caller and the terminal: environment, messages, styles, interrupts, and text that cannot
 * steer a terminal.
 */
@NullMarked
package dev.paddock.cli.terminal;

import org.jspecify.annotations.NullMarked;
