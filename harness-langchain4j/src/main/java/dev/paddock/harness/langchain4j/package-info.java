/** Language models for the agent session, and its tools for LangChain4j applications. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.langchain4j;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
