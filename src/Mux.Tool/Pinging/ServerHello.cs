using System.Buffers.Binary;
using System.Text;

namespace Mux.Tool.Pinging;

/// <summary>What a server says of itself in its HELLO: sections 1.1 to 1.3 of PROTOCOL.md.</summary>
/// <param name="Name">Setting 10; empty if it has none.</param>
/// <param name="Instance">Setting 11, which changes with each start of its process; null if it is absent.</param>
/// <param name="MaxCalls">Setting 3: calls that a client may have open on a connection.</param>
/// <param name="MaxMessageBytes">Setting 2: the largest message that it accepts.</param>
/// <param name="RequiresAuthentication">Setting 14.</param>
internal sealed record ServerHello(string Name, Guid? Instance, long MaxCalls, long MaxMessageBytes, bool RequiresAuthentication)
{
    private const int PrefaceLength = 8;
    private const int HeaderLength = 8;
    private const int VersionsLength = 4;
    private const int SettingHeadLength = 4;
    private const int LengthMask = 0xFF_FFFF;
    private const int KindShift = 24;
    private const int HelloKind = 0x01;
    private const int InstanceLength = 16;

    // What the absence of a setting means.
    private static readonly ServerHello s_silent = new("", null, MaxCalls: 16_384, MaxMessageBytes: 4 * 1024 * 1024, RequiresAuthentication: false);

    /// <summary>Reads the first bytes of a server.</summary>
    /// <param name="bytes">The bytes so far.</param>
    /// <param name="hello">The HELLO; null if they are not one, as of a server that rejects the connection.</param>
    /// <returns>False if more bytes are needed.</returns>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out ServerHello? hello)
    {
        hello = null;
        if (bytes.Length < PrefaceLength + HeaderLength) return false;
        int head = BinaryPrimitives.ReadInt32LittleEndian(bytes[PrefaceLength..]);
        if (head >>> KindShift != HelloKind) return true;
        int length = head & LengthMask;
        if (bytes.Length < PrefaceLength + HeaderLength + length) return false;
        hello = s_silent;
        var rest = bytes.Slice(PrefaceLength + HeaderLength, length);
        rest = rest[Math.Min(VersionsLength, length)..];
        while (rest.Length >= SettingHeadLength)
        {
            int key = BinaryPrimitives.ReadUInt16LittleEndian(rest);
            int size = BinaryPrimitives.ReadUInt16LittleEndian(rest[2..]);
            if (rest.Length < SettingHeadLength + size) break; // the engine rejects it
            hello = With(hello, key, rest.Slice(SettingHeadLength, size));
            rest = rest[(SettingHeadLength + size)..];
        }

        return true;
    }

    private static ServerHello With(ServerHello hello, int key, ReadOnlySpan<byte> value) => key switch
    {
        2 when value.Length == sizeof(uint) => hello with { MaxMessageBytes = BinaryPrimitives.ReadUInt32LittleEndian(value) },
        3 when value.Length == sizeof(uint) => hello with { MaxCalls = BinaryPrimitives.ReadUInt32LittleEndian(value) },
        10 => hello with { Name = Encoding.UTF8.GetString(value) },
        11 when value.Length == InstanceLength => hello with { Instance = new Guid(value, bigEndian: true) },
        14 when value.Length == sizeof(uint) => hello with { RequiresAuthentication = BinaryPrimitives.ReadUInt32LittleEndian(value) == 1 },
        _ => hello,
    };
}
