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

/// <summary>Handlers of streams whose calls end in the moment in which they start.</summary>
public sealed class AbandonedStreamHandlerTests : IDisposable
{
    private static readonly StreamMethod<MuxUnit, MuxUnit, MuxUnit> s_upload = new(
        new MethodDescriptor("test", "Upload", MethodShape.RequestStream, takesToken: false), new EmptyCodec("request"), new EmptyCodec("item"), new EmptyCodec("reply"))
    {
        InvokeAsync = static (service, _, _, _, _) =>
        {
            ((Service)service).IsStarted = true;
            return default;
        },
    };

    private readonly Meter _meter = new("test");

    public void Dispose() => _meter.Dispose();

    [Fact]
    public void A_handler_whose_call_ended_while_its_service_was_made_is_not_started_with_an_empty_stream()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = new ManualWork() });
        var source = new EndingSource(peer);
        var durations = new CallDurations(_meter.CreateHistogram<double>("durations"), ActivityKind.Server, new Clock(TimeProvider.System), [], new CallLog(NullLogger.Instance, ActivityKind.Server));
        peer.Methods.Others.Add(new StreamHandler<MuxUnit, MuxUnit, MuxUnit>(s_upload, new ContractSource<Service>(source), new(MuxDispatchMode.Inline, NullLogger.Instance, durations, DetailedErrors: false)));
        peer.Define(0, "test/Upload", MethodShape.RequestStream);

        peer.RequestStream(new CallId(1, 1), 0);

        Assert.False(source.Service.IsStarted);
        Assert.True(source.IsDisposed);
        Assert.Equal((0, 0L), (peer.Sut.RequestCounts.OpenCount, peer.Sut.StreamBudget.Used));
        var answer = Assert.Single(peer.ReadAll(), frame => frame.Kind == FrameKind.Fail);
        Assert.True(FailFrame.TryRead(answer.Payload, out var fail, out _));
        Assert.Equal((byte)MuxStatus.Unavailable, fail.Status);
        peer.End();
    }

    private sealed class Service
    {
        public bool IsStarted { get; set; }
    }

    /// <summary>Makes services while the grace of a drain ends.</summary>
    private sealed class EndingSource(ScriptedPeer peer) : ServiceSource<Service>, IAsyncDisposable
    {
        public Service Service { get; } = new();

        public bool IsDisposed { get; private set; }

        public override ServiceLease<Service> Open()
        {
            peer.Sut.BeginDrain(0);
            peer.Sut.OnTick(peer.Sut.Clock.Now);
            return new(Service, this);
        }

        public ValueTask DisposeAsync()
        {
            IsDisposed = true;
            return default;
        }
    }
}
