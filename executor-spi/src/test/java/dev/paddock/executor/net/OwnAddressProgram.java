package dev.paddock.executor.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Prints the kinds of two addresses, of which the test's namespace has one. */
final class OwnAddressProgram {
    private OwnAddressProgram() {}

    public static void main(String[] arguments) throws UnknownHostException {
        for (String address : List.of("8.8.4.4", "8.8.8.8")) {
            System.out.println(address + " " + AddressKind.fromHere(InetAddress.getByName(address)));
        }
    }
}
