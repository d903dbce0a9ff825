/**
 * Language models for the agent session, and its tools for LangChain4j applications.
 *
 * <p>More than fifteen classes: a request, its repetitions and the translation of its failures
 * share LangChain4j's types, which leave this package nowhere.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.langchain4j;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
