using System.IO.Pipelines;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Streams;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Streams;

[Collection(nameof(TransportTests))]
public sealed class PipeConformanceTests : TransportConformanceTests
{
    protected override ITransport CreateTransport() => new PipeTransport(PipeOptions.Default);

    protected override MuxAddress FreeAddress() => MuxAddress.Parse("mux://pipe:0");

    protected override string? WhyNotFreeOfAllocations => "A pipe makes a work item whenever it wakes somebody on the thread pool.";
}
