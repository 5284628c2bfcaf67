// The peer of the call round trip: a Java object that a Python program reaches through py4j's gateway.

import py4j.GatewayServer;

public class Echo {
    public int echo(int number) {
        return number;
    }

    public static void main(String[] arguments) {
        GatewayServer server = new GatewayServer(new Echo(), 0);
        server.start();
        System.out.println(server.getListeningPort());
        System.out.flush();
    }
}
