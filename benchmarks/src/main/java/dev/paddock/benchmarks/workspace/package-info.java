/** Measures workspaces, snapshots and copies beside git, cp and backup programs. */
@NullMarked
package dev.paddock.benchmarks.workspace;

import org.jspecify.annotations.NullMarked;
