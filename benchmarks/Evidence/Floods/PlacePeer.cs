using System.Net.Sockets;

namespace Evidence.Floods;

/// <summary>The hostile process: connections that take all the handlers they can get, and keep them until its standard input ends.</summary>
internal static class PlacePeer
{
    /// <summary>Of each connection: twice what all of them get, so that as many wait at a server.</summary>
    private const int Requests = 600;

    public static void Run(int connections, string address)
    {
        var server = MuxAddress.Parse(address);
        var sockets = new List<Socket>();
        long sent = 0;
        for (int i = 0; i < connections; i++)
        {
            var socket = FloodPeer.Connect(server);
            sockets.Add(socket);
            _ = Task.Run(() => FloodPeer.Drain(socket));
            sent += socket.Send(FloodFrames.Greeting(PlaceTable.Kind));
            sent += socket.Send([.. Enumerable.Range(0, Requests).SelectMany(number => FloodFrames.Next(PlaceTable.Kind, number))]);
        }

        Console.WriteLine($"{sent / 1024.0:F0} KiB");
        Console.In.ReadToEnd();
        foreach (var socket in sockets) socket.Dispose();
    }
}
