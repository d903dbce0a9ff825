/** Skills: instructions for particular tasks, which the model reads when it comes to one. */
@NullMarked
package dev.paddock.harness.skills;

import org.jspecify.annotations.NullMarked;
