/** Models for the agent session, through LangChain4j. */
@NullMarked
package dev.paddock.harness.langchain4j;

import org.jspecify.annotations.NullMarked;
