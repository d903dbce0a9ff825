/** The content-addressed store: packs, objects, manifests and records. */
@NullMarked
package dev.paddock.harness.workspace.store;

import org.jspecify.annotations.NullMarked;
