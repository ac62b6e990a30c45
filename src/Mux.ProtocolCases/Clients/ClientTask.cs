using System.Globalization;
using System.Text;

namespace Mux.ProtocolCases.Clients;

/// <summary>
/// A task for a client under examination: the reply to its call of <see cref="Method"/>, a name and numbers separated by spaces (README.md of the tool).
/// </summary>
/// <param name="Name">One of the names below.</param>
/// <param name="Size">Bytes of a message, or milliseconds of a deadline.</param>
/// <param name="Count">Number of messages.</param>
internal sealed record ClientTask(string Name, int Size = 0, int Count = 0)
{
    /// <summary>Unary: its request reports the result of the last task, its reply is the next task.</summary>
    public const string Method = "mux.spec/Task";

    public const string Cancel = "cancel", Both = "both", Echo = "echo", Calls = "calls", Up = "up", Down = "down", Deadline = "deadline", Stop = "stop";

    public byte[] ToBytes() => Encoding.ASCII.GetBytes(ToString());

    public static ClientTask Parse(ReadOnlySpan<byte> bytes)
    {
        var words = Encoding.ASCII.GetString(bytes).Split(' ');
        return new ClientTask(words[0], Number(words, 1), Number(words, 2));
    }

    public override string ToString() => Name is Cancel or Both or Stop ? Name : string.Create(CultureInfo.InvariantCulture, $"{Name} {Size} {Count}");

    /// <summary>Content of every message: byte <c>i</c> is <c>i mod 251</c>.</summary>
    public static byte[] Content(int size)
    {
        var bytes = new byte[size];
        for (int at = 0; at < size; at++) bytes[at] = (byte)(at % 251);
        return bytes;
    }

    private static int Number(string[] words, int at) => words.Length > at ? int.Parse(words[at], NumberStyles.None, CultureInfo.InvariantCulture) : 0;
}
