/** The setup subcommand: enters Paddock's MCP server into the settings of other agents. */
@NullMarked
package dev.paddock.cli.setup;

import org.jspecify.annotations.NullMarked;
