using System.Buffers.Binary;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Fuzz.Tests.Targets;

/// <summary>
/// The same for frames whose headers are right: the input says of each its kind, slot, generation, flags and length, so that what is changed reaches messages in fragments, streams and credit.
/// </summary>
/// <remarks>
/// <code>
/// kind u4, flags u2, slot u2 | generation u4, head u4 | length u8 | payload
/// </code>
/// The head is put before the payload: nothing, or the head of a request with a stream; or it is all of the payload and says how long a message in fragments is, whose body begins with the next frame.
/// </remarks>
internal sealed class ReassemblyTarget(bool accepting) : ConnectionTarget(accepting)
{
    private const int CommandLength = 3;
    private const int FirstTotal = 8; // heads from here on are totals

    private static readonly FrameKind[] s_kinds =
    [
        FrameKind.Request, FrameKind.RequestItem, FrameKind.RequestEnd, FrameKind.Cancel, FrameKind.RequestCredit, FrameKind.Response, FrameKind.ResponseItem, FrameKind.Fail,
        FrameKind.ResponseCredit, FrameKind.Credit, FrameKind.Ping, FrameKind.Define, FrameKind.GoAway, FrameKind.FirstExtension, FrameKind.Request, FrameKind.RequestItem,
    ];

    private readonly bool _accepting = accepting;

    public override string Name => _accepting ? "reassembly-accepting" : "reassembly-dialing";

    public override IReadOnlyList<byte[]> Examples { get; } =
    [
        [0x05, 0x18, 8, 0x05, 0x10, 4, 5, 6, 7, 8, 0x01, 0x10, 4, 9, 9, 9, 9], // a request in fragments
        [0x05, 0x18, 8, 0x05, 0x10, 4, 5, 6, 7, 8], // one that does not go on
        [0x01, 0x16, 1, 7, 0x11, 0x10, 3, 1, 2, 3, 0x21, 0x10, 0], // a request with a stream, an item, its end
        [0x01, 0x17, 1, 7, 0x15, 0x1c, 6, 0x15, 0x10, 3, 1, 1, 1, 0x11, 0x10, 3, 1, 1, 1], // an item in fragments
        [0x54, 0x1c, 6, 0x54, 0x10, 3, 1, 1, 1, 0x50, 0x10, 3, 1, 1, 1], // a reply in fragments
        [0x61, 0x10, 2, 1, 2, 0x61, 0x10, 2, 3, 4, 0x41, 0x10, 4, 0, 1, 0, 0, 0x90, 0x00, 4, 0, 1, 0, 0, 0x51, 0x10, 0], // items, credit, the reply
        [0x30, 0x10, 1, 0, 0x72, 0x10, 9, 5, 2, 0, 0, 0, 0, 1, 0, 65], // a cancel, a failure
    ];

    protected override byte[] Translate(ReadOnlySpan<byte> input)
    {
        var bytes = new List<byte>();
        while (input.Length >= CommandLength)
        {
            var (what, how, length) = (input[0], input[1], input[2]);
            input = input[CommandLength..];
            var kind = s_kinds[what >> 4];
            var flags = (FrameFlags)((what >> 2) & 3);
            var id = kind is >= FrameKind.Request and < FrameKind.FirstExtension ? new CallId((what & 3) + 1, (uint)(how >> 4)) : default;
            var head = Head(how & 15, length);
            int taken = (how & 15) < FirstTotal ? Math.Min(length, input.Length) : 0;
            bytes.AddRange(ScriptedPeer.Frame(kind, id, [.. head, .. input[..taken]], flags));
            input = input[taken..];
        }

        return [.. bytes];
    }

    private static byte[] Head(int head, byte length)
    {
        var bytes = new byte[RequestHead.MinLength + FragmentHead.Length];
        switch (head)
        {
            case < 4:
                return [];
            case < FirstTotal:
                return [(byte)(head - 4), 0, (byte)RequestOptions.Stream, 0];
            case < FirstTotal + 4: // of a request of one of the four methods
                bytes[0] = (byte)(head - FirstTotal);
                BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(RequestHead.MinLength), length);
                return bytes;
            default: // of another message: up to 255 bytes, 16 KiB, 1 MiB, 64 MiB
                BinaryPrimitives.WriteInt32LittleEndian(bytes, length << (head - FirstTotal - 4) * 6);
                return bytes[..FragmentHead.Length];
        }
    }
}
