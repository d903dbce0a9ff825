/** Tests of the models, in their own package. */
@NullMarked
package dev.paddock.harness.langchain4j;

import org.jspecify.annotations.NullMarked;
