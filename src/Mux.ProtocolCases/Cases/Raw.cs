using System.Buffers.Binary;
using System.Text;
using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>Bytes of a careless or hostile peer: nothing is checked.</summary>
internal static class Raw
{
    public static byte[] Frame(FrameKind kind, CallId id = default, byte[]? payload = null, FrameFlags flags = FrameFlags.None)
    {
        payload ??= [];
        var bytes = new byte[FrameHeader.Size + payload.Length];
        new FrameHeader(kind, flags, id, payload.Length).Write(bytes);
        payload.CopyTo(bytes.AsSpan(FrameHeader.Size));
        return bytes;
    }

    /// <summary>Creates a header that announces more than follows.</summary>
    public static byte[] Header(FrameKind kind, CallId id, int length)
    {
        var bytes = new byte[FrameHeader.Size];
        new FrameHeader(kind, FrameFlags.None, id, length).Write(bytes);
        return bytes;
    }

    public static byte[] Request(int slot, uint generation, ushort ordinal, RequestOptions options = RequestOptions.None, params byte[] rest) =>
        Frame(FrameKind.Request, new CallId(slot, generation), [.. U16(ordinal), .. U16((ushort)options), .. rest]);

    public static byte[] Define(ushort ordinal, byte shape, ReadOnlySpan<byte> name) => Frame(FrameKind.Define, default, [.. U16(ordinal), shape, .. name]);

    public static byte[] Define(ushort ordinal, byte shape, string name) => Define(ordinal, shape, Encoding.UTF8.GetBytes(name));

    /// <summary>Creates a definition with a fingerprint: 2 for requests, 3 for replies, unless the bytes are given.</summary>
    public static byte[] DefineWith(ushort ordinal, ReadOnlySpan<byte> name, params byte[] fingerprint) =>
        Frame(FrameKind.Define, default, [.. U16(ordinal), 8, .. fingerprint.Length == 0 ? [.. U32(2), .. U32(3)] : fingerprint, .. name]);

    public static byte[] DefineWith(ushort ordinal, string name, params byte[] fingerprint) => DefineWith(ordinal, Encoding.UTF8.GetBytes(name), fingerprint);

    /// <summary>Creates the answer to a definition.</summary>
    public static byte[] DefineAnswer(ushort ordinal, int length = 8) =>
        Frame(FrameKind.Define, default, [.. U16(ordinal), .. new byte[length]], FrameFlags.Answer);

    public static byte[] Hello(byte min, byte max, params byte[][] settings) =>
        [.. Preface.Bytes, .. Frame(FrameKind.Hello, default, [min, max, 0, 0, .. settings.SelectMany(setting => setting)])];

    public static byte[] Setting(SettingKey key, params byte[] value) => [.. U16((ushort)key), .. U16((ushort)value.Length), .. value];

    public static byte[] Setting(SettingKey key, uint value) => Setting(key, U32(value));

    public static byte[] Text(string ascii) => Encoding.ASCII.GetBytes(ascii);

    public static byte[] U16(ushort value)
    {
        var bytes = new byte[sizeof(ushort)];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, value);
        return bytes;
    }

    public static byte[] U32(uint value)
    {
        var bytes = new byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        return bytes;
    }
}
