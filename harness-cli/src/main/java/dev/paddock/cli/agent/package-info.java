/**
 * The agent subcommand: the session, the model, and how a session is shown.
 *
 * <p>More than fifteen classes: most are one part of a session each, such as its prompts, its model or a view, which
 * only this command uses.
 */
@NullMarked
package dev.paddock.cli.agent;

import org.jspecify.annotations.NullMarked;
