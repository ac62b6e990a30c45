using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;
using Mux.Services;
using Mux.Telemetry;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Serializers;

namespace Mux.Core.Tests.BadInput;

/// <summary>Items of request streams that cannot be decoded, in the log of the server. A handler gets them as failures of its stream.</summary>
public sealed class UndecodableItemTests : IDisposable
{
    private static readonly StreamMethod<MuxUnit, int, MuxUnit> s_upload = new(
        new MethodDescriptor("test", "Upload", MethodShape.RequestStream, takesToken: false),
        new EmptyCodec("request"), new ScriptedCodec<int>(Decode), new EmptyCodec("reply"))
    {
        // Says nothing of what its stream throws.
        InvokeAsync = static async (_, _, items, _, _) =>
        {
            try
            {
                await foreach (var item in items) _ = item;
            }
            catch (MuxException)
            {
            }

            return default;
        },
    };

    private readonly Meter _meter = new("test");

    public void Dispose() => _meter.Dispose();

    [Fact]
    public void What_a_setter_throws_is_logged_once_a_second_with_the_number_of_others()
    {
        var log = Send(0, 0, 0);
        var told = Assert.Single(log.Of("RequestUndecodable"), static entry => entry.Level == LogLevel.Warning);
        Assert.IsType<OverflowException>(told.Error);
        Assert.Contains("An item of a request of test/Upload", told.Text, StringComparison.Ordinal);
        Assert.Equal(3, log.Of("RequestUndecodable").Count);
    }

    [Fact]
    public void Bytes_that_the_codec_refuses_are_no_warning() =>
        Assert.DoesNotContain(Send(1, 1).Entries, static entry => entry.Level > LogLevel.Debug);

    private LogCollector Send(params byte[] items)
    {
        var log = new LogCollector();
        var work = new ManualWork();
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = work });
        var durations = new CallDurations(
            _meter.CreateHistogram<double>("durations"), ActivityKind.Server, new Clock(TimeProvider.System), [],
            new CallLog(NullLogger.Instance, ActivityKind.Server));
        var environment = new HandlerEnvironment(MuxDispatchMode.Inline, log.CreateLogger("test"), durations, DetailedErrors: false);
        peer.Methods.Others.Add(new StreamHandler<MuxUnit, int, MuxUnit>(s_upload, new ContractSource<object>(new AnyService()), environment));
        peer.Define(0, "test/Upload", MethodShape.RequestStream);
        for (int i = 0; i < items.Length; i++)
        {
            var id = new CallId(1, (uint)i + 1);
            peer.RequestStream(id, 0);
            work.RunAll();
            peer.SendFrame(FrameKind.RequestItem, id, [items[i]]);
            work.RunAll();
        }

        Assert.Null(peer.Owner.End);
        peer.End();
        return log;
    }

    private static int Decode(ReadOnlySpan<byte> body) => body[0] switch
    {
        0 => throw new OverflowException("Too much."),
        1 => throw new InvalidMessageException("Field 3 is cut short."),
        _ => body[0],
    };

    private sealed class AnyService : ServiceSource<object>
    {
        public override ServiceLease<object> Open() => new(this, Scope: null);
    }
}
