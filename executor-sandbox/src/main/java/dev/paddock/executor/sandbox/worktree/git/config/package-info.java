/** The grammar of git's configuration files. */
@NullMarked
package dev.paddock.executor.sandbox.worktree.git.config;

import org.jspecify.annotations.NullMarked;
