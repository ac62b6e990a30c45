using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Evidence.Statistics;

namespace Evidence.Topics;

/// <summary>A third process: bare sockets that subscribe, count frames and read nothing else of them, so that the server's side is what is measured.</summary>
internal static class FeedReceivers
{
    private const int HeaderLength = 8;

    /// <summary>When the last subscriber got an item, by when the item was published.</summary>
    private static ConcurrentDictionary<long, long> s_arrivals = new();

    /// <summary>Subscribes, prints a line when all have, and a line of figures for each line that it reads.</summary>
    /// <param name="port">Of the server.</param>
    /// <param name="connections">Number of subscribers.</param>
    /// <param name="stuck">Number of further ones that read nothing.</param>
    /// <param name="times">True to note when items arrive.</param>
    public static void Run(int port, int connections, int stuck, bool times)
    {
        var sockets = Enumerable.Range(0, connections + stuck).Select(number => Subscribe(port, isStuck: number >= connections)).ToList();
        foreach (var socket in sockets.Take(connections)) _ = ReadAsync(socket, times);
        Console.WriteLine("ready");
        while (Console.ReadLine() is not null)
        {
            var took = Interlocked.Exchange(ref s_arrivals, new()).Select(pair => Stopwatch.GetElapsedTime(pair.Key, pair.Value).TotalMilliseconds).ToList();
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{(took.Count == 0 ? 0 : Quantile.Of(took, 0.99)):F3} {took.Count}"));
        }
    }

    private static Socket Subscribe(int port, bool isStuck)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        if (isStuck) socket.ReceiveBufferSize = 4_096;
        socket.Connect(IPAddress.Loopback, port);
        byte[] hello = [1, 1, 0, 0, 4, 0, 4, 0, .. BitConverter.GetBytes(isStuck ? 4_096 : int.MaxValue)]; // setting 4: credit of a stream
        const byte ResponseStream = 2;
        socket.Send([
            .. "MUX1\r\n\u001a\n"u8, .. Frame(0x01, 0, hello), .. Frame(0x05, 0, [0, 0, ResponseStream, .. Encoding.ASCII.GetBytes("evidence.Feed/Watch")]),
            .. Frame(0x08, 1u | 1u << 20, [0, 0, 0, 0])]);
        return socket;
    }

    private static async Task ReadAsync(Socket socket, bool times)
    {
        byte[] buffer = new byte[256 * 1024];
        int held = 0, preface = HeaderLength;
        while (await socket.ReceiveAsync(buffer.AsMemory(held)) is > 0 and var length)
        {
            if (!times) continue;
            long now = Stopwatch.GetTimestamp();
            int end = held + length, at = preface;
            preface = 0;
            for (int frame; end - at >= HeaderLength && end - at >= (frame = HeaderLength + LengthOf(buffer, at)); at += frame)
            {
                if (frame < FeedServer.ItemLength) continue;
                long made = BinaryPrimitives.ReadInt64LittleEndian(buffer.AsSpan(at + frame - FeedServer.ItemLength));
                s_arrivals.AddOrUpdate(made, now, (_, before) => Math.Max(before, now));
            }

            buffer.AsSpan(at, end - at).CopyTo(buffer);
            held = end - at;
        }
    }

    private static int LengthOf(byte[] buffer, int at) => buffer[at] | buffer[at + 1] << 8 | buffer[at + 2] << 16;

    private static byte[] Frame(byte kind, uint id, byte[] payload)
    {
        byte[] frame = new byte[HeaderLength + payload.Length];
        BinaryPrimitives.WriteUInt64LittleEndian(frame, (uint)payload.Length | (ulong)kind << 24 | (ulong)id << 32);
        payload.CopyTo(frame, HeaderLength);
        return frame;
    }
}
