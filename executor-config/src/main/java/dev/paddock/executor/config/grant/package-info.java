/**
 * Grants from the user's own surroundings: the programs of the {@code PATH}, caches of build tools and the identity for
 * git commits, each as mounts and variables that every executor has.
 */
@NullMarked
package dev.paddock.executor.config.grant;

import org.jspecify.annotations.NullMarked;
