package dev.paddock.samples;

import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.guest.GuestCode;
import dev.paddock.harness.guest.GuestException;
import dev.paddock.harness.guest.GuestOptions;
import dev.paddock.harness.guest.GuestResult;
import dev.paddock.harness.guest.session.GuestSession;
import java.nio.file.Path;

/**
 * Runs TypeScript over a directory, in a copy of it: the code counts words, and writes a report that
 * goes with the copy.
 */
public final class GuestScript {
    private static final String CODE = """
            export async function run(_: null, { WORKSPACE }: any) {
              const counts: Record<string, number> = {};
              for (const path of await WORKSPACE.glob('*.md')) {
                counts[path] = (await WORKSPACE.readText(path)).split(/\\s+/).length;
              }
              await WORKSPACE.writeText('report.json', JSON.stringify(counts));
              console.log('counted', Object.keys(counts).length);
              return counts;
            }
            """;

    private GuestScript() {}

    /**
     * Counts the words of the Markdown files of a directory.
     *
     * @param arguments the directory
     */
    public static void main(String[] arguments) {
        try (AgentContainer container = AgentContainer.builder(Path.of(arguments[0]))
                        .mode(AgentContainer.Mode.SHADOW)
                        .build();
                GuestSession guests = GuestSession.open(container, GuestOptions.standard())) {
            GuestResult result = guests.run(GuestCode.ts(CODE));
            result.logs().forEach(System.out::println);
            System.out.println(result.result());
        } catch (GuestException fault) {
            System.out.println(fault.name() + ": " + fault.getMessage() + "\n" + fault.guestStack());
        }
    }
}
