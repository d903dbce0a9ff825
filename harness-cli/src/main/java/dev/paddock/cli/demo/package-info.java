/** The demo subcommand. */
@NullMarked
package dev.paddock.cli.demo;

import org.jspecify.annotations.NullMarked;
