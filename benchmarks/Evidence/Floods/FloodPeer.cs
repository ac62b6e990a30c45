using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Evidence.Statistics;

namespace Evidence.Floods;

/// <summary>The hostile process: floods on one connection until it is cut off, rests, and comes back, until its standard input ends. Then it says how long it was let.</summary>
internal static class FloodPeer
{
    private const int Batch = 64;
    private const int Silent = 2_000;
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(200);

    public static void Run(string kind, string address)
    {
        var server = MuxAddress.Parse(address);
        var ended = Task.Run(Console.In.ReadToEnd);
        var times = new List<double>();
        long frames = 0;
        double last = 0;
        if (kind == "silence") Hold(server, ended);
        while (!ended.IsCompleted)
        {
            frames += Flood(kind, server, ended, times, out last);
            ended.Wait(s_rest);
        }

        Console.WriteLine(new FloodReport(times.Count, times.Count > 0 ? Estimate.MedianOf(times) : 0, times.Append(last).Max(), frames));
    }

    /// <param name="kind">One of <see cref="FloodFrames.Kinds"/>.</param>
    /// <param name="server">Its address.</param>
    /// <param name="ended">Completes when the flood is over.</param>
    /// <param name="times">Gets the time after which the connection was cut off, if it was.</param>
    /// <param name="lived">The time that it lived, cut off or not.</param>
    /// <returns>Frames, or groups of frames, that were sent.</returns>
    private static long Flood(string kind, MuxAddress server, Task ended, List<double> times, out double lived)
    {
        using var socket = Connect(server);
        if (kind is "calls") _ = Task.Run(() => Drain(socket));
        socket.Send(FloodFrames.Greeting(kind));
        long start = Stopwatch.GetTimestamp();
        int sent = 0;
        while (!ended.IsCompleted)
        {
            byte[] batch = [.. Enumerable.Range(sent, Batch).SelectMany(number => FloodFrames.Next(kind, number))];
            sent += Batch;
            try
            {
                socket.Send(batch);
            }
            catch (SocketException)
            {
                times.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
                break;
            }
        }

        lived = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        return sent;
    }

    private static void Hold(MuxAddress server, Task ended)
    {
        var sockets = new List<Socket>();
        while (sockets.Count < Silent && !ended.IsCompleted) sockets.Add(Connect(server));
        ended.Wait();
        foreach (var socket in sockets) socket.Dispose();
    }

    public static void Drain(Socket socket)
    {
        var buffer = new byte[64 * 1024];
        try
        {
            while (socket.Receive(buffer) > 0)
            {
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // The flood is over.
        }
    }

    public static Socket Connect(MuxAddress server)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, SendTimeout = 1_000 };
        socket.Bind(new IPEndPoint(IPAddress.Parse("127.0.0.9"), 0)); // another address than that of the client beside it
        socket.Connect(IPAddress.Parse(server.Host), server.Port);
        return socket;
    }
}
