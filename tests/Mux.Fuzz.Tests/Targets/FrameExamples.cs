using System.Text;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Fuzz.Tests.Targets;

/// <summary>Frames of an orderly peer of a <see cref="ConnectionScene"/>.</summary>
internal static class FrameExamples
{
    public static IReadOnlyList<byte[]> All { get; } =
    [
        ScriptedPeer.Frame(FrameKind.Request, new CallId(2, 1), [0, 0, 0, 0, 1, 2, 3]),
        ScriptedPeer.Frame(FrameKind.Request, new CallId(2, 1), [1, 0, (byte)RequestOptions.Deadline, 0, 0, 0, 1, 0, 9]),
        ScriptedPeer.Frame(FrameKind.Request, new CallId(2, 1), [0, 0, (byte)RequestOptions.OneWay, 0, 4]),
        ScriptedPeer.Frame(FrameKind.Request, new CallId(2, 1), [0, 0, 0, 0, 5, 0, 1, (byte)'k', 1, 0, (byte)'v', 7], FrameFlags.Meta),
        [.. ScriptedPeer.Frame(FrameKind.Request, new CallId(2, 1), [0, 0, 0, 0, 5, 0, 0, 0, 1, 2], FrameFlags.More), .. ScriptedPeer.Frame(FrameKind.Request, new CallId(2, 1), [3, 4, 5])],
        [.. ScriptedPeer.Frame(FrameKind.Request, new CallId(2, 1), [2, 0, (byte)RequestOptions.Stream, 0]), .. ScriptedPeer.Frame(FrameKind.RequestItem, new CallId(2, 1), [1]),
            .. ScriptedPeer.Frame(FrameKind.RequestEnd, new CallId(2, 1), [])],
        ScriptedPeer.Frame(FrameKind.Cancel, new CallId(1, 1), [0]),
        ScriptedPeer.Frame(FrameKind.Ping, default, new byte[8]),
        ScriptedPeer.Frame(FrameKind.Ping, default, new byte[8], FrameFlags.Answer),
        ScriptedPeer.Frame(FrameKind.Credit, default, [0, 16, 0, 0]),
        ScriptedPeer.Frame(FrameKind.ResponseCredit, new CallId(1, 1), [0, 16, 0, 0]),
        ScriptedPeer.Frame(FrameKind.ItemWindow, new CallId(2, 1), [2, 0, 0, 0]),
        ScriptedPeer.Frame(FrameKind.ItemCredit, new CallId(1, 1), [1, 0, 0, 0]),
        ScriptedPeer.Frame(FrameKind.RequestCredit, new CallId(2, 1), [0, 16, 0, 0]),
        ScriptedPeer.Frame(FrameKind.Response, new CallId(1, 1), [7, 7]),
        ScriptedPeer.Frame(FrameKind.ResponseItem, new CallId(2, 1), [1, 2]),
        [.. ScriptedPeer.Frame(FrameKind.ResponseItem, new CallId(2, 1), [4, 0, 0, 0, 1, 2], FrameFlags.More), .. ScriptedPeer.Frame(FrameKind.ResponseItem, new CallId(2, 1), [3, 4])],
        ScriptedPeer.Frame(FrameKind.Fail, new CallId(3, 1), [5, 2, 0, 0, 0, 0, 1, 0, 65]),
        ScriptedPeer.Frame(FrameKind.Define, default, [4, 0, 0, .. Encoding.ASCII.GetBytes("test/More")]),
        ScriptedPeer.Frame((FrameKind)0x1A, new CallId(9, 9), new byte[30]),
        ScriptedPeer.Frame(FrameKind.Lease, default, [0, 0, 0, 0, 1, 0, 0, 0, 0x3F, 0x7D]),
        ScriptedPeer.Frame(FrameKind.GoAway, default, [1, 0, 0, 0, 0, 0]),
    ];
}
