using System.IO.Pipelines;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Streams;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Streams;

/// <summary>Whoever writes runs what the reader does next, and the other way round; segments and thresholds are small.</summary>
[Collection(nameof(TransportTests))]
public sealed class InlinePipeConformanceTests : TransportConformanceTests
{
    protected override ITransport CreateTransport() => new PipeTransport(new PipeOptions(
        readerScheduler: PipeScheduler.Inline, writerScheduler: PipeScheduler.Inline, pauseWriterThreshold: 5_000, resumeWriterThreshold: 2_500, minimumSegmentSize: 256));

    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://pipe:0");
}
