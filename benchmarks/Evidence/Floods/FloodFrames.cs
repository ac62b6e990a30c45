using System.Buffers.Binary;
using System.Text;

namespace Evidence.Floods;

/// <summary>Frames as a hostile peer writes them, by the document of the protocol and nothing else.</summary>
internal static class FloodFrames
{
    private const byte Hello = 0x01;
    private const byte Ping = 0x02;
    private const byte Credit = 0x04;
    private const byte Define = 0x05;
    private const byte Request = 0x08;
    private const byte Cancel = 0x0B;
    private const byte Extension = 0x18;
    private const int More = 1;
    private const int Meta = 2;
    private const byte Duplex = 3;
    private const byte StreamOption = 8;
    private const int Slots = 4_096; // calls that a server takes of a connection by default

    /// <summary>Metadata of nine entries with 1,000 bytes each: more than is taken.</summary>
    private static readonly byte[] s_metadata = [.. Enumerable.Range(0, 9).SelectMany(MakeEntry)];

    /// <summary>The kinds of floods, and what of the list of threats each is.</summary>
    public static IReadOnlyDictionary<string, string> Kinds { get; } = new Dictionary<string, string>
    {
        ["fragments"] = "T3 fragments of 1 byte",
        ["metadata"] = "T4 requests with too much metadata",
        ["resets"] = "T5 calls opened and cancelled",
        ["unknown"] = "T6 requests of a method that is not there",
        ["pings"] = "T7 PINGs, answers not read",
        ["cancels"] = "T8 cancels of an answered call",
        ["extensions"] = "T8 extension frames",
        ["credit"] = "T10 credit of 1 byte",
        ["replies"] = "T9 calls whose replies nobody reads",
        ["silence"] = "T12 connections that say nothing",
        ["calls"] = "T31 calls as fast as they go",
    };

    /// <summary>Whether a flood breaks a rule. The other ones are only more than a server has room for.</summary>
    public static bool IsCutOff(string kind) => kind is not ("silence" or "calls");

    /// <summary>Preface, HELLO and the definition of the method that the flood calls, with the number 0.</summary>
    public static byte[] Greeting(string kind)
    {
        var (method, shape) = kind switch
        {
            "unknown" => ("mux.bench.Empty/Nothing", (byte)0),
            "resets" => ("mux.bench.Streams/Search", Duplex), // waits for items, and ends when it is cancelled
            "replies" => ("mux.bench.Directory/Search", (byte)0),
            PlaceTable.Kind => ("evidence.Door/Hold", (byte)0),
            _ => ("mux.bench.Empty/Call", (byte)0),
        };
        return [.. "MUX1\r\n\u001a\n"u8, .. Frame(Hello, 0, [1, 1, 0, 0]), .. Frame(Define, 0, [0, 0, shape, .. Encoding.ASCII.GetBytes(method)])];
    }

    /// <summary>The next frames of a flood.</summary>
    /// <param name="kind">One of <see cref="Kinds"/> that sends frames.</param>
    /// <param name="number">Counts up from 0 on each connection.</param>
    public static byte[] Next(string kind, int number) => kind switch
    {
        "fragments" => number == 0 ? Frame(Request, Id(1, 1), [0, 0, 0, 0, 0, 0, 64, 0], More) : Frame(Request, Id(1, 1), [1], More),
        "metadata" => Frame(Request, Id(1, number + 1), [0, 0, 0, 0, .. U16(s_metadata.Length), .. s_metadata], Meta),
        "resets" => [.. Frame(Request, Cycled(number), [0, 0, StreamOption, 0]), .. Frame(Cancel, Cycled(number), [0])],
        "unknown" => Frame(Request, Id(1, number + 1), [0, 0, 0, 0]),
        "calls" or "replies" or PlaceTable.Kind => Frame(Request, Cycled(number), [0, 0, 0, 0]),
        "pings" => Frame(Ping, 0, new byte[8]),
        "cancels" => number == 0 ? Frame(Request, Id(1, 1), [0, 0, 0, 0]) : Frame(Cancel, Id(1, 1), [0]),
        "credit" => Frame(Credit, 0, [1, 0, 0, 0]),
        _ => Frame(Extension, 0, []),
    };

    private static uint Cycled(int number) => Id(number % Slots + 1, number / Slots + 1);

    private static uint Id(int slot, int generation) => (uint)slot | (uint)(generation & 0xFFF) << 20;

    private static byte[] MakeEntry(int number) => [2, (byte)'k', (byte)('0' + number), .. U16(1_000), .. Enumerable.Repeat((byte)'x', 1_000)];

    private static byte[] U16(int value) => [(byte)value, (byte)(value >> 8)];

    private static byte[] Frame(byte kind, uint id, byte[] payload, int flags = 0)
    {
        var frame = new byte[8 + payload.Length];
        BinaryPrimitives.WriteUInt64LittleEndian(frame, (uint)payload.Length | (ulong)kind << 24 | (ulong)flags << 29 | (ulong)id << 32);
        payload.CopyTo(frame, 8);
        return frame;
    }
}
