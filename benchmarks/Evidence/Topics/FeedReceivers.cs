using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Evidence.Statistics;

namespace Evidence.Topics;

/// <summary>What benchmarks/FrameCounter does, where there is no compiler for it: dearer, and so on the same processors to the server's cost.</summary>
internal static class FeedReceivers
{
    private const int HeaderLength = 8;
    private const byte Request = 0x08, Response = 0x10;

    private static long s_items;

    /// <summary>When the last receiver got an item, and how many have it, by when the item was published.</summary>
    private static ConcurrentDictionary<long, (long At, int Count)> s_arrivals = new();

    /// <inheritdoc cref="Programs.FrameCounter"/>
    public static void Run(int port, int connections, string manner, int itemLength)
    {
        bool isStuck = manner == "stuck";
        byte[] hello = Convert.FromHexString(Console.ReadLine()!);
        var sockets = Enumerable.Range(0, connections).Select(_ => Connect(port, isStuck, hello)).ToList();
        if (!isStuck) foreach (var socket in sockets) _ = ReadAsync(socket, itemLength, answers: manner == "answer");
        Console.WriteLine("ready");
        while (Console.ReadLine() is not null)
        {
            var took = Interlocked.Exchange(ref s_arrivals, new()).Where(pair => pair.Value.Count == connections)
                .Select(pair => Stopwatch.GetElapsedTime(pair.Key, pair.Value.At).TotalMilliseconds).DefaultIfEmpty().ToList();
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{Volatile.Read(ref s_items)} 0 {Environment.CpuUsage.TotalTime.TotalMicroseconds} {took.Count} {Quantile.Of(took, 0.5):F3} {Quantile.Of(took, 0.99):F3} {took.Max():F3}"));
        }
    }

    private static Socket Connect(int port, bool isStuck, byte[] hello)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        if (isStuck) socket.ReceiveBufferSize = 4_096;
        socket.Connect(IPAddress.Loopback, port);
        socket.Send(hello);
        return socket;
    }

    private static async Task ReadAsync(Socket socket, int itemLength, bool answers)
    {
        byte[] buffer = new byte[256 * 1024], responses = new byte[answers ? buffer.Length : 0];
        int held = 0, preface = HeaderLength;
        while (await socket.ReceiveAsync(buffer.AsMemory(held)) is > 0 and var length)
        {
            long now = Stopwatch.GetTimestamp();
            int end = held + length, at = preface, answered = 0;
            preface = 0;
            for (int frame; end - at >= HeaderLength && end - at >= (frame = HeaderLength + LengthOf(buffer, at)); at += frame)
            {
                if (answers && buffer[at + 3] == Request)
                {
                    var response = responses.AsSpan(answered, HeaderLength);
                    answered += HeaderLength;
                    BinaryPrimitives.WriteUInt32LittleEndian(response, (uint)Response << 24);
                    buffer.AsSpan(at + 4, 4).CopyTo(response[4..]);
                }

                if (frame < HeaderLength + itemLength || BinaryPrimitives.ReadInt32LittleEndian(buffer.AsSpan(at + 4)) == 0) continue; // not of a call
                Interlocked.Increment(ref s_items);
                long made = BinaryPrimitives.ReadInt64LittleEndian(buffer.AsSpan(at + frame - itemLength));
                s_arrivals.AddOrUpdate(made, (now, 1), (_, before) => (Math.Max(before.At, now), before.Count + 1));
            }

            buffer.AsSpan(at, end - at).CopyTo(buffer);
            held = end - at;
            if (answered > 0) await socket.SendAsync(responses.AsMemory(0, answered));
        }
    }

    private static int LengthOf(byte[] buffer, int at) => buffer[at] | buffer[at + 1] << 8 | buffer[at + 2] << 16;
}
