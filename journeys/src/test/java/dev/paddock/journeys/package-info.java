/** Whole paths that people take, from the first line that they type to the value that they wanted. */
@NullMarked
package dev.paddock.journeys;

import org.jspecify.annotations.NullMarked;
