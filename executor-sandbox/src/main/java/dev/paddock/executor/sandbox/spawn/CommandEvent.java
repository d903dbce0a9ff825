package dev.paddock.executor.sandbox.spawn;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The flight recorder's event of a command, from its launch to its close. */
@Name("dev.paddock.Command")
@Label("Command")
@Category("Paddock")
@Description("A command, from its launch to its close")
@StackTrace(false)
final class CommandEvent extends Event {
    @Label("Executor")
    String executor = "";

    @Label("Program")
    @Description("The name of the command's first program; no argument")
    String program = "";

    @Label("Warm")
    @Description("Whether a sandbox was ready")
    boolean warm;

    @Label("Start")
    @Description("The time until the command's shell was executed")
    @Timespan(Timespan.NANOSECONDS)
    long start;

    @Label("Status")
    @Description("exited, signaled NAME, out of memory or lost")
    String status = "";

    @Label("Code")
    @Description("The exit code as a shell reports it; -1 if the command was lost")
    int code = -1;

    @Label("Output")
    @Description("What the caller has read of both streams")
    @DataAmount
    long output;
}
