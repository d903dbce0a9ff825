/**
 * Writes the documents that describe the command line, from the subcommands' own options and help
 * texts: the shells' completions and the manual page.
 */
@NullMarked
package dev.paddock.cli.reference;

import org.jspecify.annotations.NullMarked;
