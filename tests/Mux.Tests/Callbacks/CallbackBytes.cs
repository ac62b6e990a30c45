using System.Text;

namespace Mux.Tests.Callbacks;

/// <summary>Messages of PROTOCOL.md section 6.6, written without the code that is tested.</summary>
internal static class CallbackBytes
{
    public static byte[] Callback(byte id, string method, byte parameter = 0, params byte[] body)
    {
        var bytes = new List<byte>();
        if (id != 0) bytes.AddRange([0x08, id]);
        if (parameter != 0) bytes.AddRange([0x10, parameter]);
        bytes.AddRange([0x1A, (byte)method.Length, .. Encoding.ASCII.GetBytes(method)]);
        if (body.Length > 0) bytes.AddRange([0x2A, (byte)body.Length, .. body]);
        return [.. bytes];
    }

    public static byte[] Cancel(byte id) => [0x08, id, 0x20, 1];

    /// <summary>The result of a method that returns a number.</summary>
    public static byte[] Result(byte number) => [0x2A, 2, 0x08, number, 0x30, 1];

    public static byte[] Answer(byte id, params byte[] body) => [0x08, id, 0x22, (byte)body.Length, .. body];

    /// <summary>A text alone, as an argument or result.</summary>
    public static byte[] Text(string text) => [0x0A, (byte)text.Length, .. Encoding.ASCII.GetBytes(text)];
}
