/** The agent subcommand: the session, the model, and how a session is shown. */
@NullMarked
package dev.paddock.cli.agent;

import org.jspecify.annotations.NullMarked;
