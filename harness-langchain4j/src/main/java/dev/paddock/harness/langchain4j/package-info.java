/** Language models for the agent session, through LangChain4j. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.langchain4j;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
