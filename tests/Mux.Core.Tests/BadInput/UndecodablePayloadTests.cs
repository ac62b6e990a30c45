using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.Runtime;
using Mux.Serialization;
using Mux.Telemetry;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Serializers;

namespace Mux.Core.Tests.BadInput;

/// <summary>Bodies that the generated code refuses: whatever it throws, one call fails and no more. What it refuses is tested with it.</summary>
public sealed class UndecodablePayloadTests
{
    private const string Refused = "Field 3 is cut short.";

    private const string Thrown = "The request could not be decoded: code of its type, such as a setter or a constructor, threw";

    private static readonly UnaryMethod<int, int> s_method = new(
        new MethodDescriptor("test", "Throwing", MethodShape.Unary, takesToken: false) { RequestFingerprint = 0xAABBCCDD, ResponseFingerprint = 5 },
        new ScriptedCodec<int>(Decode),
        new ScriptedCodec<int>(static _ => throw new NotSupportedException()),
        static (service, request, _, _) =>
        {
            ((Service)service).Calls++;
            return new ValueTask<int>(request);
        });

    [Theory]
    [InlineData(0, $"{Thrown} an exception: see the log of the server.")]
    [InlineData(1, Refused)]
    public void A_request_that_the_decoder_refuses_fails_its_call_alone_not_executed(byte body, string text) => Run(Raw.Define(0, 0, "test/Throwing"u8), body, text);

    [Fact]
    public void What_a_setter_throws_is_in_the_log_and_with_detailed_errors_in_the_failure()
    {
        var log = Run(Raw.Define(0, 0, "test/Throwing"u8), body: 0, $"{Thrown} System.OverflowException: Too much.", detailedErrors: true);

        Assert.IsType<OverflowException>(Assert.Single(log.Of("RequestUndecodable"), entry => entry.Level == LogLevel.Warning).Error);
    }

    [Fact]
    public void Bytes_that_the_codec_refuses_are_no_warning() => Assert.DoesNotContain(Run(Raw.Define(0, 0, "test/Throwing"u8), body: 1, Refused).Entries, entry => entry.Level > LogLevel.Debug);

    [Fact]
    public void A_setter_that_throws_says_nothing_of_the_codec() =>
        Run(Raw.DefineWith(0, "test/Throwing"u8, [.. Raw.U32(0xAABBCCDD), .. Raw.U32(5)]), body: 0, $"{Thrown} an exception: see the log of the server.");

    [Theory]
    [InlineData(0xAABBCCDD, 5, " Both sides have the same contract for it (requests of shape AABBCCDD), so these bytes were not written by that contract's codec.")]
    [InlineData(0xAABBCCDD, 6, " Both sides have the same contract for it (requests of shape AABBCCDD), so these bytes were not written by that contract's codec.")]
    [InlineData(0x1, 5, " The two sides were built against different contracts: requests have the shape 00000001 at the sender and AABBCCDD at the receiver.")]
    [InlineData(0x0, 5, "")]
    [InlineData(0x0, 0, "")]
    public void What_fingerprints_say_of_the_two_contracts_stands_in_the_failure(uint requests, uint replies, string text) =>
        Run(Raw.DefineWith(0, "test/Throwing"u8, [.. Raw.U32(requests), .. Raw.U32(replies)]), 1, Refused + text);

    private static LogCollector Run(byte[] define, byte body, string text, bool detailedErrors = false)
    {
        var log = new LogCollector();
        var service = new Service();
        using var meter = new Meter("test");
        var durations = new CallDurations(meter.CreateHistogram<double>("durations"), ActivityKind.Server, new Clock(TimeProvider.System), [], new CallLog(NullLogger.Instance, ActivityKind.Server));
        var environment = new HandlerEnvironment(MuxDispatchMode.Inline, log.CreateLogger("test"), durations, detailedErrors);
        var method = new UnaryHandler<int, int>(s_method, new SingletonSource<object>(service), environment);
        var link = new TestLink();
        var sut = new Connection(link, new ConnectionOptions(), new RecordingOwner(), new MethodTable([method]), new Clock(TimeProvider.System), accepting: true);
        sut.Start();
        link.Handler.OnConnected();
        link.Deliver([.. Raw.Hello(1, 1), .. define]);
        int sent = link.SentBytes;

        link.Deliver([.. Raw.Request(1, 1, 0, RequestOptions.None, body), .. Raw.Request(2, 1, 0, RequestOptions.None, 2)]);

        var fail = ReadFrame(link.Sent.AsSpan(sent), out int length);
        Assert.Equal((FrameKind.Fail, 1), (fail.Kind, fail.Id.Slot));
        Assert.True(FailFrame.TryRead(fail.Payload, out var failure, out _));
        Assert.Equal(((byte)MuxStatus.InvalidArgument, MuxExecution.NotExecuted, text), (failure.Status, failure.Execution, failure.Text));
        Assert.Equal(1, service.Calls); // by the second request, which is good
        var response = ReadFrame(link.Sent.AsSpan(sent + length), out _);
        Assert.Equal((FrameKind.Response, 2), (response.Kind, response.Id.Slot));
        Assert.Equal(ConnectionState.Open, sut.State);
        link.Handler.OnClosed(global::Mux.Transports.LinkCloseCause.EndOfStream, null);
        return log;
    }

    private static int Decode(ReadOnlySpan<byte> body) => body[0] switch
    {
        0 => throw new OverflowException("Too much."),
        1 => throw new InvalidMessageException("Field 3 is cut short."),
        _ => body[0],
    };

    private static RawFrame ReadFrame(ReadOnlySpan<byte> bytes, out int length)
    {
        Assert.Equal(FrameReadResult.Frame, FrameReader.Read(bytes, ProtocolConstants.MaxFramePayload, out var header, out _));
        length = FrameHeader.Size + header.Length;
        return new RawFrame(header, bytes[FrameHeader.Size..length].ToArray());
    }

    private sealed class Service
    {
        public int Calls { get; set; }
    }
}
