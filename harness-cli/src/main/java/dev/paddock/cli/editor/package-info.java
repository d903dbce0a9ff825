/**
 * The line editor of a conversation at a terminal: prompts, questions, commands that begin with a
 * slash, and files that a prompt names.
 */
@NullMarked
package dev.paddock.cli.editor;

import org.jspecify.annotations.NullMarked;
