using Mux.Contracts;
using Mux.Core.Tests.Wire;
using Mux.Protocol;

namespace Mux.Core.Tests.Framing;

/// <summary>Valid frames of all kinds, one after the other.</summary>
internal static class SampleStream
{
    public static byte[] AllKinds { get; } =
    [
        .. Write(to => FrameWriter.Write(to, new HelloFrame(1, 1, new PeerSettings { MaxCalls = 100, PeerName = "sample" }))),
        .. Write(to => FrameWriter.Write(to, new DefineFrame(0, MethodShape.Unary, "hr.Directory/Search"u8))),
        .. Write(to => FrameWriter.Request(to, new CallId(1, 1), new RequestHead(0, RequestOptions.Deadline, 1_000), [1, 2, 3])),
        .. Write(to => FrameWriter.Request(to, new CallId(2, 1), new RequestHead(0, RequestOptions.OneWay, 0), [])),
        .. Write(to => FrameWriter.Cancel(to, new CallId(1, 1), CancelReason.Deadline)),
        .. Write(to => FrameWriter.Response(to, new CallId(5, 9), new byte[40])),
        .. Write(to => FrameWriter.Fail(to, new CallId(6, 9), new FailFrame((byte)MuxStatus.NotFound, MuxExecution.Executed, 0, "no employee"))),
        .. Write(to => FrameWriter.Ping(to, 42, answer: false)),
        .. Write(to => FrameWriter.Ping(to, 42, answer: true)),
        .. Write(to => FrameWriter.Write(to, new GoAwayFrame(ConnectionCode.Draining, 0, "until later"))),
        .. Write(to => FrameWriter.GoAwayAcknowledgement(to)),
        .. Write(to => FrameWriter.Credit(to, FrameKind.Credit, default, 1_000)),
        .. Write(to => FrameWriter.Credit(to, FrameKind.RequestCredit, new CallId(5, 9), 1)),
        .. Write(to => FrameWriter.Credit(to, FrameKind.ResponseCredit, new CallId(1, 1), int.MaxValue)),
        .. Write(to => FrameWriter.Item(to, FrameKind.RequestItem, new CallId(1, 1), 5, FrameFlags.More)),
        .. Write(to => FrameWriter.RequestEnd(to, new CallId(1, 1))),
        .. Write(to => FrameWriter.Item(to, FrameKind.ResponseItem, new CallId(5, 9), 20)),
        .. HexFile.Read("fragments.hex"),
        .. Write(to => FrameWriter.Fail(to, new CallId(6, 9), new FailFrame(9, MuxExecution.Executed, 0, "no"),
            new FailExtras { Metadata = new MuxMetadata { { "k", "v" } }, MaxMetadata = 100, DetailNumber = 1, Detail = [1, 2] }, out _)),
        .. (byte[])[3, 0, 0, 0x18, 0, 0, 0, 0, 7, 8, 9], // an extension
    ];

    private static byte[] Write(Func<byte[], int> write)
    {
        var buffer = new byte[2 * FrameWriter.MaxFailFrame];
        return buffer[..write(buffer)];
    }
}
