using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Services;
using Mux.Telemetry;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Services;

/// <summary>Metadata ahead of a response stream, at its handler, frame by frame.</summary>
public sealed class StreamMetadataHandlerTests : IDisposable
{
    private static readonly StreamMethod<MuxUnit, MuxUnit, MuxUnit> s_down = new(
        new MethodDescriptor("test", "Down", MethodShape.ResponseStream, takesToken: false) { TakesOptions = true }, new EmptyCodec("request"), new EmptyCodec("item"), new EmptyCodec("reply"))
    {
        Invoke = static (_, _, _, options, _) => OneItem(options!.ResponseMetadata!),
    };

    private readonly Meter _meter = new("test");

    public void Dispose() => _meter.Dispose();

    /// <summary>A peer that does not say so would take the flag for a broken rule.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Metadata_goes_ahead_of_the_first_item_only_to_a_peer_that_says_it_reads_it(bool reads)
    {
        var work = new ManualWork();
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = work }, PeerSettings.Default with { ReadsStreamMetadata = reads });
        var durations = new CallDurations(_meter.CreateHistogram<double>("durations"), ActivityKind.Server, new Clock(TimeProvider.System), [], new CallLog(NullLogger.Instance, ActivityKind.Server));
        var services = new ContractSource<object>(new AnyService());
        peer.Methods.Others.Add(new StreamHandler<MuxUnit, MuxUnit, MuxUnit>(s_down, services, new(MuxDispatchMode.Inline, NullLogger.Instance, durations, DetailedErrors: false)));
        peer.Define(0, "test/Down", MethodShape.ResponseStream);

        peer.Request(new CallId(1, 1), 0, []);
        work.RunAll();

        var frames = peer.ReadAll();
        var (item, end) = (Assert.Single(frames, frame => frame.Kind == FrameKind.ResponseItem), Assert.Single(frames, frame => frame.Kind == FrameKind.Response));
        Assert.Equal((reads, !reads), ((item.Header.Flags & FrameFlags.Meta) != 0, (end.Header.Flags & FrameFlags.Meta) != 0));
        peer.End();
    }

    private static async IAsyncEnumerable<MuxUnit> OneItem(MuxMetadata response)
    {
        response["ahead"] = "1";
        yield return default;
        await Task.CompletedTask;
    }

    private sealed class AnyService : ServiceSource<object>
    {
        public override ServiceLease<object> Open() => new(this, Scope: null);
    }
}
