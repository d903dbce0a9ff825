/** The setup subcommand: adds Paddock's MCP server to the settings of other agents. */
@NullMarked
package dev.paddock.cli.setup;

import org.jspecify.annotations.NullMarked;
