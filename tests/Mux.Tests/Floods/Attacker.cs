using System.Net;
using System.Net.Sockets;
using System.Text;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Tests.Floods;

/// <summary>A peer on a bare socket that sends one kind of frame again and again and reads nothing, until it is cut off. Its calls have empty requests.</summary>
internal sealed class Attacker : IDisposable
{
    private const int FramesPerSend = 64;
    private const long MostFrames = 5_000_000;
    private const int FirstSlot = 2;

    /// <summary>Nine entries of 1,000 bytes: more than a server takes by default.</summary>
    private static readonly byte[] s_metadata = MakeMetadata();

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly string _flood;
    private int _requests;

    /// <param name="server">Where it connects.</param>
    /// <param name="flood">One of <see cref="Floods"/>.</param>
    public Attacker(MuxAddress server, string flood)
    {
        _flood = flood;
        _socket.Connect(IPAddress.Parse(server.Host), server.Port);
        _socket.Send([
            .. Preface.Bytes, .. ScriptedPeer.Hello(PeerSettings.Default),
            .. ScriptedPeer.Frame(FrameKind.Define, default, [0, 0, 0, .. "test.Desk/AskPlainly"u8]),
            .. ScriptedPeer.Frame(FrameKind.Request, new(1, 1), [0, 0, 0, 0])]);
    }

    /// <summary>By what each is cut off.</summary>
    public static IReadOnlyDictionary<string, string> Floods { get; } = new Dictionary<string, string>
    {
        ["PINGs"] = "Pings",
        ["cancels"] = "ControlFrames",
        ["credit"] = "ControlFrames",
        ["extensions"] = "ControlFrames",
        ["small fragments"] = "TinyFrames",
        ["too much metadata"] = "Misuse",
        ["unknown methods"] = "Misuse",
        ["opened and cancelled"] = "PrematureCancels",
    };

    /// <summary>Frames sent.</summary>
    public long Sent { get; private set; }

    /// <summary>Sends until the server has had enough.</summary>
    /// <returns>Whether it had.</returns>
    public bool RunUntilCut()
    {
        var batch = new List<byte>();
        while (Sent < MostFrames)
        {
            batch.Clear();
            for (int i = 0; i < FramesPerSend; i++) batch.AddRange(Next());
            try
            {
                _socket.Send([.. batch]);
                Sent += FramesPerSend;
            }
            catch (SocketException)
            {
                return true;
            }
        }

        return false;
    }

    public void Dispose() => _socket.Dispose();

    private static byte[] MakeMetadata()
    {
        var metadata = new MuxMetadata();
        for (int i = 0; i < 9; i++) metadata.Add($"key{i}", new string('x', 1_000));
        var block = new byte[MetadataBlock.Measure(metadata, out _)];
        MetadataBlock.Write(block, metadata);
        return block;
    }

    private static byte[] NextUnknown(ushort ordinal) =>
    [
        .. ScriptedPeer.Frame(FrameKind.Define, default, [(byte)ordinal, (byte)(ordinal >> 8), 0, .. Encoding.ASCII.GetBytes($"test.Desk/Nothing{ordinal}")]),
        .. ScriptedPeer.Frame(FrameKind.Request, new(FirstSlot, ordinal), [(byte)ordinal, (byte)(ordinal >> 8), 0, 0]),
    ];

    /// <summary>Of messages of 4 MiB that do not become whole.</summary>
    private static byte[] NextFragment(int number)
    {
        const int FragmentsOfMessage = 1_000;
        var id = new CallId(FirstSlot + (number / FragmentsOfMessage), 1);
        return number % FragmentsOfMessage == 0
            ? ScriptedPeer.Frame(FrameKind.Request, id, [0, 0, 0, 0, 0, 0, 64, 0], FrameFlags.More)
            : ScriptedPeer.Frame(FrameKind.Request, id, [1], FrameFlags.More);
    }

    private byte[] Next() => _flood switch
    {
        "PINGs" => ScriptedPeer.Frame(FrameKind.Ping, default, new byte[8]),
        "cancels" => ScriptedPeer.Frame(FrameKind.Cancel, new(1, 1), [0]),
        "credit" => ScriptedPeer.Frame(FrameKind.Credit, default, [1, 0, 0, 0]),
        "extensions" => ScriptedPeer.Frame(FrameKind.FirstExtension, default, []),
        "small fragments" => NextFragment(_requests++),
        "too much metadata" => ScriptedPeer.Frame(FrameKind.Request, new(FirstSlot, (uint)++_requests), [0, 0, 0, 0, .. s_metadata], FrameFlags.Meta),
        "unknown methods" => NextUnknown((ushort)++_requests),
        _ => [.. ScriptedPeer.Frame(FrameKind.Request, new(FirstSlot + _requests, 1), [0, 0, 0, 0]), .. ScriptedPeer.Frame(FrameKind.Cancel, new(FirstSlot + _requests++, 1), [0])],
    };
}
