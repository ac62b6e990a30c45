using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Evidence.Statistics;

namespace Evidence.Groups;

/// <summary>A third process: bare sockets that answer each call with 8 bytes and do nothing else with it, so that the server's side is what is measured.</summary>
internal static class GroupMembers
{
    private const int HeaderLength = 8, CallsAllowed = 4_096;
    private const byte Request = 0x08, Response = 0x10;

    /// <summary>When the last member got a call, by when it was made.</summary>
    private static ConcurrentDictionary<long, long> s_arrivals = new();

    /// <summary>Connects, prints a line, and a line of figures for each line that it reads.</summary>
    /// <param name="port">Of the server.</param>
    /// <param name="connections">Number of members.</param>
    /// <param name="times">True to note when calls arrive.</param>
    public static void Run(int port, int connections, bool times)
    {
        foreach (var socket in Enumerable.Range(0, connections).Select(_ => Connect(port)).ToList()) _ = AnswerAsync(socket, times);
        Console.WriteLine("ready");
        while (Console.ReadLine() is not null)
        {
            var took = Interlocked.Exchange(ref s_arrivals, new()).Select(pair => Stopwatch.GetElapsedTime(pair.Key, pair.Value).TotalMilliseconds).ToList();
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{(took.Count == 0 ? 0 : Quantile.Of(took, 0.99)):F3} {took.Count}"));
        }
    }

    private static Socket Connect(int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(IPAddress.Loopback, port);
        byte[] hello = [1, 1, 0, 0, 3, 0, 4, 0, .. BitConverter.GetBytes(CallsAllowed)]; // setting 3: calls that may be open
        byte[] frame = new byte[HeaderLength + hello.Length];
        BinaryPrimitives.WriteUInt64LittleEndian(frame, (uint)hello.Length | 1UL << 24);
        hello.CopyTo(frame, HeaderLength);
        socket.Send([.. "MUX1\r\n\u001a\n"u8, .. frame]);
        return socket;
    }

    private static async Task AnswerAsync(Socket socket, bool times)
    {
        byte[] buffer = new byte[64 * 1024], answers = new byte[64 * 1024];
        int held = 0, preface = HeaderLength;
        while (await socket.ReceiveAsync(buffer.AsMemory(held)) is > 0 and var length)
        {
            long now = times ? Stopwatch.GetTimestamp() : 0;
            int end = held + length, at = preface, answered = 0;
            preface = 0;
            for (int frame; end - at >= HeaderLength && end - at >= (frame = HeaderLength + LengthOf(buffer, at)); at += frame)
            {
                if (buffer[at + 3] != Request) continue;
                var answer = answers.AsSpan(answered, HeaderLength);
                answered += HeaderLength;
                BinaryPrimitives.WriteUInt32LittleEndian(answer, (uint)Response << 24);
                buffer.AsSpan(at + 4, 4).CopyTo(answer[4..]);
                if (!times) continue;
                long made = BinaryPrimitives.ReadInt64LittleEndian(buffer.AsSpan(at + frame - GroupServer.NewsLength));
                s_arrivals.AddOrUpdate(made, now, (_, before) => Math.Max(before, now));
            }

            buffer.AsSpan(at, end - at).CopyTo(buffer);
            held = end - at;
            if (answered > 0) await socket.SendAsync(answers.AsMemory(0, answered));
        }
    }

    private static int LengthOf(byte[] buffer, int at) => buffer[at] | buffer[at + 1] << 8 | buffer[at + 2] << 16;
}
