/**
 * The content-addressed store: packs, objects, manifests and records.
 *
 * <p>One package, though it has 17 classes: eleven are package-private, since none of them keeps the store consistent
 * by itself. Separate formats and operations would expose those to the module.
 */
@NullMarked
package dev.paddock.harness.workspace.store;

import org.jspecify.annotations.NullMarked;
