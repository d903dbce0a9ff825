/**
 * A session at a terminal: its header, the commands of its editor, and the questions that it asks.
 */
@NullMarked
package dev.paddock.cli.dialogue;

import org.jspecify.annotations.NullMarked;
