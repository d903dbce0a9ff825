/**
 * Shared parts of the subcommands: arguments, options, help, and the sandbox that options describe.
 */
@NullMarked
package dev.paddock.cli.command;

import org.jspecify.annotations.NullMarked;
