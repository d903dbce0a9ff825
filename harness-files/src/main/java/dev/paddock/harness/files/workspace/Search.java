package dev.paddock.harness.files.workspace;

import dev.paddock.harness.files.Location;
import java.io.IOException;

/** A search that runs in one directory or file after another. */
interface Search {
    void in(Location where) throws IOException;

    /** Counts a root that cannot be searched. */
    void missed();
}
