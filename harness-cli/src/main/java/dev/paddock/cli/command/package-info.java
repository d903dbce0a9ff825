/**
 * Shared parts of the subcommands: arguments, options, help, and the sandbox that options describe.
 *
 * <p>More than fifteen classes: most are one kind of option or value each, and the sandbox's options are
 * read by half of the subcommands.
 */
@NullMarked
package dev.paddock.cli.command;

import org.jspecify.annotations.NullMarked;
