/**
 * Shared parts of the subcommands: arguments, options, help, and the sandbox that options describe.
 *
 * <p>More than fifteen classes: most are one kind of option or value each, and half of the subcommands read the
 * sandbox's options.
 */
@NullMarked
package dev.paddock.cli.command;

import org.jspecify.annotations.NullMarked;
