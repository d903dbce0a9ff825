/** What tools have in common in what they tell the model: the schemas of their arguments, and texts that are cut. */
@NullMarked
package dev.paddock.harness.text;

import org.jspecify.annotations.NullMarked;
